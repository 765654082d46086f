"""Talk at the table: its panel, and the page with what is kept of it for oneself."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

PAGES: Final = {
    # How a table is set up
    "talk_setup": N_("What may be said at the table"),
    "talk_setup_all": N_("Whatever one likes"),
    "talk_setup_phrases": N_("Only prepared phrases"),
    "talk_setup_nobody": N_("Nothing"),
    # At the table
    "talk_part": N_("Talk"),
    "talk_log": N_("What people say"),
    "talk_empty": N_("Nothing has been said yet."),
    "talk_room": N_("To whom"),
    "talk_room_table": N_("Everybody at the table"),
    "talk_room_watchers": N_("The other watchers"),
    "talk_phrases": N_("Prepared phrases, which each reads in their own language"),
    "talk_say": N_("Say it"),
    "talk_text": N_("Your own words"),
    "talk_send": N_("Send"),
    "talk_only_phrases": N_("At this table, one says prepared phrases only."),
    "talk_off": N_("At this table, nobody talks."),
    "talk_about": N_("About what {name} said"),
    "talk_mute": N_("Do not read {name} any more"),
    "talk_report": N_("Report {name}"),
    "talk_report_title": N_("Report {name}"),
    "talk_report_about": N_(
        "Moderators read what was said before and after. They decide; {name} does not learn who"
        " has reported."
    ),
    "talk_why": N_("Why"),
    "talk_note": N_("In your own words, if you like"),
    "talk_report_send": N_("Send the report"),
    "talk_cancel": N_("Cancel"),
    "talk_watchers_mark": N_("(watchers)"),
    "talk_you": N_("You"),
    # One's own page
    "talk_mine": N_("Talk: muted people, reports, measures"),
    "talk_mine_title": N_("Talk"),
    "talk_mine_intro": N_(
        "What people say at tables is kept for {days} days, for those who are there and for the"
        " moderators if it is reported."
    ),
    "talk_muted": N_("People you do not read"),
    "talk_nobody_muted": N_("You read everybody."),
    "talk_unmute": N_("Read {name} again"),
    "talk_reports": N_("What you have reported"),
    "talk_no_reports": N_("You have reported nobody."),
    "talk_report_open": N_("{date}, {reason}: a moderator will look at it."),
    "talk_report_decided": N_("{date}, {reason}: looked at and decided on {decided}."),
    "talk_measures": N_("What moderators have decided about you"),
    "talk_no_measures": N_("Nothing."),
    "talk_told_title": N_("From the moderators"),
    "talk_told_read": N_("I have read this"),
}

CLIENT: Final = {
    "ask_talk": N_("Talk"),
    "talk_unread": N_("Talk, {count} new"),
    "talk_says": N_("{name}: {line}"),
    "talk_own": N_("You: {line}"),
    "talk_write": N_("Write something…"),
}
"""What the page of a table says of talk before its panel is there."""
