"""Live sources as this installation asks them: its addresses, keys, contact and words."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from corpus.management.commands.ingest import Command, request_of
from corpus.services import fetching
from corpus.sources.fetching import Request
from flux_site.kernel.errors import InvalidInput, NotAllowed
from flux_site.kernel.http import Blocked
from tests.support.replay import ReplayServer
from tests.support.upstreams import Entrez, OpenAlex

ROOT = Path(__file__).parents[3]


@pytest.fixture
def server() -> Iterator[ReplayServer]:
    with ReplayServer() as running:
        yield running


@pytest.fixture(autouse=True)
def installation(server: ReplayServer, settings: Any) -> Any:
    """All sources lie on the loopback server, which has to be allowed; no Redis."""
    settings.SOURCE_URLS = dict.fromkeys(fetching.LIVE, server.url)
    settings.HTTP_ALLOW_LOOPBACK = True
    settings.REDIS_URL = ""
    fetching._quota.cache_clear()
    return settings


def fetched(
    source: str, request: Request, tell: Callable[[str], None] = lambda note: None
) -> Iterator[tuple[str, bytes]]:
    """Files of a source, from its first page on."""
    return ((page.name, page.data) for page in fetching.client_for(source)(request, None, tell))


def test_files_come_as_uploads_take_them(server):
    server.script = Entrez({1: date(2020, 1, 1), 2: date(2020, 1, 1)})

    files = list(fetched("pubmed", Request(ids=("1", "2"))))

    assert [name for name, _ in files] == ["pubmed-ids-00001.xml"]
    assert b"<PMID>2</PMID>" in files[0][1]


def test_what_is_left_out_is_told(server):
    server.script = Entrez({1: date(2020, 1, 1)})
    notes: list[str] = []

    list(fetched("pubmed", Request(ids=("1", "7")), tell=notes.append))

    assert notes == ["PubMed has 1 of the 2 records asked for; the other ids are unknown."]


def test_keys_and_the_contact_reach_the_source(server, installation):
    installation.SOURCE_CONTACT = "team@lab.example"
    installation.OPENALEX_API_KEY = "open-key"
    server.script = OpenAlex(count=1)

    list(fetched("openalex", Request(query="stat3")))

    (asked,) = server.asked
    assert asked.params["api_key"] == "open-key"
    assert asked.params["mailto"] == "team@lab.example"
    agent = f"Flux/{installation.VERSION} (mailto:team@lab.example)"
    assert asked.headers["user-agent"] == agent


def test_a_contact_that_is_an_address_of_the_web_is_no_email(server, installation):
    installation.SOURCE_CONTACT = "https://lab.example/@flux\r\nX: y"
    installation.NCBI_API_KEY = "ncbi-key"
    server.script = Entrez({1: date(2020, 1, 1)})

    list(fetched("pubmed", Request(ids=("1",))))

    (asked,) = server.asked
    assert asked.params["api_key"] == "ncbi-key"
    assert "email" not in asked.params
    assert asked.headers["user-agent"].endswith(" (https://lab.example/@fluxX: y)")


def test_a_key_lifts_the_rate_of_pubmed(installation):
    slow = fetching._live("pubmed").policy.per_second
    installation.NCBI_API_KEY = "ncbi-key"

    assert (slow, fetching._live("pubmed").policy.per_second) == (3.0, 10.0)


def test_kegg_needs_the_setting(server):
    with pytest.raises(NotAllowed, match="KEGG_LICENSED"):
        list(fetched("kegg", Request(query="pathway/hsa")))

    assert server.asked == []


def test_without_the_setting_for_tests_the_loopback_address_is_closed(server, installation):
    installation.HTTP_ALLOW_LOOPBACK = False

    with pytest.raises(Blocked):
        list(fetched("pubmed", Request(ids=("1",))))

    assert server.asked == []


def test_a_source_without_a_client_says_which_have_one():
    with pytest.raises(InvalidInput, match="pdf cannot be fetched live, only kegg, openalex"):
        fetching.client_for("pdf")


def test_addresses_left_empty_are_those_of_the_services(installation):
    installation.SOURCE_URLS = dict.fromkeys(fetching.LIVE, "")

    found = {name: fetching._live(name).policy for name in fetching.LIVE}

    assert {name: policy.name for name, policy in found.items()} == {n: n for n in fetching.LIVE}
    assert all(policy.base_url.startswith("https://") for policy in found.values())


# As people write it


def test_ids_are_apart_by_commas_or_blanks():
    asked = fetching.request_for(ids="1, 2,3 4\n5;6")

    assert asked == Request(ids=("1", "2", "3", "4", "5", "6"))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "Give either ids or a query"),
        ({"ids": "1", "query": "x"}, "Give either ids or a query"),
        ({"ids": " , "}, "Give either ids or a query"),
        ({"query": "x", "limit": 0}, "from 1 to"),
        ({"query": "x", "since": "March"}, "2026-03-31"),
        ({"ids": "1", "since": "2026-01-01"}, "narrows a query"),
    ],
)
def test_what_cannot_be_asked_is_told(given, message):
    with pytest.raises(InvalidInput, match=message):
        fetching.request_for(**given)


def options(*words: str) -> dict[str, Any]:
    parser = Command().create_parser("flux", "ingest")
    return vars(parser.parse_args(["pubmed", "--corpus", "c", *words]))


def test_the_command_asks_for_ids_or_a_query():
    assert request_of(options("--ids", "1,2", "3")) == Request(ids=("1", "2", "3"))
    assert request_of(options("--query", "stat3", "--limit", "5")) == Request(
        query="stat3", limit=5
    )


def test_the_command_asks_nobody_for_files():
    assert request_of(options("--from", "a.xml")) is None


@pytest.mark.parametrize("extra", [["--limit", "3"], ["--since", "2026-01-01"]])
def test_the_command_refuses_to_narrow_files(extra):
    with pytest.raises(InvalidInput, match="not files"):
        request_of(options("--from", "a.xml", *extra))


@pytest.mark.parametrize(
    "words", [[], ["--from", "x", "--query", "y"], ["--ids", "1", "--query", "y"], ["--limit", "1"]]
)
def test_the_command_wants_exactly_one_of_files_query_and_ids(words, capsys):
    with pytest.raises(SystemExit) as left:
        options(*words)

    assert left.value.code == 2
    assert "--query" in capsys.readouterr().err


# A setting for tests that no deployment has by accident


@pytest.mark.parametrize(("allowed", "starts"), [("yes", False), ("no", True), (None, True)])
def test_production_refuses_to_start_with_loopback_open(allowed, starts):
    environment = os.environ | {"SECRET_KEY": "x" * 40, "ALLOWED_HOSTS": "flux.example"}
    environment.pop("FLUX_HTTP_ALLOW_LOOPBACK", None)
    if allowed:
        environment["FLUX_HTTP_ALLOW_LOOPBACK"] = allowed

    ran = subprocess.run(
        [sys.executable, "-c", "import flux_site.settings.prod"],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )

    assert (ran.returncode == 0) is starts, ran.stderr
    if not starts:
        assert "FLUX_HTTP_ALLOW_LOOPBACK is for tests" in ran.stderr
