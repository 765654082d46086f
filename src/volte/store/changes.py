"""Changes of things that the store holds, for those who wait for them at any node."""

from __future__ import annotations

from asyncio import Event

from volte.store.bus import Bus


class Changes:
    """Wakes those who wait for a change of something, by its id.

    Args:
        topic: of the hints by which the nodes tell each other.
    """

    def __init__(self, bus: Bus, topic: str) -> None:
        self.closed = False  # whether waiting for changes has ended
        self._bus = bus
        self._topic = topic
        self._waited_for: dict[str, Event] = {}
        bus.subscribe(topic, self.wake)

    def change(self, key: str) -> Event:
        """An event, set as soon as the thing of that id may have changed. Take it before you look
        at the thing."""
        return self._waited_for.setdefault(key, Event())

    async def changed(self, key: str) -> None:
        """Wake those who wait for a thing, at all nodes, so that they look at it again."""
        await self._bus.publish(self._topic, key)

    def wake(self, key: str) -> None:
        """Wake those who wait for a thing at this node; for anything, if the id is empty."""
        for each in (key,) if key else tuple(self._waited_for):
            if (change := self._waited_for.pop(each, None)) is not None:
                change.set()

    def close(self) -> None:
        """Wake everybody, and end the waiting for changes."""
        self.closed = True
        self.wake("")
