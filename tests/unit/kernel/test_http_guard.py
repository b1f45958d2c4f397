"""No request of ours reaches an address that is not public, or a host that is not the source's."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from flux_site.kernel.http import Blocked, Client, Policy, Quota, SourceRefused
from flux_site.kernel.http.guard import is_public, resolve
from tests.support.replay import QUICK, ReplayServer, client_for, moved, policy_for, said

SOURCE = Policy(
    "s", "The source", "https://api.source.example/v1", hosts=frozenset({"cdn.example"})
)


@pytest.fixture
def server() -> Iterator[ReplayServer]:
    with ReplayServer(lambda asked: said({})) as running:
        yield running


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.9.9.9", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "192.168.1.1"),
        *("169.254.169.254", "100.64.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1"),
        *("255.255.255.255", "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254"),
        *("fec0::1", "ff02::1", "2001:db8::1", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::8.8.8.8"),
        *("64:ff9b::808:808", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2001::1"),
        *("::ffff:0:808:808", "no address", "2130706433", ""),
    ],
)
def test_what_is_not_out_on_the_internet_is_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "130.14.29.110", "2607:f220:41e::1", "1.1.1.1"])
def test_addresses_of_the_internet_are_public(address):
    assert is_public(address)


def test_other_spellings_of_the_loopback_address_resolve_to_it():
    assert resolve("2130706433", 80) == resolve("0x7f.1", 80) == ["127.0.0.1"]


@pytest.mark.parametrize(
    "url",
    [
        "https://api.source.example/v1/x",
        "https://api.source.example:443/x",
        "https://API.Source.example/x",
        "https://cdn.example/x",
    ],
)
def test_the_hosts_of_a_source_are_admitted(url):
    SOURCE.admit(httpx.URL(url))


@pytest.mark.parametrize(
    "url",
    [
        "https://other.example/x",
        "https://api.source.example.evil.example/x",
        "https://sub.api.source.example/x",
        "https://api.source.example:8443/x",
        "https://cdn.example:8443/x",
        "http://api.source.example/x",
        "https://api.source.example@evil.example/x",
        "https://key:word@api.source.example/x",
        "ftp://api.source.example/x",
        "file:///etc/passwd",
        "gopher://api.source.example/x",
        "/x",
        "https://169.254.169.254/latest/meta-data",
        "https://2130706433/",
        "https://[::1]/",
        "https://localhost/",
    ],
)
def test_anything_else_is_blocked(url):
    with pytest.raises(Blocked) as blocked:
        SOURCE.admit(httpx.URL(url))

    assert "not part of this source" in blocked.value.message


def test_a_port_of_its_own_belongs_to_the_base_only():
    mirror = Policy("m", "A mirror", "http://mirror.example:8080/v1")

    mirror.admit(httpx.URL("http://mirror.example:8080/x"))
    mirror.admit(httpx.URL("https://mirror.example/x"))
    with pytest.raises(Blocked):
        mirror.admit(httpx.URL("http://mirror.example:8081/x"))


@pytest.mark.parametrize(
    "location",
    [
        "http://169.254.169.254/latest/meta-data",
        "http://10.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://localhost/",
        "http://2130706433/",
        "//0.0.0.0/",
        "file:///etc/passwd",
    ],
)
def test_a_redirect_to_a_private_address_is_blocked(server, location):
    server.then(moved(location))

    with client_for(server) as client, pytest.raises(Blocked):
        client.get("x")

    assert server.paths == ["/x"]


@pytest.mark.parametrize(
    "host", ["169.254.169.254", "10.0.0.1", "::1", "localhost", "2130706433", "127.0.0.1"]
)
def test_even_an_allowed_host_is_blocked_when_it_is_not_public(host):
    url = httpx.URL(f"http://{'[::1]' if host == '::1' else host}/")
    changes = {"name": "p", "label": "P", "base_url": str(url), "allow_loopback": False}

    with (
        Client(Policy(**(QUICK | changes)), Quota()) as client,
        pytest.raises(Blocked, match="not a public address"),
    ):
        client.get("")


def test_loopback_opens_for_the_port_of_the_base_only(server):
    with ReplayServer(lambda asked: said({})) as neighbour:
        server.then(moved(neighbour.url), moved(f"http://localhost:{server.port}/"))
        with client_for(server, hosts=frozenset({"localhost"})) as client:
            for _ in range(2):
                with pytest.raises(Blocked):
                    client.get("x")

        assert neighbour.asked == []


def test_loopback_does_not_open_for_a_name_that_is_not_its_own(server):
    with (
        client_for(
            server,
            base_url=f"http://source.example:{server.port}",
            resolve=lambda host, port: ["127.0.0.1"],
        ) as client,
        pytest.raises(Blocked, match=r"source\.example points to 127\.0\.0\.1"),
    ):
        client.get("x")

    assert server.asked == []


def test_one_private_address_among_public_ones_is_enough_to_block():
    policy = Policy("p", "P", "https://source.example", tries=1)
    mixed = Client(policy, Quota(), resolve=lambda host, port: ["8.8.8.8", "10.0.0.1"])

    with mixed as client, pytest.raises(Blocked, match=r"points to 10\.0\.0\.1"):
        client.get("x")


def test_a_name_is_resolved_once_and_the_connection_goes_to_what_was_checked(server):
    """A second answer (the private address of a rebinding name) is never asked for."""
    answers = [["127.0.0.1"], ["10.0.0.1"]]
    asked = []

    def rebinding(host, port):
        asked.append(host)
        return answers[len(asked) - 1]

    policy = policy_for(server, base_url=f"http://localhost:{server.port}")
    with Client(policy, Quota(), resolve=rebinding) as client:
        client.get("x")

    assert asked == ["localhost"]
    assert server.asked[0].headers["host"] == f"localhost:{server.port}"


# TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for `localhost` and its key, signed by itself, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return path


@pytest.fixture
def over_tls(certificate: Path) -> Iterator[ReplayServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with ReplayServer(lambda asked: said({}), tls=context) as running:
        yield running


def test_a_pinned_address_keeps_the_name_of_its_certificate(over_tls, certificate):
    trusting = ssl.create_default_context(cafile=certificate)
    policy = policy_for(over_tls, base_url=f"https://localhost:{over_tls.port}")

    with Client(policy, Quota(), ssl_context=trusting) as client:
        assert client.get("x").status == 200


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_an_unknown_certificate_or_a_wrong_name_is_refused(over_tls, certificate, host):
    context = None if host == "localhost" else ssl.create_default_context(cafile=certificate)
    policy = policy_for(over_tls, base_url=f"https://{host}:{over_tls.port}")

    with (
        Client(policy, Quota(), ssl_context=context) as client,
        pytest.raises(SourceRefused, match="certificate"),
    ):
        client.get("x")

    assert over_tls.asked == []
