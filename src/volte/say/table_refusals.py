"""Why something cannot be at a live table: what commands are refused for, and set-ups."""

from __future__ import annotations

from typing import Final

from volte.say.club_refusals import AT_EVENINGS, EVENING_FAULTS
from volte.say.language import N_

NAMING: Final = {
    "bad_name": N_(
        "A name has 1 to {most} letters or other signs, on one line, and at least one that can be"
        " seen."
    ),
    "bad_sign": N_("The sign {sign} cannot be shown here: leave it out."),
}
"""What is wrong with a name."""

SETUP: Final = {
    **EVENING_FAULTS,
    **NAMING,
    "bad_table_name": N_("The name of a table has 1 to {most} signs, on one line."),
    "clock_out_of_range": N_(
        "A clock gives {least} to {most} seconds for a choice; 0 is for no clock."
    ),
    "grace_out_of_range": N_("A seat is kept for 0 to {most} seconds when a connection is lost."),
    "rules_without_options": N_("Those rules cannot be told in options, as every record does."),
    "rated_with_hints": N_("At a rated table nobody is given hints: do without them."),
    "rated_with_own_rules": N_(
        "A rated match goes by the rules of one of the games as they stand: take those, or play it"
        " without rating."
    ),
}
"""What is wrong with how a table is set up."""

AT_TABLES: Final = {
    **SETUP,
    **AT_EVENINGS,
    # Who may
    "closed": N_("This table is closed."),
    "barred": N_("You cannot come back to this table."),
    "not_host": N_("Only the host may do that."),
    "not_seated": N_("That is for those who have a seat: sit down first."),
    "already_seated": N_("You have a seat here already: give it up first."),
    # Seats
    "seat_taken": N_("Somebody sits there already."),
    "seats_taken": N_("Somebody sits at a seat that would go: have it freed first."),
    "seat_free": N_("Nobody sits there."),
    "no_person_there": N_("No person sits there."),
    "own_seat": N_("That is your own seat."),
    "same_seat": N_("Name two different seats."),
    "not_your_seat": N_("That is not your seat."),
    "seen_other_hand": N_(
        "You have seen another hand of this deal: you can sit down there when it is over."
    ),
    "by_invitation": N_(
        "Seats at this table are by invitation: ask the host for the link that invites you."
    ),
    "bots_by_invitation": N_(
        "A bot’s seat is for people the host invites: ask the host for the link that invites you."
    ),
    "seat_asked": N_("You have asked for a seat: wait for the host, or for the end of this deal."),
    "seat_wanted": N_("Somebody else has asked for that seat: ask for another one, or wait."),
    "seat_denied": N_("The host wants you to wait until this deal is over."),
    "nobody_asks": N_("Nobody is asking for that seat any more."),
    "open_already": N_("This table is open already: give its address to whoever shall come."),
    "no_such_level": N_("There are no bots of that level."),
    # When
    "under_way": N_("That has to wait until the match is over."),
    "no_match": N_("No match is being played."),
    "paused": N_("The match is paused."),
    "not_paused": N_("The match is not paused."),
    "not_between_deals": N_("The deal is not over yet."),
    "ready_already": N_("You have said already that you are ready."),
    "stale": N_("Something has happened meanwhile: look again, then choose."),
    "ahead": N_("This table has not come so far: load it anew."),
    "cannot_be_asked": N_(
        "Somebody who has come since the match began cannot be asked: the card stays."
    ),
    # Rated matches
    "rated_needs_people": N_(
        "A rated match needs two people at least who play against each other: wait for somebody,"
        " or set the table up without rating."
    ),
    "rated_away": N_(
        "Somebody with a seat is away: a rated match waits for them, or frees the seat first."
    ),
    "rated_no_undo": N_("In a rated match no card is taken back."),
    "rated_seat": N_(
        "A rated match is finished by those who began it: watch, and sit down for the next one."
    ),
    "rated_stays": N_(
        "Nobody can be sent away from a rated match; if they go, a bot plays on for them."
    ),
    "rated_goes_on": N_("A rated match is played to its end as long as others have a seat there."),
    # Bots and clocks
    "away_already": N_("A bot plays at that seat already."),
    "not_away": N_("No bot plays at that seat."),
    "not_forced": N_("There is more than one card to choose from."),
    "no_clock": N_("There is no clock at this table."),
    "nothing_due": N_("Nobody waits for you now."),
    "no_more_time": N_("There is no more time to be had for this choice."),
    # The server
    "not_saved": N_("Nothing can be saved just now; the table waits, and nothing is lost."),
    "table_busy": N_("Too much is asked of this table at once: try again in a moment."),
    "table_failed": N_("Something went wrong at this table; what was saved is kept."),
    "stopping": N_("The server is stopping; the table is saved, and goes on later."),
    "moved_away": N_("This table is looked after elsewhere now: connect again."),
}
"""By reason, why a command is refused."""
