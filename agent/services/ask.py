"""Single-shot answers: retrieve, judge, answer, check, keep. Runs in a worker."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import structlog
from django.db import transaction
from django.utils import timezone

from accounts.services import budgets
from agent import events
from agent.answers.extractive import extractive
from agent.answers.extractive.deeper import best_places, falls_short, respelled
from agent.answers.fallback import fallback
from agent.answers.render import pieces
from agent.answers.schema import FinalAnswer
from agent.answers.validate import AnswerRejected
from agent.models import Run
from agent.services import answers, dropping, evidence, log, meaning, runs
from agent.services.evidence import Evidence
from agent.services.leases import Lease
from agent.services.writing import Writing, model_name
from agent.types import LeaseLost, RunStopped
from corpus.models import Corpus
from flux_site.kernel.errors import BudgetExhausted, FluxError
from flux_site.kernel.llm.base import CallCancelled, ModelCallFailed
from flux_site.kernel.llm.registry import is_configured
from retrieval.services.search import search
from retrieval.types import Filters, Hit

logger = structlog.get_logger(__name__)
PASSAGES: Final = 8
LOOKED_THROUGH: Final = 24  # hits among which a passage that is more to the point may lie
NAMED: Final = 3  # passages of records named by identifier
FLUSH_S: Final = 0.15  # tokens of a model are written together for so long
BARE: Final = "Not found in your corpora. No passage there supports an answer."
WITHHELD: Final = (
    "Evidence from {names} was withheld from the model, as its data policy asks: it is quoted."
)


@dataclass(slots=True)
class Outcome:
    """What an ask comes to."""

    answer: FinalAnswer
    checks: answers.Checks = field(default_factory=dict)


def ask(run: Run, lease: Lease) -> None:
    """Answer a run's question and end the run, whatever happens.

    Raises LeaseLost when another worker has the run; then nothing more is written.
    """
    try:
        _Asking(run, lease).answer()
    except LeaseLost:
        raise
    except (RunStopped, CallCancelled):
        _end(run, lease, "stopped", "Stopped by request.")
    except FluxError as error:
        logger.warning("run.failed", run=str(run.public_id), code=error.code)
        _end(run, lease, "failed", error.message, code=error.code)
    except Exception:
        logger.exception("run.broke", run=str(run.public_id))
        _end(run, lease, "failed", "Something went wrong while answering.", code="internal")


class _Asking:
    """One run being answered."""

    def __init__(self, run: Run, lease: Lease) -> None:
        self.run, self.lease = run, lease
        self.warnings: list[str] = []
        self.stages: dict[str, float] = {}
        self.seen = set(run.events.values_list("kind", flat=True))  # of a worker that died

    def answer(self) -> None:
        """The steps in their order."""
        found = self._retrieve()
        self._check_stop()
        outcome = self._answer(found)
        self._check_stop()
        self._keep(found, outcome)

    def _retrieve(self) -> Evidence:
        began = time.monotonic()
        readable = self._still_readable()
        found = self._search(readable) if readable else Evidence((), {})
        if events.CITATIONS not in self.seen:
            self._write(events.CITATIONS, evidence.citations_payload(found), found.corpora)
        if self.run.timings.get("first_event_ms") is None:
            waited = timezone.now() - self.run.created_at
            first = round(waited.total_seconds() * 1000)
            self.run.timings = self.run.timings | {"first_event_ms": first}
        self.stages["retrieve_ms"] = _ms(began)
        return found

    def _search(self, corpora: list[str]) -> Evidence:
        result = search(
            self.run.question, reader=self.run.user, corpora=corpora, limit=LOOKED_THROUGH
        )
        self.warnings.extend(result.notes)
        self.run.versions = self.run.versions | {"dataset": result.index_version}
        self.stages |= dict(result.timings)
        hits = [*result.hits, *self._respelled(result.hits, corpora)]
        return evidence.gather(self._with_named(self._to_read(hits), corpora))

    def _respelled(self, hits: Sequence[Hit], corpora: list[str]) -> list[Hit]:
        """What other spellings of the question's names find, where its own find too little."""
        question = respelled(self.run.question)
        first = [evidence.passage(hit) for hit in hits[:PASSAGES]]
        if question is None or not falls_short(self.run.question, first):
            return []
        known = {hit.chunk_id for hit in hits}
        found = search(question, reader=self.run.user, corpora=corpora, limit=LOOKED_THROUGH).hits
        return [hit for hit in found if hit.chunk_id not in known]

    def _to_read(self, hits: Sequence[Hit]) -> list[Hit]:
        """The first hits; a later one that says more of what is asked takes a place of theirs."""
        passages = [evidence.passage(hit) for hit in hits]
        places = best_places(self.run.question, passages, most=PASSAGES)
        return [replace(hits[place], rank=rank) for rank, place in enumerate(places, start=1)]

    def _with_named(self, hits: Sequence[Hit], corpora: list[str]) -> list[Hit]:
        """The hits, behind passages of the very records that the question names by identifier."""
        documents = evidence.named_documents(self.run.question, self.run.user, corpora)
        if not documents:
            return list(hits)
        named = search(
            self.run.question,
            reader=self.run.user,
            corpora=corpora,
            limit=NAMED,
            filters=Filters(documents=documents),
        ).hits
        known = {hit.chunk_id for hit in named}
        rest = [hit for hit in hits if hit.chunk_id not in known]
        ordered = [*named, *rest][:PASSAGES]
        return [replace(hit, rank=rank) for rank, hit in enumerate(ordered, start=1)]

    def _still_readable(self) -> list[str]:
        """The run's corpora that its starter may read now; losing one is no error."""
        readable = Corpus.objects.readable_by(self.run.user).filter(runs=self.run)
        return [str(public_id) for public_id in readable.values_list("public_id", flat=True)]

    def _answer(self, found: Evidence) -> Outcome:
        began = time.monotonic()
        quoted = self._quoted(found)
        self._judge(quoted, found)
        outcome = Outcome(quoted)
        if is_configured() and found.passages:
            outcome = self._written(found, quoted)
        self.stages["answer_ms"] = _ms(began)
        if outcome.answer.mode != "model":
            self._send(outcome.answer, found)
        return outcome

    def _quoted(self, found: Evidence) -> FinalAnswer:
        names = list(self.run.corpora.order_by("name").values_list("name", flat=True))
        return extractive(
            self.run.question,
            found.passages,
            similarity=meaning.similarity,
            searched=names,
            warnings=self.warnings,
        )

    def _judge(self, quoted: FinalAnswer, found: Evidence) -> None:
        if events.JUDGE in self.seen:
            return
        verdict: dict[str, object] = {
            "verdict": quoted.retrieval_quality,
            "confidence": quoted.confidence,
            "missing": [],
        }
        self._write(events.JUDGE, verdict, found.corpora)

    def _written(self, found: Evidence, quoted: FinalAnswer) -> Outcome:
        """The model's answer; the quoted one, with a warning, where there is none."""
        allowed = frozenset(
            self.run.corpora.filter(external_models_allowed=True).values_list("pk", flat=True)
        )
        given = found.only(allowed)
        if len(given.passages) < len(found.passages):
            names = self.run.corpora.filter(pk__in=found.corpora - allowed)
            shown = ", ".join(names.order_by("name").values_list("name", flat=True))
            self.warnings.append(WITHHELD.format(names=shown))
        if not given.passages:
            return self._warned(quoted)
        tokens = _Tokens(self, given.corpora)
        self.run.versions["models"] = self.run.versions["models"] | {"answer": model_name()}
        try:
            writing = Writing(
                self.run, given, quoted.retrieval_quality, self.lease.stop, tokens.add
            )
            checked = writing.write()
        except BudgetExhausted as error:
            self.warnings.append(f"budget_exhausted: {error.message} The answer is quoted instead.")
            return self._warned(quoted)
        except ModelCallFailed as error:
            self.warnings.append(f"{error.message} The answer is quoted instead.")
            return self._warned(quoted)
        except AnswerRejected as error:
            return Outcome(fallback(error, quality=quoted.retrieval_quality))
        finally:
            tokens.flush()
        answer = checked.answer
        if not answer.claims:
            return self._warned(quoted)
        warnings = (*self.warnings, *answer.warnings)
        return Outcome(answer.model_copy(update={"warnings": warnings}), checked.reasons)

    def _warned(self, quoted: FinalAnswer) -> Outcome:
        return Outcome(quoted.model_copy(update={"warnings": tuple(self.warnings)}))

    def _send(self, answer: FinalAnswer, found: Evidence) -> None:
        """The text of an answer that is ready, piece by piece with the corpora of each."""
        if events.TOKEN in self.seen:
            return
        chunk_of = {citation.id: citation.chunk_id for citation in answer.citations}
        nearest = found.corpora if not answer.claims else frozenset()
        entries = [
            log.Entry(
                events.TOKEN,
                {"text": text, "checked": True},
                found.corpora_of(chunk_of[number] for number in cited) or nearest,
            )
            for text, cited in pieces(answer)
        ]
        self._append(entries)

    def _keep(self, found: Evidence, outcome: Outcome) -> None:
        """Answer, last events and status in one transaction."""
        run, answer = self.run, outcome.answer
        run.cost_microusd = budgets.spent_on_run(run.public_id)
        run.timings = run.timings | {"stages": self.stages}
        cited = found.corpora_of(citation.chunk_id for citation in answer.citations)
        payload = answers.final_payload(answer, found, outcome.checks, bare=BARE)
        with transaction.atomic():
            gone = dropping.going(found.hits.values())
            locked = _locked(run, self.lease)
            answers.store(run, answer, found, outcome.checks)
            meter = {"cost_usd": run.cost_microusd / 1e6}
            final = log.Entry(events.FINAL, payload, cited if answer.claims else found.corpora)
            log.write(locked, [log.Entry(events.METER, meter), final])
            dropping.take_out(run.pk, gone)
            status = "abstained" if answer.mode == "abstained" else "done"
            _close(locked, run, status)

    def _check_stop(self) -> None:
        if self.lease.stop.is_set():
            raise RunStopped("Stopped by request.")

    def _write(self, kind: str, payload: dict[str, object], corpora: frozenset[int]) -> None:
        self._append([log.Entry(kind, payload, corpora)])

    def _append(self, entries: Sequence[log.Entry]) -> None:
        if entries:
            log.append(self.run.pk, entries, token=self.lease.token)


