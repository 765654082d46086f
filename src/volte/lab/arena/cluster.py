"""Chunks of work done by the workers of a Dask cluster."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from volte.cards import Fault
from volte.lab.arena.elsewhere import Came, Chunk, News, Work, done_by

PATIENCE: Final = 5
"""Seconds until a scheduler that does not answer counts as out of reach."""


def on_cluster(work: Work[Chunk, Came], address: str, news: News) -> Iterator[tuple[Chunk, Came]]:
    """Each chunk with what came of it, as they are done; for `from_a_thread`.

    The scheduler gives the chunks of a lost worker to the others, and waits while there is none.

    Args:
        address: of the scheduler, as `tcp://192.0.2.1:8786`.

    Raises `Fault` `no_cluster_extra` where Dask is not installed, `cluster_unreachable`,
    `cluster_differs` where the scheduler or a worker has not this version of Volte, and
    `cluster_lost` for a scheduler that goes, or a chunk that worker after worker is lost with.
    """
    dask = _dask()
    with _quiet(), _client(dask, address) as client:
        _check_versions(client, address)
        lost = (CancelledError, dask.comm.CommClosedError, dask.KilledWorker)
        try:
            submit = partial(client.submit, pure=False)
            yield from done_by(submit, work, work.chunks, sum(client.ncores().values()), news)
        except lost:
            raise Fault("cluster_lost", address=address) from None


def _dask() -> Any:
    try:
        return import_module("distributed")
    except ImportError:
        raise Fault("no_cluster_extra") from None


def _client(dask: Any, address: str) -> Any:
    try:
        asyncio.run(asyncio.wait_for(_greet(dask, address), PATIENCE + 1))
        return dask.Client(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:  # of any kind, for an address that is none
        why = str(error) or "it does not answer"
        raise Fault("cluster_unreachable", address=address, why=why) from None


async def _greet(dask: Any, address: str) -> None:
    """Unlike a client that cannot connect, this leaves nothing behind that complains later."""
    secured = dask.Security().get_connection_args("client")
    connection = await dask.comm.connect(address, timeout=PATIENCE, **secured)
    await connection.close()


def _check_versions(client: Any, address: str) -> None:
    """A worker without Volte would end at its first chunk, and one after the other with it."""
    mine = version("volte")
    try:
        theirs = {client.run_on_scheduler(version, "volte")}
        theirs.update(client.run(version, "volte").values())
    except PackageNotFoundError:
        theirs = set()
    if theirs != {mine}:
        raise Fault("cluster_differs", address=address, version=mine)


@contextmanager
def _quiet() -> Iterator[None]:
    """Dask tells at length, on standard error, of a connection that is lost; our `Fault` does."""
    log = logging.getLogger("distributed.client")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(level)
