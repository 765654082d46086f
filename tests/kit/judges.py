"""Judges of what was stored of tables, and of what people have received and were promised."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from kit.companies import Company
from kit.playing import Player
from kit.records import check_record

from volte import game
from volte.fair import Verdict
from volte.game.codec import encode
from volte.notation import format_record, prove_record
from volte.store import MatchRow
from volte.store.store import Store
from volte.table import Happening, TableEvent, Watching, decode_happening, fold
from volte.table import commands as cmd
from volte.table.happenings import CameBack, seen_by


class Found(NamedTuple):
    """Numbers of happenings, acknowledged commands, matches and deals judged."""

    happenings: int = 0
    acknowledged: int = 0
    matches: int = 0
    deals: int = 0


async def judge(database: str, companies: Sequence[Company]) -> Found:
    """Check the stored logs of all the tables. Nobody may be using the database."""
    async with await Store.open(database) as store:
        for company in companies:
            assert all(row.last for row in await store.matches_at(company.table))
        judged = [await _judge_table(store, company) for company in companies]
    return Found(*map(sum, zip(*judged, strict=True)))


async def _judge_table(store: Store, company: Company) -> Found:
    entries = await store.read(company.table)
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    happenings = [decode_happening(entry.data) for entry in entries]
    state = fold(happenings)
    assert not state.under_way
    # Somebody whose line was cut may still come back after all others have left.
    late = happenings[company.last :]
    assert all(isinstance(each, CameBack) for each in late), (company.last, late)
    for person in company.people:
        _judge_told(company, person, happenings)
    causes: dict[str, list[int]] = {}
    for cause, same in groupby(entries, key=lambda entry: entry.cause):
        if cause:
            assert cause not in causes, f"{cause} was done twice"
            causes[cause] = [entry.version for entry in same]
    done = [_judge_done(person, causes, happenings) for person in company.people]
    rows = await store.matches_at(company.table)
    assert len(rows) == state.matches
    deals = sum(_judge_match(row, happenings) for row in rows)
    return Found(len(entries), sum(done), len(rows), deals)


def _judge_told(company: Company, person: Player, log: Sequence[Happening]) -> None:
    """Check that a person received the log as they may see it, with no gap within a match.

    A gap is allowed up to the start of a match: the end of a missed one is not sent again.
    """
    numbers = sorted(person.received)
    assert numbers[-1] == len(log)
    for number, following in pairwise(numbers):
        begins = isinstance(log[following - 1], game.MatchStarted)
        assert following == number + 1 or begins, (number, following)
    seat = fold(log).seat_of(person.person)
    everything = seat is None and company.shape.sight is Watching.AFTERWARDS
    for number, data in person.received.items():
        happening = log[number - 1]
        assert data == encode(happening if everything else seen_by(happening, seat)), number


def _judge_done(person: Player, causes: dict[str, list[int]], log: Sequence[Happening]) -> int:
    """Check that each acknowledged command is in the log, under its cause, in one place."""
    for asking, (command, answer) in person.acknowledged.items():
        versions = causes.get(f"{person.person}:{asking}", [])
        assert versions, (asking, command)
        assert versions == list(range(versions[0], versions[-1] + 1))
        assert versions[-1] == answer.number
        done = [log[version - 1] for version in versions]
        match command:
            case cmd.Act(game.Play(seat, card)):
                assert done.count(game.Played(seat, card)) >= 1
            case cmd.Act(game.Pass(seat, cards)):
                assert game.Passed(seat, cards) in done
            case cmd.Promise(_, digest):
                assert any(
                    isinstance(each, game.Promised) and each.digest == digest for each in done
                )
            case cmd.Contribute(_, data):
                assert any(
                    isinstance(each, game.Contributed) and each.data == data for each in done
                )
            case cmd.Start():
                assert any(isinstance(each, game.MatchStarted) for each in done)
    return len(person.acknowledged)


def _judge_match(row: MatchRow, log: Sequence[Happening]) -> int:
    """Check that a match is whole, lawful, dealt once, and proved; return its number of deals."""
    assert row.ended is not None
    assert row.last
    part = log[row.first - 1 : row.last]
    events = [each for each in part if not isinstance(each, TableEvent)]
    assert isinstance(events[0], game.MatchStarted)
    dealt = [each for each in events if isinstance(each, game.Dealt)]
    assert [each.number for each in dealt] == list(range(1, len(dealt) + 1))
    committed = [each.number for each in events if isinstance(each, game.Committed)]
    assert committed == list(range(1, len(dealt) + 1))
    assert sum(isinstance(each, game.MatchEnded) for each in events) == 1
    report = check_record(format_record(events))
    assert report.record is not None, report.fault
    assert list(report.record.log) == events
    proofs = prove_record(report.record)
    assert [proof.verdict for proof in proofs] == [Verdict.PROVED] * len(dealt)
    return len(dealt)