class _Tokens:
    """Letters of a model's answer on their way into events."""

    def __init__(self, asking: _Asking, corpora: frozenset[int]) -> None:
        self._asking, self._corpora = asking, corpora
        self._text = ""
        self._since = time.monotonic()
        self._muted = events.TOKEN in asking.seen

    def add(self, text: str) -> None:
        """Keep the letters, and write them when enough time has passed."""
        self._text += text
        if time.monotonic() - self._since >= FLUSH_S:
            self.flush()

    def flush(self) -> None:
        """Write what is kept."""
        self._since = time.monotonic()
        text, self._text = self._text, ""
        if text and not self._muted:
            payload: dict[str, object] = {"text": text, "checked": False}
            self._asking._write(events.TOKEN, payload, self._corpora)


def _end(run: Run, lease: Lease, status: str, reason: str, *, code: str = "") -> None:
    """Close a run that did not come to an answer."""
    run.cost_microusd = budgets.spent_on_run(run.public_id)
    with transaction.atomic():
        locked = _locked(run, lease)
        _close(locked, run, status, reason, code=code)


def _close(locked: Run, run: Run, status: str, reason: str = "", *, code: str = "") -> None:
    locked.timings, locked.versions = run.timings, run.versions
    locked.cost_microusd = run.cost_microusd
    runs.close(locked, status, reason, error_code=code)


def _locked(run: Run, lease: Lease) -> Run:
    """The run's row, locked. Raises LeaseLost when another worker has it."""
    locked = Run.objects.select_for_update().get(pk=run.pk)
    if locked.token != lease.token or locked.ended:
        raise LeaseLost("The run was given to another worker.")
    return locked


def _ms(began: float) -> float:
    return round((time.monotonic() - began) * 1000, 2)
