"""An answer as the page shows it: claims with chips, verdicts, abstention, provenance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.web.formats import counted, duration, moment, money, percent
from agent.models import Run
from corpus.web.kinds import kind_of

WORDS = {
    "supported": ("Supported", "ok", "ok"),
    "uncertain": ("Uncertain", "warn", "unsure"),
    "unverified": ("Unverified", "bad", "bad"),
}
MARKS = {"uncertain": ("unc", "uncertain", "warn"), "unverified": ("unv", "unverified", "")}
QUALITY = {
    "good": ("Good", "ok", "ok"),
    "partial": ("Partial", "warn", "unsure"),
    "bad": ("Bad", "warn", "alert"),
}
LONG_WORD = 24  # letters that may not be kept from breaking
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")


def ask_url(run: Run) -> str:
    """The ask page with the same question."""
    return f"{reverse('agent:ask')}?{urlencode({'question': run.question})}"


def search_url(run: Run) -> str:
    """The search page with the question's words."""
    return f"{reverse('retrieval:search')}?{urlencode({'q': run.question[:400]})}"


def final(
    run: Run, result: Mapping[str, Any], versions: Mapping[str, Any], found: int
) -> dict[str, Any]:
    """The checked answer; `result`, `versions` and the passages found as this reader sees them."""
    citations = {citation["id"]: citation for citation in result["citations"]}
    claims = _claims(result["claims"], citations)
    doubted = [claim for claim in claims if claim["flag"]]
    abstained = result["mode"] == "abstained"
    return {
        "state": "final",
        "warnings": _warnings(result),
        "care": _care(len(doubted)),
        "abstention": abstention(run, result, found) if abstained else None,
        "claims": claims,
        "text": "" if claims or abstained else result["answer"],
        "said": _said(claims, doubted),
        "copy_text": copy_text(run, result),
        "again_url": ask_url(run),
        "search_url": search_url(run),
        "provenance": {
            "rows": provenance(run, result, versions),
            "claims": _checked(claims, result["claims"]),
        },
    }


