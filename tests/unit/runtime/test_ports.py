"""Ports that are kept, and chosen anew when somebody else has them."""

import pytest

from flux_site.runtime import ports


@pytest.fixture
def listener():
    with ports.bind(0) as bound:
        bound.listen()
        yield bound


def test_a_port_that_somebody_listens_on_is_not_free(listener):
    port = listener.getsockname()[1]
    assert not ports.is_free(port)
    assert ports.is_answered(port)


def test_a_port_is_free_again_when_its_server_has_gone(listener):
    port = listener.getsockname()[1]
    listener.close()
    assert ports.is_free(port)
    assert not ports.is_answered(port)


def test_the_kept_port_is_taken_when_it_is_free():
    with ports.bind(0) as bound:
        wish = bound.getsockname()[1]
    assert ports.choose(0, wish) == wish


def test_a_taken_port_is_replaced_by_one_out_of_the_way_of_outgoing_connections(listener):
    chosen = ports.choose(listener.getsockname()[1])
    assert ports.FIRST <= chosen <= ports.LAST
    assert ports.is_free(chosen)


@pytest.mark.parametrize("port", [-1, 65536])
def test_what_is_no_port_is_not_free(port):
    assert not ports.is_free(port)


def test_a_held_port_is_nobody_elses_before_its_server_runs():
    with ports.hold(0) as held, pytest.raises(OSError, match="in use"):
        ports.hold(held.getsockname()[1])
