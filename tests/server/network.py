"""Hosts of a network that the tests make: a network namespace each, joined by two switches.

Each namespace lives with a process that ends with the tests, so nothing is left behind, however
they end; and nothing of it is seen from the namespace in which everything else runs.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Final, Self

import pytest

FRONT: Final = "198.18.0"
"""Where clients, proxy and nodes meet."""

BACK: Final = "198.19.0"
"""Where nodes and database meet."""

NEW_NETWORK: Final = 0x40000000
"""What `setns` calls a network namespace."""


class Host:
    """A namespace with nothing in it but itself."""

    def __init__(self) -> None:
        self._life = subprocess.Popen(
            ["unshare", "--net", "--", "cat"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self._life.stdin is not None
        assert self._life.stdout is not None
        try:
            self._life.stdin.write(b"\n")
            self._life.stdin.flush()
            there = self._life.stdout.readline()
        except BrokenPipeError:
            there = b""
        if not there:
            self.end()
            pytest.skip("The rights to make network namespaces are lacking here.")
        self.run("ip", "link", "set", "lo", "up")

    @property
    def pid(self) -> int:
        """The process with which the namespace lives."""
        return self._life.pid

    @property
    def inside(self) -> list[str]:
        """What comes before a command that is to run there."""
        return ["nsenter", f"--net=/proc/{self.pid}/ns/net", "--"]

    def run(self, *command: str) -> str:
        """Runs it there; what it has printed."""
        done = subprocess.run([*self.inside, *command], capture_output=True, text=True)
        assert done.returncode == 0, (command, done.stderr)
        return done.stdout

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Meanwhile what this thread opens and starts is there."""
        with open("/proc/thread-self/ns/net") as before:
            self._enter(f"/proc/{self.pid}/ns/net")
            try:
                yield
            finally:
                self._enter(f"/proc/self/fd/{before.fileno()}")

    def _enter(self, path: str) -> None:
        namespace = os.open(path, os.O_RDONLY)
        try:
            if ctypes.CDLL(None, use_errno=True).setns(namespace, NEW_NETWORK):
                raise OSError(ctypes.get_errno(), "setns")
        finally:
            os.close(namespace)

    def end(self) -> None:
        """Takes it away, once nothing runs there any more."""
        self._life.kill()
        self._life.communicate()


class Network:
    """Hosts by name, at a switch in front, at one at the back, or at both.

    Args:
        front: names of those that have the addresses `FRONT.1`, `FRONT.2`, …
        back: likewise.
    """

    def __init__(self, front: Sequence[str], back: Sequence[str]) -> None:
        self._stack = ExitStack()
        self._places = {
            switch: {name: number for number, name in enumerate(names, 1)}
            for switch, names in ((FRONT, front), (BACK, back))
        }
        with self._stack:
            self._switch = self._host()
            self.hosts = {name: self._host() for name in dict.fromkeys((*front, *back))}
            for switch, places in self._places.items():
                self._switch.run("ip", "link", "add", _bridge(switch), "type", "bridge")
                self._switch.run("ip", "link", "set", _bridge(switch), "up")
                for name in places:
                    self._plug_in(name, switch)
            self._stack = self._stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def address(self, name: str, switch: str = FRONT) -> str:
        """Of a host at a switch."""
        return f"{switch}.{self._places[switch][name]}"

    def cut(self, name: str, switch: str) -> None:
        """From now on nothing comes through between host and switch, and neither is told."""
        self._switch.run("ip", "link", "set", _port(name, switch), "nomaster")

    def mend(self, name: str, switch: str) -> None:
        """Lets everything through again."""
        self._switch.run("ip", "link", "set", _port(name, switch), "master", _bridge(switch))

    def _host(self) -> Host:
        host = Host()
        self._stack.callback(host.end)
        return host

    def _plug_in(self, name: str, switch: str) -> None:
        """A cable to the switch.

        All know each other's hardware from the beginning: where one is cut off, the others find
        that out by silence alone, as behind a router.
        """
        host, port, device = self.hosts[name], _port(name, switch), _bridge(switch)
        own = self._places[switch][name]
        pair = f"ip link add {port} type veth peer name {device} netns {host.pid}"
        self._switch.run(*pair.split(), "address", _hardware(switch, own))
        self._switch.run("ip", "link", "set", port, "master", _bridge(switch), "up")
        host.run("ip", "address", "add", f"{switch}.{own}/24", "dev", device)
        host.run("ip", "link", "set", device, "up")
        for other in self._places[switch].values():
            if other != own:
                known = f"{switch}.{other} lladdr {_hardware(switch, other)} nud permanent"
                host.run("ip", "neighbour", "add", *known.split(), "dev", device)


def _bridge(switch: str) -> str:
    return {FRONT: "front", BACK: "back"}[switch]


def _port(name: str, switch: str) -> str:
    return f"{name}-{_bridge(switch)}"


def _hardware(switch: str, number: int) -> str:
    return f"02:00:00:00:{switch.split('.')[1]}:{number:02x}"