def _claims(
    claims: Sequence[Mapping[str, Any]], citations: Mapping[int, Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Claims with their chips; the first chip of a source has the id that `Back to claim` uses."""
    anchored: set[int] = set()
    rows = []
    for claim in claims:
        word, tone, icon = WORDS[claim["status"]]
        mark, flag, flag_tone = MARKS.get(claim["status"], ("", "", ""))
        chips = []
        for number in claim["citations"]:
            if number not in citations:
                continue
            first = number not in anchored
            anchored.add(number)
            anchor = f"c-{number}" if first else ""
            label = chip_label(number, citations[number])
            chips.append({"number": number, "anchor": anchor, "label": label})
        rows.append(
            {
                "text": claim["text"],
                "word": word,
                "tone": tone,
                "icon": icon,
                "mark": mark,
                "flag": flag,
                "flag_tone": flag_tone,
                "chips": chips,
                "html": claim_html(claim["text"], mark, chips),
            }
        )
    return rows


def claim_html(text: str, mark: str, chips: Sequence[Mapping[str, Any]]) -> SafeString:
    """A claim's words and chips. The last word holds the chips: none stands alone on a line."""
    head, space, last = text.rpartition(" ")
    if len(last) > LONG_WORD:
        head, space, last = text, "", ""
    return format_html(
        '<span class="{0}">{1}{2}</span><span class="nw"><span class="{0}">{3}</span>{4}</span>',
        mark,
        head,
        space,
        last,
        format_html_join("", "{}", ((_chip(chip),) for chip in chips)),
    )


def _chip(chip: Mapping[str, Any]) -> SafeString:
    return format_html(
        '<a class="cite"{} href="#ev-{}" aria-label="{}">{}</a>',
        format_html(' id="{}"', chip["anchor"]) if chip["anchor"] else "",
        chip["number"],
        chip["label"],
        chip["number"],
    )


def chip_label(number: int, citation: Mapping[str, Any]) -> str:
    """What a screen reader says of a chip: number, title, kind."""
    kind = kind_of(citation["content_type"], citation["source"], page=citation.get("page"))
    title = citation["title"] or citation["external_id"]
    return f"Source {number}: {title[:80]}, {kind.label}"


def _care(doubted: int) -> str:
    if not doubted:
        return ""
    number = NUMBERS[doubted] if doubted < len(NUMBERS) else str(doubted)
    return f"{number} claim needs care." if doubted == 1 else f"{number} claims need care."


def _said(claims: Sequence[Any], doubted: Sequence[Any]) -> str:
    if not claims:
        return "Your sources do not answer this."
    check = f", {len(doubted)} to check" if doubted else ""
    return f"Answer ready, {counted(len(claims), 'claim')}{check}."


def _warnings(result: Mapping[str, Any]) -> list[dict[str, str]]:
    texts = [text.removeprefix("budget_exhausted: ") for text in result["warnings"]]
    rows = [{"tone": "warn", "icon": "alert", "text": text} for text in texts]
    if result["mode"] == "extractive":
        said = "Made without a language model: every sentence is taken from a source, word by word."
        rows = [{"tone": "", "icon": "info", "text": said}, *rows]
    return rows


def _checked(
    claims: Sequence[Mapping[str, Any]], results: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The claim table: each claim, its sources, and what the checks found."""
    return [
        {
            "text": claim["text"],
            "sources": ", ".join(str(chip["number"]) for chip in claim["chips"]),
            "word": claim["word"],
            "tone": claim["tone"],
            "icon": claim["icon"],
            "why": "; ".join(result.get("checks", ())) or _why(claim),
        }
        for claim, result in zip(claims, results, strict=True)
    ]


def _why(claim: Mapping[str, Any]) -> str:
    if claim["flag"]:
        return "The cited words do not carry all of it"
    return "Its names, numbers and direction stand in the cited words"


def verdicts(result: Mapping[str, Any], found: int) -> dict[str, Any]:
    """The strip of a finished answer."""
    confidence = float(result["confidence"])
    statuses = [claim["status"] for claim in result["claims"]]
    return {
        "confidence": confidence,
        "confidence_text": f"{confidence:.2f}",
        "confidence_percent": percent(confidence, 1),
        "confidence_note": _confidence_note(result["mode"]),
        "retrieval": quality(result["retrieval_quality"], found),
        "checks": _checks(statuses),
    }


def pending(quality_word: str, found: int | None) -> dict[str, Any]:
    """The strip while the answer is being made: the checks are still to come."""
    waiting = {"tone": "", "icon": "spin", "value": "Pending", "note": "Each claim, once written"}
    return {"confidence": None, "retrieval": quality(quality_word, found), "checks": waiting}


def quality(word: str, found: int | None) -> dict[str, str]:
    """Retrieval quality as value, note, glyph and tone; `found` is None while searching."""
    value, tone, icon = QUALITY.get(word, ("Being judged", "", "spin"))
    note = "Searching" if found is None else f"{counted(found, 'passage')} found"
    return {"value": value, "tone": tone, "icon": icon, "note": note}


def _confidence_note(mode: str) -> str:
    return {
        "extractive": "From how well the passages fit",
        "abstained": "Nothing was claimed",
        "fallback": "The answer failed its checks",
    }.get(mode, "After the checks of each claim")


def _checks(statuses: Sequence[str]) -> dict[str, str]:
    good = statuses.count("supported")
    if not statuses:
        return {"tone": "", "icon": "info", "value": "No claims", "note": "Nothing to check"}
    note = f"{good} of {counted(len(statuses), 'claim')}"
    if good == len(statuses):
        return {"tone": "ok", "icon": "ok", "value": "Supported", "note": note}
    value = "Partly supported" if good else "Not supported"
    return {"tone": "warn", "icon": "unsure", "value": value, "note": note}


def abstention(run: Run, result: Mapping[str, Any], found: int) -> dict[str, Any]:
    """What was searched, what is nearest, what would help."""
    library = reverse("corpus:library")
    steps = [
        {"icon": "ask", "url": ask_url(run), "label": "Ask it in other words, or wider"},
        {"icon": "library", "url": library, "label": "See what your corpora hold"},
    ]
    if found:
        steps.insert(0, {"icon": "quote", "url": "#ev-1", "label": "Read the nearest passages"})
    quality_word = QUALITY[result["retrieval_quality"]][0].lower()
    return {
        "title": "Your sources do not answer this",
        "text": result["answer"] or "Nothing that was found supports an answer.",
        "steps": steps,
        "line": f"Retrieval quality: {quality_word} · cost {money(run.cost_microusd)}",
    }


def failed(run: Run, reason: str, code: str = "") -> dict[str, Any]:
    """A run that ended without an answer."""
    stopped = run.status == "stopped"
    return {
        "state": "failed",
        "title": "This run was stopped." if stopped else "Flux could not make an answer.",
        "reason": reason,
        "code": code,
        "again_url": ask_url(run),
        "search_url": search_url(run),
    }


def provenance(
    run: Run, result: Mapping[str, Any], versions: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Under which versions the answer was made."""
    rows: list[dict[str, Any]] = [
        {"label": "Run", "value": str(run.public_id), "id": True},
        {"label": "Asked", "value": f"{moment(run.created_at)}, {run.user.display_name}"},
        {"label": "Made by", "value": _maker(result)},
        *({"label": key.capitalize(), "value": _plain(value)} for key, value in versions.items()),
        {"label": "Reasoning", "value": result["reasoning_summary"]},
        {"label": "Found by", "value": ", ".join(result["used_sources"].get("legs", []))},
    ]
    return [row for row in rows if row["value"]]


def _maker(result: Mapping[str, Any]) -> str:
    if result["mode"] == "model":
        return "A language model, each claim checked against its passages"
    return {"extractive": "Sentences of your sources, no language model"}.get(result["mode"], "")


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(_plain(item) for item in value)
    return str(value)


def copy_text(run: Run, result: Mapping[str, Any]) -> str:
    """The answer with numbered references, to paste."""
    lines = [run.question, ""]
    for claim in result["claims"]:
        flag = "" if claim["status"] == "supported" else f" [{claim['status']}]"
        marks = "".join(f"[{number}]" for number in claim["citations"])
        lines.append(f"{claim['text']} {marks}{flag}".strip())
    lines.append("")
    for citation in result["citations"]:
        page = f", page {citation['page']}" if citation.get("page") else ""
        lines.append(f"[{citation['id']}] {citation['title']}. {citation['external_id']}{page}.")
    return "\n".join(lines)


def facts(run: Run, corpora: Sequence[str], *, by: str = "") -> list[str]:
    """How the run went, in short words: mode, corpora, time, cost, and who asked."""
    parts = [run.get_mode_display(), ", ".join(corpora)]
    total = (run.timings or {}).get("total_ms")
    if total is not None:
        parts.append(duration(float(total)))
    parts.append(money(run.cost_microusd))
    parts.append(f"asked by {by}" if by else "")
    return [part for part in parts if part]
