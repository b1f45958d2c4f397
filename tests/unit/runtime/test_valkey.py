"""PING by hand, against a server on the loopback address."""

import socketserver
import threading

import pytest

from flux_site.runtime import valkey
from flux_site.runtime.state import StateFolder


class Answering(socketserver.StreamRequestHandler):
    """Answers AUTH and PING as Valkey does for the password `secret`."""

    def handle(self):
        may_ask = False
        while header := self.rfile.readline():
            words = [self._word() for _ in range(int(header[1:]))]
            if words[0] == b"AUTH":
                may_ask = words[-1] == b"secret"
                self.wfile.write(b"+OK\r\n" if may_ask else b"-WRONGPASS\r\n")
            else:
                self.wfile.write(b"+PONG\r\n" if may_ask else b"-NOAUTH\r\n")

    def _word(self):
        length = int(self.rfile.readline()[1:])
        return self.rfile.read(length + 2)[:-2]


@pytest.fixture
def port():
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answering) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_the_right_password_gets_an_answer(port):
    assert valkey.answers(f"redis://:secret@127.0.0.1:{port}/0")


@pytest.mark.parametrize("credentials", ["", ":wrong@"])
def test_a_refusal_is_no_answer(port, credentials):
    assert not valkey.answers(f"redis://{credentials}127.0.0.1:{port}/0")


def test_nobody_listening_is_no_answer():
    assert not valkey.answers("redis://:secret@127.0.0.1:1/0")


def test_queues_are_durable_private_and_never_evicted(tmp_path):
    folder = StateFolder(tmp_path)
    folder.make()
    path = valkey.configure(folder, port=12345, password="secret")
    lines = path.read_text().splitlines()
    assert {"bind 127.0.0.1", "port 12345", "requirepass secret", "appendonly yes"} <= set(lines)
    assert {"appendfsync everysec", "maxmemory-policy noeviction"} <= set(lines)
    assert path.stat().st_mode & 0o077 == 0
