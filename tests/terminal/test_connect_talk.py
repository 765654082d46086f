"""Talk at a shared table, mutes and reports, typed and told in lines."""

from __future__ import annotations

from kit.terminals import Guest, Playroom, Turns

from volte.talk.reports import thawed


def test_people_talk_while_they_wait_for_the_match(
    playroom: Playroom, anne: Guest, paul: Guest
) -> None:
    table = anne.open("", "casual", "casual")
    anne.sit(
        table,
        Turns(
            (anne, "Enter to begin", "; Is anybody there?"),
            (anne, "^You: Is anybody there", "?"),
            (anne, "^Paul: Yes, I am", "say"),
            (anne, "^3: Well played", "SAY 3"),
            (anne, "^You: Well played!$", "say " + "x" * 301),
            (anne, "^That was too long", ""),
            (anne, "^Paul: Farewell", "q"),
        ),
        at_terminal=True,
    )
    anne.hears("^You: Is anybody there")
    paul.sit(
        table,
        Turns(
            (paul, "^Anne: Is anybody there", ""),
            (paul, "^You sit down", '"Yes, I am.'),
            (paul, "^Anne: Well played!$", "dire Farewell"),
            (paul, "^You: Farewell", "q"),
        ),
        at_terminal=True,
    )
    for guest in (anne, paul):
        guest.leaves()
    assert "SAY and a text, or a semicolon before it" in anne.said
    assert "x" * 20 not in paul.said
    assert anne.said.count("Paul: Yes, I am.") == 1


def test_talk_alone_is_gone_through_also_before_the_match(playroom: Playroom, anne: Guest) -> None:
    anne.sit(
        anne.open("", "casual", "casual"),
        Turns(
            (anne, "Enter to begin", "; Hello"),
            (anne, "^You: Hello", "y"),
            (anne, "Plays$", "y"),
            (anne, "Points$", "y"),
            (anne, "Talk$", "b"),
            (anne, r"You: Hello(?s:.*)You: Hello", "b"),
            (anne, "Nothing was told before", "n"),
            (anne, "Nothing has been told after", "q"),
        ),
        at_terminal=True,
    )
    anne.leaves()
    assert anne.said.count("You: Hello") == 2


def test_somebody_is_muted_and_reported_by_name_or_by_number(
    playroom: Playroom, anne: Guest, paul: Guest
) -> None:
    watcher = Guest(playroom.address, "Paul 2")
    table = anne.open("", "casual", "casual")
    anne.sit(
        table,
        Turns(
            (anne, "Enter to begin", "mute"),
            (anne, "Nobody else has a seat", "?"),
            (anne, "^Paul 2: I watch", "MUTE"),
            (anne, "MUTE and a name or a number mutes", "Ignorer pau"),
            (anne, "“pau” may be several", "report Jean 1 him"),
            (anne, "“Jean” is not one of the others", "report"),
            (anne, "REPORT and a name or a number tells", "signaler Paul"),
            (anne, "REPORT Paul and the number", "report paul 7"),
            (anne, "REPORT paul and the number", "report paul 1 He knows 2 of us"),
            (anne, "^Thank you", "report Paul 2 6"),
            (anne, "(?s)Thank you.*Thank you", "mute 2"),
            (anne, "^You will not read Paul any more", "; Is it quiet?"),
            (paul, "^You: Unread", "unmute paul"),
            (anne, "^You read Paul again", "; Well?"),
            (anne, "^Paul: Sorry", "q"),
        ),
        at_terminal=True,
    )
    anne.hears("REPORT and a name or a number: reports")
    paul.sit(
        table,
        Turns(
            (paul, "Enter takes seat 2", ""),
            (paul, "You sit down", "; Ugly words."),
            (paul, "^Anne: Is it quiet", "; Unread."),
            (paul, "^Anne: Well", "; Sorry."),
            (anne, "^Paul: Sorry", "q"),
        ),
        at_terminal=True,
    )
    anne.hears("^Paul: Ugly words")
    watcher.sit(
        table,
        Turns(
            (watcher, "Your seat", "0"),
            (watcher, "You watch", "; I watch."),
            (anne, "^Paul: Sorry", "q"),
        ),
        at_terminal=True,
    )
    for guest in (anne, paul, watcher):
        guest.leaves()
    assert "2: Paul\n6: Paul 2, without a seat\n" in anne.said
    assert "1: Insults, or hate against somebody\n" in anne.said
    assert "Unread" not in anne.said
    other, first = playroom.reports_by(anne.who.id)
    assert (first.against, first.why, first.note) == (paul.who.id, "insult", "He knows 2 of us")
    assert (other.against, other.why, other.note) == (watcher.who.id, "other", "")
    evidence = thawed(first.evidence)
    assert [each.text for each in evidence.sayings if each.number in evidence.reported] == [
        "Ugly words."
    ]
