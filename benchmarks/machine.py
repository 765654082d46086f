"""Facts about the machine: its cores, its processes, and its disk."""

from __future__ import annotations

import os
import platform
import tempfile
from contextlib import suppress
from pathlib import Path
from statistics import quantiles
from time import perf_counter, sleep


def described() -> str:
    """The machine's cores, in words."""
    model = platform.machine()
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
    return f"{os.cpu_count()} shared cores of {model}"


def family(pid: int) -> list[int]:
    """A process and all its descendants."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with suppress(OSError):
                parents[int(folder.name)] = int(_fields(int(folder.name))[1])
    found = [pid]
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found


def resident(pid: int) -> int:
    """Bytes of memory that belong to a process."""
    status = Path(f"/proc/{pid}/statm").read_text().split()
    return int(status[1]) * os.sysconf("SC_PAGE_SIZE")


def processor(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = _fields(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _fields(pid: int) -> list[str]:
    """Fields of /proc/PID/stat, after the name."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def flushes(seconds: float) -> str:
    """Times of small writes to the disk, as a phrase; every play has to wait for one."""
    taken, end = list[float](), perf_counter() + seconds
    with tempfile.TemporaryFile() as file:
        while perf_counter() < end:
            begun = perf_counter()
            os.pwrite(file.fileno(), os.urandom(8192), 0)
            os.fdatasync(file.fileno())
            taken.append(1000 * (perf_counter() - begun))
            sleep(0.005)
    cuts = quantiles(taken, n=100, method="inclusive")
    middle, late, most = cuts[49], cuts[98], max(taken)
    return f"median {middle:.1f} ms, 99 in 100 within {late:.0f} ms, at most {most:.0f} ms"
