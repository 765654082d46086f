"""The status of a table in a sentence or two: whose turn it is, or what everybody waits for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace

from volte.game import MatchState, Phase, Player, last_play, still_to_consent
from volte.referee import RefereedMatch
from volte.rules import Direction
from volte.say import refereeing
from volte.say.language import N_, Language
from volte.say.telling import SeatTelling
from volte.table import Seat, TableState
from volte.table.pacing import needs_no_host
from volte.view import View


def status(
    words: Language,
    state: TableState,
    view: View | None,
    seat: int | None,
    present: Collection[str],
    ready: Collection[str] = (),
    person: str = "",
) -> str:
    """The status of the table in sentences for one person.

    Args:
        view: the person's view, which may lag behind the table; None where they see no match.
        seat: the person's seat; None for people who watch.
        present: ids of the people who are connected.
        ready: ids of the people who are ready for the next deal.
        person: the person's id; needed where they have no seat, as the host may have none.
    """
    if view is not None and view.state is not state.match:
        state = replace(state, match=view.state)
    listener = person or (state.seats[seat].person if seat is not None else "")
    telling = _Status(words, state, seat, listener, present, ready)
    return " ".join(map(words.sentence, telling.lines(blind=view is None)))


def stands_in(words: Language) -> str:
    """The sentence which says that a bot plays for the person."""
    return words.t("A bot is playing for you.")


class _Status(SeatTelling):
    """The state of a table, in the words for one person."""

    def __init__(
        self,
        words: Language,
        state: TableState,
        seat: int | None,
        person: str,
        present: Collection[str],
        ready: Collection[str],
    ) -> None:
        super().__init__(words, seat)
        self.state = state
        self.hosting = bool(person) and person == state.host
        self.present = present
        self.ready = ready

    def player(self, seat: int) -> Player:
        return Player(self.state.seats[seat].name)

    def lines(self, blind: bool) -> Iterator[str]:
        match = self.state.match
        if self.state.closed:
            onward = N_("The table is closed: play goes on at another one.")
            yield self.t(onward if self.state.onward else N_("The table is closed."))
        elif match is None:
            yield from self.before_a_match()
        elif not self.state.under_way:
            yield from self.after_a_match(match)
        elif self.state.paused:
            yield self.paused()
        elif blind:
            yield self.t("A match is being played.")
        else:
            yield from self.under_way(match)
            if self.me is not None and self.state.seats[self.me].stand_in is not None:
                yield stands_in(self.language)

    # Before and after

    def before_a_match(self) -> Iterator[str]:
        free = sum(seat.free for seat in self.state.seats)
        host = Player(self.state.host_name)
        if self.state.setup.meeting and self.me is not None and free:
            yield self.t("Others can still join; bots will soon take the free seats.")
        elif self.state.setup.meeting:
            yield self.t("The match will begin soon.")
            if free:
                yield self.n("{count} seat is free.", "{count} seats are free.", free)
            yield from self.full()
        elif not self.hosting:
            yield self.t("It is up to {host} to begin the match.", host=host)
            if free and self.me is None:
                yield self.n("{count} seat is free.", "{count} seats are free.", free)
            yield from self.full()
        elif free:
            yield self.t("You can begin the match; bots will take the free seats.")
        else:
            yield self.t("You can begin the match.")

    def after_a_match(self, match: MatchState) -> Iterator[str]:
        if match.phase is Phase.ENDED:
            yield self.won(match)
        if self.state.setup.evening:
            yield self.t("This table has played its round.")
        elif self.state.setup.board:
            yield self.t("You have played this deal.")
        else:
            yield self.another()
            yield from self.full()

    def another(self) -> str:
        """The sentence about another match: who begins it, or has asked for it."""
        asked, host = sorted(self.state.ready), Player(self.state.host_name)
        if needs_no_host(self.state, self.present) and self.me in asked:
            seats = sorted(self.state.playing.difference(asked))
            waiting = [place for place in seats if self.awaited(self.state.seats[place])]
            return self.t("Another match is waiting for {players}.", players=self.players(waiting))
        if needs_no_host(self.state, self.present):
            return self.t("Another match will begin once everybody here has asked for it.")
        if self.hosting and asked:
            return self.t("Asking for another match: {players}.", players=self.players(asked))
        if self.hosting:
            return self.t("You can begin another match.")
        if self.me in asked:
            return self.t("You have asked {host} for another match.", host=host)
        return self.t("It is up to {host} to begin another match.", host=host)

    def full(self) -> Iterator[str]:
        """The sentence for somebody without a seat, where people have taken all seats."""
        if self.me is None and all(seat.person for seat in self.state.seats):
            yield self.t("Every seat is taken: you are watching.")

    def won(self, match: MatchState) -> str:
        """The winners, by their names in the match: since then seats may have been swapped."""
        count = match.totals[match.winners[0]]
        points = self.n("{count} point", "{count} points", count)
        winners = [match.players[seat] for seat in match.winners]
        if len(winners) > 1 and len(winners) == match.rules.sides.partners:
            side = N_("{players} win the match with {points}.")
            return self.t(side, players=winners, points=points)
        if len(winners) > 1:
            shared = N_("{players} share the win with {points}.")
            return self.t(shared, players=winners, points=points)
        if self.still_there(match.winners[0]):
            return self.t("You win the match with {points}!", points=points)
        return self.t("{player} wins the match with {points}.", player=winners[0], points=points)

    def still_there(self, seat: int) -> bool:
        """Whether the person has played that seat to the end, and has it still."""
        match, seats = self.state.match, self.state.seats
        return (
            seat == self.me
            and match is not None
            and match.players[seat].person
            and match.players[seat].name == seats[seat].name
        )

    def paused(self) -> str:
        name = self.state.paused_by
        if not name and self.me is not None and self.state.seats[self.me].bot:
            return self.t("The match is waiting for you to come back.")
        if not name:
            return self.t("The match is waiting until somebody is here again.")
        mine = self.me is not None and self.state.seats[self.me].name == name
        if mine or (self.hosting and self.state.host_name == name):
            return self.t("You have paused the match.")
        return self.t("{player} has paused the match.", player=Player(name))

    # While a match goes on

    def under_way(self, match: MatchState) -> Iterator[str]:
        if self.state.between_deals:
            yield self.between_deals()
        elif match.phase is Phase.DRAWING:
            yield self.t("The first dealer is being drawn.")
        elif match.phase is Phase.DEALING:
            yield self.t("The cards are being shuffled.")
        elif match.phase is Phase.PASSING:
            yield self.passing(match)
        elif match.phase is Phase.PLAYING:
            yield from self.playing(match)
        elif match.phase is Phase.CHOOSING and match.shooter is not None:
            yield self.by(match.shooter, refereeing.OWN_MOON, refereeing.OTHERS_MOON)
        elif match.phase is Phase.ENDED:
            yield self.won(match)
        else:
            yield self.t("Lots are being drawn for the stakes.")

    def between_deals(self) -> str:
        waiting = [place for place, seat in enumerate(self.state.seats) if self.awaited(seat)]
        if self.me in waiting:
            return self.t("The next deal is waiting for you.")
        if waiting:
            return self.t("The next deal is waiting for {players}.", players=self.players(waiting))
        return self.t("The next deal is about to begin.")

    def awaited(self, seat: Seat) -> bool:
        return not seat.bot and seat.person in self.present and seat.person not in self.ready

    def players(self, seats: Iterable[int]) -> list[Player]:
        return [self.player(seat) for seat in seats]

    def passing(self, match: MatchState) -> str:
        deal = match.deal
        assert deal is not None
        waiting = [seat for seat, cards in enumerate(deal.passes) if cards is None]
        if self.me not in waiting:
            still = N_("Still choosing cards to pass: {players}.")
            return self.t(still, players=self.players(waiting))
        if deal.direction is Direction.SCATTER:
            players = len(match.players)
            others = [(self.me + step) % players for step in range(1, players)]
            order = N_("Choose one card for each of the others, in this order: {players}.")
            return self.t(order, players=self.players(others))
        return self.n(
            "Choose {count} card to pass {player:to}.",
            "Choose {count} cards to pass {player:to}.",
            deal.pass_size,
            player=self.player(deal.direction.target(self.me, deal.rules.players)),
        )

    def playing(self, match: MatchState) -> Iterator[str]:
        deal = match.deal
        assert deal is not None
        if match.asked is not None:
            yield from self.undo(match, match.asked)
        elif isinstance(match, RefereedMatch) and refereeing.held_up(match):
            yield self.refereed(match)
        elif deal.turn == self.me and deal.trick:
            yield self.t("It is your turn to play.")
        elif deal.turn == self.me:
            yield self.t("It is your turn to lead.")
        elif self.gone(self.state.seats[deal.turn]):
            lost = N_("It is {player:of} turn, but their connection is lost: a bot will play soon.")
            yield self.t(lost, player=self.player(deal.turn))
        else:
            yield self.t("It is {player:of} turn.", player=self.player(deal.turn))

    def refereed(self, match: RefereedMatch) -> str:
        """The sentence for what a refereed table waits for, other than a card."""
        if match.reckoned is None:
            turner = match.lying.turner
            if match.lying.taker is None:
                return self.by(turner, refereeing.OWN_HELD, refereeing.OTHERS_HELD)
            return self.by(turner, refereeing.OWN_TRICK, refereeing.OTHERS_TRICK)
        if match.shooter is not None:
            return self.by(match.shooter, refereeing.OWN_MOON, refereeing.OTHERS_MOON)
        if not match.last:
            return self.by(match.cutter, refereeing.OWN_CUT, refereeing.OTHERS_CUT)
        waiting = [seat for seat in range(len(match.players)) if not match.accepted >> seat & 1]
        if self.me in waiting:
            return self.t(refereeing.OWN_SCORES)
        return self.t(refereeing.OTHERS_SCORES, players=self.players(waiting))

    def gone(self, seat: Seat) -> bool:
        return bool(seat.person) and not seat.bot and seat.person not in self.present

    def undo(self, match: MatchState, asking: int) -> Iterator[str]:
        waiting, played = still_to_consent(match), last_play(match)
        if self.me in waiting and played is not None:
            allow = N_("{player} asks to take {card:the} back: do you allow it?")
            yield self.t(allow, player=self.player(asking), card=played.card)
            return
        own = N_("You have asked to take a card back.")
        yield self.by(asking, own, N_("{player} has asked to take a card back."))
        if waiting:
            yield self.t("Still to answer: {players}.", players=self.players(waiting))
