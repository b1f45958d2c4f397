"""Put an installation together: folders, secrets, ports, servers, and the plan to run them."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

from flux_site.runtime import parts, ports, postgres, privileges, processes
from flux_site.runtime.launchers import Nursery
from flux_site.runtime.parts import Part
from flux_site.runtime.state import ROOT, Installation, StateFolder, part_environment
from flux_site.runtime.supervisor import Plan, Preparation

USUAL_PORT = 8000


class Refused(Exception):
    """What was asked for cannot be done; the message says why."""


def open_installation(folder: StateFolder, *, wants_empty: bool) -> Installation:
    """Load or found the installation and take over what the environment says.

    An installation founded with `--empty` stays without a demo corpus at later starts.
    """
    is_new = not folder.runtime_file.exists()
    folder.make()
    try:
        installation = Installation.load(folder)
    except ValueError as damage:
        raise Refused(str(damage)) from damage
    if is_new:
        installation.is_empty = wants_empty
    installation.outside_database_url = os.environ.get("DATABASE_URL", "")
    installation.outside_redis_url = os.environ.get("REDIS_URL", "")
    chosen = os.environ.get("DJANGO_SETTINGS_MODULE")
    installation.settings_module = chosen or "flux_site.settings.dev"
    installation.save(folder)
    return installation


def server_parts(
    installation: Installation, folder: StateFolder, *, is_durable: bool = True
) -> list[Part]:
    """PostgreSQL and Valkey, each unless the operator has named one; the cluster is made here."""
    servers = []
    if not installation.outside_database_url:
        found = privileges.find(
            installation.privileges, binary=postgres.binary("postgres"), folder=folder.path
        )
        if not Path(installation.socket_dir).is_dir() or not installation.socket_dir:
            installation.socket_dir = str(folder.socket_dir())
        found.own(Path(installation.socket_dir))
        installation.privileges = found.mode
        installation.database_port = ports.choose(installation.database_port)
        installation.save(folder)
        postgres.make_cluster(folder, found, installation.database_password)
        servers.append(parts.postgres_part(installation, folder, found, is_durable=is_durable))
    if not installation.outside_redis_url:
        installation.valkey_port = ports.choose(installation.valkey_port)
        installation.save(folder)
        servers.append(parts.valkey_part(installation, folder))
    return servers


def hold_web(installation: Installation, folder: StateFolder, wish: int | None) -> socket.socket:
    """Hold the port of the pages: the wished one, else the one of last time, else a free one.

    Raises: Refused when the wished port is taken.
    """
    if wish is not None:
        try:
            held = ports.hold(wish)
        except (OSError, OverflowError) as taken:
            raise Refused(f"Port {wish} cannot be used: {taken}") from taken
    else:
        held = _first_held(installation.web_port, USUAL_PORT)
    installation.web_port = held.getsockname()[1]
    installation.save(folder)
    return held


def _first_held(*wishes: int) -> socket.socket:
    for wish in (*wishes, 0, 0, 0):
        try:
            return ports.hold(wish or ports.choose())
        except OSError:
            continue
    raise Refused("No free port was found for the pages.")


def make_plan(installation: Installation, folder: StateFolder, web_socket: socket.socket) -> Plan:
    """The whole of Flux on this machine."""
    servers = server_parts(installation, folder)
    return Plan(
        url=installation.url,
        servers=servers,
        nursery=make_nursery(installation, folder, web_socket),
        preparation=lambda: preparation(installation, folder),
        application=lambda: parts.application_parts(installation, folder, web_socket),
    )


def make_nursery(
    installation: Installation, folder: StateFolder, web_socket: socket.socket
) -> Nursery | None:
    """What the Python parts are forked from; FLUX_NURSERY=0 starts each by itself instead."""
    if not processes.is_linux() or os.environ.get("FLUX_NURSERY") == "0":
        return None
    return Nursery(
        lambda: part_environment(installation, folder, os.environ),
        folder.log_file("nursery"),
        handed_down=(web_socket.fileno(),),
    )


def preparation(installation: Installation, folder: StateFolder) -> Preparation:
    """Bring schema, encoder and first admin up to date (`manage.py prepare`)."""
    command = [*manage(), "prepare", *(["--empty"] if installation.is_empty else [])]
    return Preparation(tuple(command), part_environment(installation, folder, os.environ))


def manage() -> list[str]:
    """The beginning of a Django command."""
    return [sys.executable, str(ROOT / "manage.py")]
