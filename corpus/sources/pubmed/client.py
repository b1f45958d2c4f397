"""PubMed by the E-utilities: search with history, then records in batches; all of them.

NCBI gives no more than 9,999 records of one search. A larger one is cut into spans of the day on
which records were added, until each span fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from corpus.sources import ids as known
from corpus.sources.fetching import Page, Request, State, Tell, batches, missing_note
from corpus.sources.pubmed.entrez import LABEL, Found, count_records, read_links, read_search
from flux_site.kernel.errors import InvalidInput
from flux_site.kernel.http import BadAnswer, Client, Policy, SourceRefused

BASE_URL: Final = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
MOST: Final = 9_999  # records that NCBI gives of one search
PER_PAGE: Final = 200
FIRST_DAY: Final = date(1700, 1, 1)
LINKS: Final = {
    "cited-by": "pubmed_pubmed_citedin",
    "references": "pubmed_pubmed_refs",
    "similar": "pubmed_pubmed",
}


def policy(
    base_url: str = BASE_URL,
    *,
    user_agent: str = "Flux",
    has_key: bool = False,
    allow_loopback: bool = False,
) -> Policy:
    """How NCBI wants to be asked: three a second, ten with a key."""
    return Policy(
        name="pubmed",
        label=LABEL,
        base_url=base_url or BASE_URL,
        user_agent=user_agent,
        per_second=10.0 if has_key else 3.0,
        allow_loopback=allow_loopback,
    )


def fetch(
    request: Request,
    http: Client,
    *,
    api_key: str = "",
    email: str = "",
    state: State | None = None,
    tell: Tell,
) -> Iterator[Page]:
    """Yield efetch sets of up to 200 records.

    `ids` are PMIDs. `query` is a search in PubMed's language, or `cited-by:`, `references:` or
    `similar:` with PMIDs. `since` is the day on which a record came into PubMed. The newest records
    come first.
    """
    access = {"db": "pubmed", "tool": "flux"}
    access |= {name: value for name, value in (("api_key", api_key), ("email", email)) if value}
    run = _Run(request, http, access, tell)
    kind, _, rest = request.query.partition(":")
    if request.ids:
        yield from run.by_ids(_pmids(request.ids), int((state or {}).get("at", 0)))
    elif kind.strip() in LINKS:
        if request.since:
            tell("PubMed's links have no dates: all linked records are fetched.")
        linked = run.linked(_pmids(tuple(rest.replace(",", " ").split())), LINKS[kind.strip()])
        yield from run.by_ids(linked, int((state or {}).get("at", 0)))
    else:
        yield from run.by_query(dict(state or {}))


def _pmids(given: tuple[str, ...]) -> list[str]:
    for one in given:
        if not known.pmid(one):
            raise InvalidInput(f"{one[:40]} is no PMID: they are numbers, as 24808625.")
    if not given:
        raise InvalidInput("Name at least one PMID.")
    return list(dict.fromkeys(known.pmid(one) for one in given))


@dataclass(frozen=True, slots=True)
class _Span:
    """Days on which records were added, both ends in; empty ends mean all of PubMed."""

    first: str = ""
    last: str = ""

    def halves(self) -> tuple[_Span, _Span] | None:
        """The later and the earlier half; None for a single day."""
        first = date.fromisoformat(self.first) if self.first else FIRST_DAY
        last = date.fromisoformat(self.last) if self.last else _tomorrow()
        if first >= last:
            return None
        middle = first + (last - first) // 2
        later = _Span((middle + timedelta(days=1)).isoformat(), last.isoformat())
        return later, _Span(first.isoformat(), middle.isoformat())

    def params(self) -> dict[str, str]:
        if not (self.first or self.last):
            return {}
        first, last = self.first or FIRST_DAY.isoformat(), self.last or _tomorrow().isoformat()
        return {
            "datetype": "edat",
            "mindate": first.replace("-", "/"),
            "maxdate": last.replace("-", "/"),
        }


def _tomorrow() -> date:
    """NCBI's day may be ahead of or behind ours."""
    return datetime.now(UTC).date() + timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Run:
    request: Request
    http: Client
    access: Mapping[str, str]
    tell: Tell

    def by_ids(self, pmids: list[str], start: int) -> Iterator[Page]:
        """Records of these PMIDs, in batches."""
        groups = list(batches(pmids[: self.request.limit], PER_PAGE))
        for number, group in enumerate(groups[start:], start=start + 1):
            data = self._records({"id": ",".join(group)})
            if (found := count_records(data)) < len(group):
                self.tell(missing_note(LABEL, found, len(group)))
            if found:
                yield Page(f"pubmed-ids-{number:05d}.xml", data, {"at": number})

    def linked(self, pmids: list[str], name: str) -> list[str]:
        """PMIDs that NCBI links to these."""
        form = {**self.access, "dbfrom": "pubmed", "linkname": name, "id": ",".join(pmids)}
        data = self.http.post("elink.fcgi", form, expects=("xml",)).body
        return [one for one in read_links(data, name) if one not in pmids]

    def by_query(self, state: dict[str, Any]) -> Iterator[Page]:
        """Records of a search, span by span.

        State: `spans`, what is still to do, the current one last; `start` in the current one;
        `done`, `count` of the whole. After a break the current span is searched anew, since NCBI
        forgets histories.
        """
        most = self.request.limit if self.request.limit is not None else float("inf")
        done, start = int(state.get("done", 0)), int(state.get("start", 0))
        spans = [_Span(*ends) for ends in state.get("spans", [(self.request.since, "")])]
        count = state.get("count")
        while spans and done < most:
            span = spans.pop()
            found = self._search(span)
            if count is None:
                count = found.count
                self._tell_phrases(found)
            is_too_large = found.count > MOST and most - done > MOST and not start
            if is_too_large and (halves := span.halves()):
                later, earlier = halves
                spans += [earlier, later]
                continue
            end = int(min(found.count, start + most - done))
            if end > MOST:
                self._tell_too_many(span, found.count)
                end = MOST
            for at in range(start, end, PER_PAGE):
                size = min(PER_PAGE, end - at)
                data, found = self._of_history(span, found, at, size)
                done += size
                following = at + size
                todo = [*spans, span] if following < end else spans
                yield Page(
                    f"pubmed-{done:07d}.xml",
                    data,
                    {
                        "spans": [(one.first, one.last) for one in todo],
                        "start": following if following < end else 0,
                        "done": done,
                        "count": count,
                    },
                )
            start = 0
        if done < min(count or 0, most):
            self.tell(f"PubMed gave {done:,} of the {count:,} records that it counts.")

    def _search(self, span: _Span) -> Found:
        form = {
            **self.access,
            **span.params(),
            "term": self.request.query,
            "usehistory": "y",
            "retmax": "0",
        }
        return read_search(self.http.post("esearch.fcgi", form, expects=("xml",)).body)

    def _of_history(self, span: _Span, found: Found, start: int, size: int) -> tuple[bytes, Found]:
        """A batch of a search's records; searched anew, once, when NCBI has forgotten it."""
        try:
            return self._checked(found, start, size), found
        except (BadAnswer, SourceRefused):
            again = self._search(span)
            return self._checked(again, start, size), again

    def _checked(self, found: Found, start: int, size: int) -> bytes:
        where = {"WebEnv": found.web_env, "query_key": found.query_key}
        data = self._records({**where, "retstart": str(start), "retmax": str(size)})
        if (held := count_records(data)) < size:
            self.tell(missing_note(LABEL, held, size))
        return data

    def _records(self, what: Mapping[str, str]) -> bytes:
        form = {**self.access, "retmode": "xml", **what}
        return self.http.post("efetch.fcgi", form, expects=("xml",)).body

    def _tell_phrases(self, found: Found) -> None:
        if found.unknown_phrases:
            phrases = ", ".join(found.unknown_phrases)[:200]
            self.tell(f"PubMed does not know these words and searched without them: {phrases}.")

    def _tell_too_many(self, span: _Span, count: int) -> None:
        when = f" added on {span.first}" if span.first and span.first == span.last else ""
        self.tell(f"PubMed gives only {MOST:,} of {count:,} records{when}: narrow the query.")
