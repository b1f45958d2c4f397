"""Asking, the list of runs, the page of a run, stopping one."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Team
from accounts.types import Role
from accounts.web import spend
from accounts.web.formats import Choice, counted, money
from accounts.web.requests import SignedInRequest
from agent.models import Run
from agent.services import runs as services
from agent.types import MAX_QUESTION_CHARS, MODES
from agent.web import page, progress
from agent.web.examples import examples
from agent.web.forms import AskForm
from agent.web.runs import overseen_rows, run_rows
from corpus.models import Corpus, IngestJob
from corpus.web.jobs import job_rows
from corpus.web.links import corpus_url
from corpus.web.rows import LIVE, ambiguous_slugs, corpora_of, corpus_names
from flux_site.kernel.errors import InvalidInput

RECENT = 6
A_PAGE = 50
SHOWN_JOBS = 3


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: SignedInRequest) -> HttpResponse:
    """The composer; a question that is sent becomes a run."""
    corpora = corpora_of(request.user)
    names = corpus_names(corpora)
    if request.method != "POST":
        return _ask_page(request, corpora, _fresh(request, list(names.values())))
    form = AskForm(list(names.values()), request.POST)
    if form.is_valid():
        try:
            run = _start(request, form, len(corpora))
        except InvalidInput as error:
            form.add_error("question", error.message)
        else:
            return HttpResponseRedirect(reverse("agent:run", args=[run.public_id]))
    return _ask_page(request, corpora, form, status=422)


def _fresh(request: SignedInRequest, names: Sequence[str]) -> AskForm:
    """An empty form, with what the address carries over."""
    asked = [name for name in request.GET.getlist("corpora") if name in names]
    question = request.GET.get("question", "").replace("\x00", "")[:MAX_QUESTION_CHARS]
    initial = {"question": question, "corpora": asked or list(names), "key": uuid.uuid4()}
    return AskForm(names, initial=initial)


def _start(request: SignedInRequest, form: AskForm, readable: int) -> Run:
    chosen = form.cleaned_data["corpora"]
    key = form.cleaned_data["key"]
    return services.start_run(
        request.user,
        form.cleaned_data["question"],
        corpora=None if len(chosen) == readable else chosen,
        mode=form.cleaned_data["mode"],
        idempotency_key=f"page:{key}" if key else "",
    )


def _ask_page(
    request: SignedInRequest, corpora: Sequence[Corpus], form: AskForm, status: int = 200
) -> HttpResponse:
    mine = Run.objects.visible_to(request.user).filter(user=request.user)
    chosen = form["corpora"].value() or []
    spent = spend.spend_of(request.user)
    jobs = IngestJob.objects.visible_to(request.user).filter(state__in=LIVE)
    context = {
        "nav": "ask",
        "crumbs": [{"label": "Ask"}],
        "form": form,
        "modes": [{"value": mode, "label": mode.capitalize()} for mode in MODES],
        "chosen_mode": form["mode"].value() or MODES[0],
        "max_question": MAX_QUESTION_CHARS,
        "corpora": _corpus_choices(corpora, chosen),
        "corpora_label": counted(len(chosen), "corpus", "corpora"),
        "cost": _cost(spent),
        "exhausted": _exhausted(spent),
        "examples": examples(request.user, corpora),
        "runs": run_rows(list(mine.select_related("user")[:RECENT]), request.user),
        "sources": _sources(corpora),
        "jobs": job_rows(list(jobs.select_related("corpus__team")[:SHOWN_JOBS]), request.user),
    }
    return render(request, "agent/ask.html", context, status=status)


def _corpus_choices(corpora: Sequence[Corpus], chosen: Sequence[str]) -> list[dict[str, Any]]:
    names = corpus_names(corpora)
    return [
        {
            "value": names[corpus.pk],
            "name": corpus.name,
            "hint": counted(corpus.document_count, "document"),
            "chosen": names[corpus.pk] in chosen,
        }
        for corpus in corpora
    ]


def _cost(spent: spend.Spend) -> str:
    if not settings.ANTHROPIC_API_KEY:
        return "Free: made of your sources' own sentences"
    left = max(spent.cap_microusd - spent.today, 0)
    return f"Answered by a model; {money(left)} left today"


def _exhausted(spent: spend.Spend) -> str:
    if not settings.ANTHROPIC_API_KEY or spent.today < spent.cap_microusd:
        return ""
    return f"It starts again at {spend.renewal():%H:%M} UTC."


def _sources(corpora: Sequence[Corpus]) -> list[dict[str, str]]:
    doubles = ambiguous_slugs(corpora)
    return [
        {
            "url": corpus_url(corpus, ambiguous=corpus.slug in doubles),
            "name": corpus.name,
            "documents": counted(corpus.document_count, "document"),
        }
        for corpus in corpora
    ]


@login_required
@require_safe
def run_list(request: SignedInRequest) -> HttpResponse:
    """Runs: one's own, those shared, and for owners of a team that others' are under way."""
    scopes = _scopes(request)
    scope = request.GET.get("scope", "mine")
    if scope not in scopes:
        scope = "mine"
    shown = Paginator(_runs(request, scope), A_PAGE).get_page(request.GET.get("page"))
    found = list(shown.object_list)
    rows = overseen_rows(found) if scope == "team" else run_rows(found, request.user)
    context = {
        "nav": "runs",
        "crumbs": [{"label": "Runs"}],
        "runs": rows,
        "page": shown,
        "query": f"scope={scope}&",
        "scope": scope,
        "scopes": [Choice(value, label) for value, label in scopes.items()],
        "show_starter": scope != "mine",
        "show_stop": scope == "team",
    }
    return render(request, "agent/runs.html", context)


def _scopes(request: SignedInRequest) -> dict[str, str]:
    shared = Run.objects.visible_to(request.user).exclude(user=request.user)
    owned = Team.objects.filter(
        personal_of=None, memberships__user=request.user, memberships__role=Role.OWNER.value
    )
    scopes = {"mine": "Mine"}
    if shared.exists():
        scopes["shared"] = "Shared with me"
    if owned.exists():
        scopes["team"] = "Under way in my teams"
    return scopes


def _runs(request: SignedInRequest, scope: str) -> QuerySet[Run]:
    if scope == "team":
        return Run.objects.overseen_by(request.user).select_related("user")
    visible = Run.objects.visible_to(request.user).select_related("user")
    if scope == "shared":
        return visible.exclude(user=request.user)
    return visible.filter(user=request.user)


@login_required
@require_safe
def run_page(request: SignedInRequest, run: uuid.UUID) -> HttpResponse:
    """One run: its answer with the evidence, or how far it is."""
    found = services.find(run, request.user)
    seen = progress.read(found, request.user)
    context = {
        "nav": "runs",
        "crumbs": [
            {"label": "Runs", "url": reverse("agent:runs")},
            {"label": "Answer"},
        ],
    }
    return render(request, "agent/run.html", context | page.context(seen, request.user))


@login_required
@require_POST
def stop(request: SignedInRequest, run: uuid.UUID) -> HttpResponse:
    """Stop a run: its starter and the owners of its team may."""
    found = services.stop_run(run, request.user)
    messages.info(request, "The run is being stopped.")
    if Run.objects.visible_to(request.user).filter(pk=found.pk).exists():
        return HttpResponseRedirect(reverse("agent:run", args=[found.public_id]))
    return HttpResponseRedirect(f"{reverse('agent:runs')}?scope=team")
