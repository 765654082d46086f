"""Talk at tables: the prepared phrases, why something is not said, and what moderators decide."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_, Language

PHRASES: Final = {
    "hello": N_("Hello, everybody!"),
    "good_luck": N_("Good luck!"),
    "well_played": N_("Well played!"),
    "thank_you": N_("Thank you!"),
    "welcome": N_("You are welcome."),
    "sorry": N_("Sorry!"),
    "one_moment": N_("One moment, please."),
    "back": N_("I am back."),
    "your_turn": N_("It is your turn."),
    "slower": N_("A little slower, please."),
    "fine_moon": N_("What a fine moon!"),
    "oh_queen": N_("Oh no, the queen of spades!"),
    "close": N_("That was close!"),
    "good_game": N_("Good game!"),
    "another": N_("Shall we play another match?"),
    "must_go": N_("I have to go. Goodbye!"),
    "yes": N_("Yes."),
    "no": N_("No."),
}
"""What can be said without writing, in the order in which it is offered: each reads it in their own
language.
"""

REASONS: Final = {
    "insult": N_("Insults, or hate against somebody"),
    "harassment": N_("Harassment, or a threat"),
    "spam": N_("The same again and again, or advertising"),
    "name": N_("A name that hurts"),
    "cheating": N_("Telling cards, or playing together in secret"),
    "other": N_("Something else"),
}
"""Why somebody is reported."""

TALK: Final = {
    # Sayings
    "talk_off": N_("Nobody talks at this table: its host has set it up so."),
    "phrases_only": N_("At this table, only the prepared phrases may be said: choose one of them."),
    "no_such_phrase": N_("There is no such prepared phrase: choose one of the list."),
    "nothing_said": N_("Write something first, or choose a phrase."),
    "saying_too_long": N_("That was too long: {most} characters at most."),
    "saying_unprintable": N_("Something in that cannot be shown: write it in one line of text."),
    "talk_too_fast": N_("The others cannot follow that fast: wait {wait}, then say it."),
    "players_talk": N_(
        "While a match is played, only those who have a seat talk at the table: talk to the other"
        " watchers."
    ),
    "watchers_talk": N_("That is for people without a seat: you talk at the table."),
    "silenced": N_("A moderator has taken speech from you until {until}. The reason: {why}"),
    "silenced_for_good": N_("A moderator has taken speech from you for good. The reason: {why}"),
    # Mutes and reports
    "not_at_table": N_("Nobody like that has been at this table lately."),
    "own_saying": N_("That is about yourself."),
    "too_many_muted": N_("You have muted {most} people: take some of them off the list first."),
    "no_such_reason": N_("Choose one of the reasons offered."),
    "note_too_long": N_("That note was too long: {most} characters at most."),
    "too_many_reports": N_("You have reported much in a short time: wait {wait} with the next."),
    "reported": N_("Thank you. A moderator will look at it, with what was said before and after."),
    "muted_now": N_("You will not read {name} any more, here or at other tables."),
    "unmuted_now": N_("You read {name} again."),
    # Public tables
    "excluded": N_(
        "A moderator has closed public tables to you until {until}; at tables of friends you may"
        " play. The reason: {why}"
    ),
    "excluded_for_good": N_(
        "A moderator has closed public tables to you for good; at tables of friends you may play."
        " The reason: {why}"
    ),
    # Moderation
    "no_report": N_("There is no such report."),
    "no_measure": N_("There is no such measure."),
    "own_report": N_("That report is about yourself: somebody else has to decide it."),
    "decided_already": N_("Somebody else has decided this report meanwhile; nothing was changed."),
    "lifted_already": N_("This measure has been lifted already; nothing was changed."),
}
"""By reason; they are looked up with those of `words.serving`."""

TOLD: Final = {
    "warning": N_("A moderator warns you: {why}"),
    "silence": TALK["silenced"],
    "silence_for_good": TALK["silenced_for_good"],
    "exclusion": TALK["excluded"],
    "exclusion_for_good": TALK["excluded_for_good"],
    "warning_lifted": N_("A moderator has taken back the warning of {since}."),
    "silence_lifted": N_("You may talk again: a moderator has lifted the measure of {since}."),
    "exclusion_lifted": N_(
        "Public tables are open to you again: a moderator has lifted the measure of {since}."
    ),
    "report": N_("Thank you for your report of {since}: a moderator has looked at it and decided."),
}
"""What somebody is told of measures about them, and of what came of their reports."""


def phrase_line(language: Language, phrase: str) -> str:
    """A prepared phrase; one that is known no more has no words."""
    return language.t(PHRASES[phrase]) if phrase in PHRASES else "…"


def told_line(language: Language, name: str, /, **params: object) -> str:
    """What somebody is told of a measure; see `TOLD`."""
    return language.t(TOLD[name], **params)
