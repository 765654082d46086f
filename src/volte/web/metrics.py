"""Metrics of the running server, for Prometheus: counts, times and gauges."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator, Mapping
from functools import cache
from time import monotonic, perf_counter
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from volte.store.trouble import Observer
from volte.table.thinking import ChoiceMade
from volte.web.logs import get_logger
from volte.web.tally import LIMITED, SLOWED
from volte.wire.messages import Answer

REGISTRY: Final = CollectorRegistry()  # our own metrics only, none of other libraries

QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
"""Upper bounds of the histogram buckets, in seconds."""


def _counter(name: str, meaning: str, *labels: str) -> Counter:
    return Counter(f"volte_{name}", meaning, labels, registry=REGISTRY)


def _seconds(name: str, meaning: str, *labels: str) -> Histogram:
    return Histogram(f"volte_{name}_seconds", meaning, labels, buckets=QUICK, registry=REGISTRY)


def _gauge(name: str, meaning: str) -> Gauge:
    return Gauge(f"volte_{name}", meaning, registry=REGISTRY)


def _tally(name: str, meaning: str, label: str, counts: Mapping[str, int]) -> None:
    """Register a counter of what is counted elsewhere."""

    class Tally(Collector):
        def collect(self) -> Iterator[Metric]:
            metric = CounterMetricFamily(f"volte_{name}", meaning, labels=[label])
            for value, count in counts.items():
                metric.add_metric([value], count)
            yield metric

    REGISTRY.register(Tally())


# Requests and connections
REQUESTS: Final = _counter("requests", "Requests that were answered", "route", "status")
REQUEST_SECONDS: Final = _seconds("request", "Until a request was answered", "route")
CONNECTIONS: Final = _gauge("connections", "Connections to tables that are open")
_tally("limited", "Refused since it was too much, by limit", "limit", LIMITED)
_tally("slowed", "Messages that had to wait, by whose budget was empty", "whose", SLOWED)
CLIENT_FAULTS: Final = _counter("client_faults", "What clients have sent wrongly, by kind", "kind")
SESSIONS: Final = _counter("sessions", "Sessions begun")
PUSHES: Final = _counter("pushes", "Messages to browsers, by what became of them", "outcome")

# Tables
TABLES: Final = _gauge("tables", "Tables that live in this node")
MATCHES: Final = _gauge("matches", "Matches under way at those tables")
ACTIONS: Final = _counter("actions", "Actions of people at tables", "outcome")
ACTION_SECONDS: Final = _seconds("action", "From an action until it was kept, told and answered")

# The store
STORE_SECONDS: Final = _seconds("store_write", "Until a group of writes was kept")
STORE_JOBS: Final = Histogram(
    "volte_store_write_jobs",
    "Writes that were kept in one transaction",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
    registry=REGISTRY,
)
STORE_FAILURES: Final = _counter("store_failures", "Times the database could not be used", "doing")

# Bots
THINKING: Final = _gauge("bots_thinking", "Bots that are thinking, also of a hint")
WAITING: Final = _gauge("bots_waiting", "Choices and hints that wait to be thought about")
BUDGET: Final = _gauge("bots_budget_seconds", "What a bot that searches would get for a choice now")
CHOICES: Final = _counter("bots_choices", "Choices of bots, by how they were made", "how")
CHOICE_WAIT: Final = _seconds("bots_choice_wait", "Until a bot could begin to think")
CHOICE_SECONDS: Final = _seconds("bots_choice", "What a bot thought for a choice", "level")
HINTS: Final = _counter("hints", "Hints that people were given, by how they were made", "how")
HINT_SECONDS: Final = _seconds("hint", "From the question for a hint until there was one")

# The process
LAG_SECONDS: Final = _seconds("loop_lag", "How late the loop of the server comes to what is due")
MEMORY: Final = _gauge("memory_bytes", "Memory that the process holds")
FILES: Final = _gauge("open_files", "Files and connections that the process has open")
STARTED: Final = _gauge("started_timestamp_seconds", "When the process began")


async def counted(doing: Awaitable[Answer]) -> Answer:
    """Wait for a table's answer to a person's command, and count it."""
    begun = perf_counter()
    answer = await doing
    if answer.ok:
        _DONE.inc()
        ACTION_SECONDS.observe(perf_counter() - begun)
    else:
        _REFUSED.inc()
    return answer


_DONE: Final = ACTIONS.labels("done")
_REFUSED: Final = ACTIONS.labels("refused")


def chosen(choice: ChoiceMade) -> None:
    """Count a choice of a bot, or a hint."""
    if choice.advice:
        HINTS.labels(choice.how).inc()
        HINT_SECONDS.observe(choice.waited + choice.lasted)
        return
    CHOICES.labels(choice.how).inc()
    CHOICE_WAIT.observe(choice.waited)
    CHOICE_SECONDS.labels(choice.level).observe(choice.lasted)


@cache
def _counters(route: str, status: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(route, str(status)), REQUEST_SECONDS.labels(route)


def answered(route: str, status: int, seconds: float) -> None:
    """Count a request that was answered."""
    requests, lasted = _counters(route, status)
    requests.inc()
    lasted.observe(seconds)


class Writes(Observer):
    """Counts the writes of the store, and its failures."""

    def __init__(self) -> None:
        self._failed = {doing: STORE_FAILURES.labels(doing) for doing in ("read", "write")}

    def written(self, jobs: int, seconds: float) -> None:
        STORE_SECONDS.observe(seconds)
        STORE_JOBS.observe(jobs)

    def failed(self, doing: str) -> None:
        self._failed[doing].inc()


EVERY: Final = 60.0  # seconds between two lines in the log, at least

log = get_logger("volte.server")


class ClientFaults:
    """Counter of faulty messages from clients, logged in at most one line a minute.

    They are no fault of the server's, and a line for each would let anybody fill the log.
    """

    def __init__(self) -> None:
        self._since: dict[str, int] = {}
        self._logged_at = -EVERY

    def count(self, kind: str) -> None:
        """Count a fault of that kind, such as `wrong_origin` or `bad_frame`."""
        CLIENT_FAULTS.labels(kind).inc()
        self._since[kind] = self._since.get(kind, 0) + 1

    def tell(self) -> None:
        """Log the number of faults since the last line, if that is `EVERY` seconds ago."""
        now = monotonic()
        if self._since and now >= self._logged_at + EVERY:
            log.warning("client_faults", **self._since)
            self._since.clear()
            self._logged_at = now


client_faults: Final = ClientFaults()
