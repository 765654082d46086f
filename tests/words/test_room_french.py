"""The same in French: neither he nor she, and the right little words before names."""

from __future__ import annotations

from kit.tables import ANNE, Table, setup

from volte.game import Phase, Refusal
from volte.referee import visible
from volte.say import Words
from volte.table import Someone
from volte.table import commands as cmd
from volte.table.telling import clock_words, status, tell_room
from volte.view import View

FR = Words("fr")
CHAT, YVES = Someone("p-chat", "le chat"), Someone("p-yves", "Yves", invited=True)


def heard(at: Table, who: Someone, command: cmd.Command, listener: Someone = ANNE) -> str:
    """What one person hears of what another does."""
    outcome, lines = at.decide(who, command), list[str]()
    assert not isinstance(outcome, Refusal), outcome
    for happening in outcome:
        before = at.state
        at.take((happening,))
        lines += tell_room(FR, before, happening, at.state, listener.id)
    return " ".join(lines)


def test_names_take_their_articles() -> None:
    at = Table(setup(clock=20), seat=0)
    assert heard(at, CHAT, cmd.Sit(1)) == "Le chat prend place."
    assert heard(at, ANNE, cmd.SeatBot(2, "casual")) == (
        "Alice prend place\u00a0: un robot amateur."
    )
    assert heard(at, YVES, cmd.Sit(2)) == "Yves prend la place d’Alice."
    assert heard(at, ANNE, cmd.Swap(0, 1)) == "Vous échangez votre place avec le chat."
    at.do(ANNE, cmd.Start())
    at.play_until(Phase.PASSING)
    assert heard(at, CHAT, cmd.Pause()) == "Le chat met la partie en pause."
    assert heard(at, CHAT, cmd.Unpause(), CHAT) == "Vous faites continuer la partie."
    assert heard(at, CHAT, cmd.MoreTime()) == "Le chat a 90 secondes de plus."
    assert heard(at, ANNE, cmd.Replace(0)) == "Vous faites jouer un robot à la place du chat."
    assert heard(at, CHAT, cmd.Back()) == "Le chat est de retour."
    assert heard(at, CHAT, cmd.Away()) == (
        "Le chat s’absente un moment\u00a0; un robot joue à sa place en attendant."
    )


def test_everybody_is_waited_for_by_name() -> None:
    at = Table(seat=0)
    at.do(CHAT, cmd.Sit(1))
    assert status(FR, at.state, None, 1, {ANNE.id}) == "C’est à Anne de commencer la partie."
    at.do(ANNE, cmd.HandOver(1))
    assert status(FR, at.state, None, 0, {ANNE.id}) == "C’est au chat de commencer la partie."
    at.do(CHAT, cmd.Start())
    at.play_until(Phase.PASSING)
    view = View.of(None, [visible(event, None) for event in at.match_log()])
    assert status(FR, at.state, view, None, {ANNE.id, CHAT.id}) == (
        "On attend encore les cartes d’Anne, du chat, d’Alice et de Bruno."
    )


def test_a_clock_says_what_can_be_done() -> None:
    assert clock_words(FR, 10) == "Il vous reste 10 secondes. Vous pouvez demander plus de temps."


def test_refusals_at_a_table() -> None:
    assert FR.refusal(Refusal("not_host")) == "C’est réservé à l’hôte de la table."
    assert FR.refusal(Refusal("clock_out_of_range", params={"least": 5, "most": 3600})) == (
        "On donne de 5 à 3\u202f600 secondes par choix\u00a0; 0 pour ne pas limiter le temps."
    )
