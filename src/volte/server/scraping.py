"""The figures of a server, as Prometheus fetches them: of one process, or of all its workers."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Names the folder in which processes share their figures; prometheus-client reads it."""


@contextmanager
def shared_figures() -> Iterator[dict[str, str]]:
    """What to put into the environment of workers, so that each of them answers for all.

    The workers have to be programs of their own: what has counted already, counts alone.
    """
    folder = tempfile.mkdtemp(prefix="volte-metrics-")
    try:
        yield {VARIABLE: folder}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def figures_of_the_dead(process: int, environ: dict[str, str]) -> None:
    """Takes what a worker had at last, such as its tables, out of the sums; what it counted stays.

    Args:
        environ: from `shared_figures`.
    """
    from prometheus_client import multiprocess

    # Its annotations are missing in some versions.
    multiprocess.mark_process_dead(process, environ[VARIABLE])  # type: ignore[no-untyped-call]


def figures() -> bytes:
    """All of it, in the text format of Prometheus."""
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    from volte.server.metrics import REGISTRY

    if VARIABLE not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
