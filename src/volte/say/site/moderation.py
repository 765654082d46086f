"""The moderators' pages: reports, evidence, decisions, measures."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

PAGES: Final = {
    "moderation": N_("Moderation"),
    "mod_intro": N_(
        "Each report stands beside what was said. Whatever you decide is on record, with your name"
        " and your reason, and can be taken back."
    ),
    "mod_open": N_("Open reports"),
    "mod_none": N_("No report is open."),
    "mod_decided": N_("Decided lately"),
    "mod_none_decided": N_("No report has been decided yet."),
    "mod_all_measures": N_("All measures"),
    "mod_done": N_("Your decision is kept, and the person is told."),
    "mod_lifted_done": N_("The measure is lifted, and the person is told."),
    "mod_report": N_("Report about {name}, {date}"),
    "mod_reason": N_("Reason"),
    "mod_by": N_("Reported by"),
    "mod_by_moderator": N_("By"),
    "mod_note": N_("In their words"),
    "mod_table": N_("Table"),
    "mod_match": N_("Match"),
    "mod_match_link": N_("How it was played"),
    "mod_muted_by": N_("Muted by"),
    "mod_evidence": N_("What was said"),
    "mod_no_evidence": N_("Nothing was said there, or it is no longer kept."),
    "mod_later": N_(
        "You play there yourself: what was said is shown once your match, and its round, is over."
    ),
    "mod_when": N_("When"),
    "mod_who": N_("Who"),
    "mod_where": N_("Where"),
    "mod_what": N_("What"),
    "mod_reported": N_("Reported"),
    "mod_room_table": N_("table"),
    "mod_room_watchers": N_("watchers"),
    "mod_earlier": N_("Earlier reports and measures"),
    "mod_no_earlier": N_("Nothing else is on record about this person."),
    "mod_earlier_open": N_("{date}: reported ({reason}), still open"),
    "mod_earlier_report": N_("{date}: reported ({reason}), decided: {decision}"),
    "mod_earlier_measure": N_("{date}: {decision}, by {name}. {note}"),
    "mod_decide": N_("Your decision"),
    "mod_decision": N_("What is done"),
    "mod_decision_nothing": N_("Nothing: there is no ground for a measure"),
    "mod_decision_warning": N_("A warning"),
    "mod_decision_silence_hour": N_("No talk for an hour"),
    "mod_decision_silence_day": N_("No talk for a day"),
    "mod_decision_silence_week": N_("No talk for a week"),
    "mod_decision_silence_ever": N_("No talk for good"),
    "mod_decision_exclusion_day": N_("No public tables for a day"),
    "mod_decision_exclusion_week": N_("No public tables for a week"),
    "mod_decision_exclusion_ever": N_("No public tables for good"),
    "mod_why": N_("Why"),
    "mod_why_help": N_(
        "One line of at most {most} characters. The person reads it with the measure; for"
        " “nothing” it may stay empty."
    ),
    "mod_why_missing": N_("Write why: the person reads it."),
    "mod_send": N_("Decide"),
    "mod_own": N_("This report is about yourself: somebody else decides it."),
    "mod_was_decided": N_("{name} has decided this on {date}: {decision}."),
    "mod_nobody": N_("somebody whose data are deleted"),
    "mod_measures": N_("All measures"),
    "mod_measures_intro": N_("Whatever moderators have done, by whom, when and why."),
    "mod_no_measures": N_("No measure has been taken yet."),
    "mod_measure": N_("Measure"),
    "mod_until": N_("Until"),
    "mod_for_good": N_("for good"),
    "mod_state": N_("State"),
    "mod_holds": N_("in force"),
    "mod_over": N_("over"),
    "mod_lifted": N_("lifted by {name} on {date}: {note}"),
    "mod_lift": N_("Lift the measure"),
    "mod_lift_this": N_("Lift the measure about {name} of {date}"),
    "mod_lift_title": N_("Lift a measure"),
    "mod_lift_help": N_("One line of at most {most} characters, for the record."),
    "mod_kind_warning": N_("Warning"),
    "mod_kind_silence": N_("No talk"),
    "mod_kind_exclusion": N_("No public tables"),
}
