"""What the score-keeper says in the terminal besides the sheet: questions, keys, and what is wrong.

The sheet itself is told by `scoring_told`, `scoring_sheet` and `scoring_stakes`.
"""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

SCORE_KEEPING: Final = {
    # A new sheet
    "score_who_plays": N_("Who plays, clockwise? Names with commas between them:"),
    "score_which_rules": N_("By which rules? Enter for {preset}, or one of {presets}:"),
    "score_which_stake": N_("What is a stake worth, such as {example}? Enter for no money:"),
    "score_begun": N_("A new sheet: {names}. Rules: {rules}."),
    "score_pot_waits": N_("In the pot, from the match before: {stakes}."),
    "score_who_deals": N_(
        "Who deals first? A name; “lots” draws lots; Enter leaves it open for now:"
    ),
    # Sheets that are kept
    "score_none_open": N_("No sheet is open: here is a new one."),
    "score_several": N_("Several sheets are open:"),
    "score_which": N_("Which one, 1 to {most}? Enter for the first, “new” for a new one:"),
    "score_opened": N_("{title}: {names}. Rules: {rules}."),
    "score_untitled": N_("Score sheet"),
    "score_deals_so_far": N_("Deals so far: {deals}."),
    "score_recovered": N_(
        "The end of the file was not written whole, and is left out: {entries} entries stand."
        " Look whether the last deal is there."
    ),
    "score_listed": N_("{id} ({state}): {names}. {totals}"),
    "score_listed_title": N_("{id} “{title}” ({state}): {names}. {totals}"),
    "score_no_sheets": N_("No sheets are kept yet; “volte score new” begins one."),
    "score_playing": N_("under way"),
    "score_over": N_("over"),
    "score_accepted": N_("settled"),
    "score_no_such_sheet": N_("There is no sheet “{name}”; “volte score list” lists them."),
    "score_two_sheets": N_("“{name}” may be several sheets: {sheets}. Say more of the name."),
    "score_kept": N_("All of it is saved in {path}. To go on: {command}"),
    "score_written": N_("Written: {path}"),
    "score_one_form": N_("Choose one of --csv, --json and --record."),
    # In a sheet
    "score_question": N_("{deal} Who took what?"),
    "score_help": N_("Type ? for what can be typed."),
    "score_settle_now": N_("The match is over. “accept” when everybody agrees, or a correction:"),
    "score_lots_now": N_("The match is over, and lots are due. “lots” draws them:"),
    "score_what_next": N_("The match is settled. “next” for another match, or Q to leave:"),
    "score_settled": N_("The settlement is accepted; nothing can be changed any more (I6)."),
    "score_reopened": N_("The sheet is open again."),
    "score_too_late": N_(
        "By I6 it is too late to claim a revoke in that deal; it is noted all the same."
    ),
    "score_corrected": N_("Corrected; what stood there before is kept."),
    "score_back_deal": N_("Taken back: {typed}"),
    "score_back_correction": N_("The correction is taken back; it is again: {typed}"),
    "score_back_dealer": N_("It is taken back who deals first."),
    "score_back_head": N_("The change at the head of the sheet is taken back."),
    "score_dealer": N_("{name} deals first."),
    "score_title": N_("The sheet is called {title}."),
    "score_names": N_("Players: {names}."),
    "score_no_money": N_("No money is played for."),
    "score_no_dealer": N_("Type a name, “lots”, or Enter to leave it open."),
    "score_ask_clerk": N_(
        "What has happened? Type “what now revoke”, or another of these: {names}. More: {command}"
    ),
    "score_sealed": N_("The lots are sealed: {digest}"),
    "score_share": N_(
        "Whoever likes adds to the chance, by a name and any word (anne blue); Enter draws:"
    ),
    "score_shared": N_("{name} has added to the chance."),
    "score_verify": N_("The secret is told, and “proof” checks it all."),
    # What can be typed
    "score_keys_hearts": N_(
        "Hearts in the order {names}, q behind those of whoever took the queen, the last one left"
        " out: {example}. Or by name, those with none left out: {named}."
    ),
    "score_keys_plain_hearts": N_(
        "Hearts in the order {names}, the last one left out: {example}. Or by name: {named}."
    ),
    "score_keys_jack": N_("j behind the hearts of whoever took the jack of diamonds."),
    "score_keys_ranked": N_(
        "Hearts count their rank here, jack 11 to ace 14: type the sum of each player’s hearts."
    ),
    "score_keys_sides": N_("A number for each side will do, in the order of its first players."),
    "score_keys_packs": N_(
        "Two packs: each q or j stands for one of the two; behind one number both may stand."
    ),
    "score_keys_cards": N_(
        "“{card} {name}” behind the hearts, and so on for the other cards that count: {cards}."
    ),
    "score_keys_no_trick": N_("“no trick {name}” behind a deal: whoever took none; or “nobody”."),
    "score_keys_way": N_("“minus” or “plus” behind a moon: as its shooter chooses."),
    "score_keys_points": N_("Points instead, the last one left out: {example}"),
    "score_keys_moon": N_("“moon {name}”, or m and the place: everything. “slam {name}” likewise."),
    "score_keys_moon_only": N_("“moon {name}”, or m and the place: that player took everything."),
    "score_keys_stopped": N_("“revoke {name}”, “mixed {name}”: the deal is stopped (I5, I7)."),
    "score_keys_misdeal": N_(
        "“misdeal exposed” for a card that was seen, “misdeal count” for too many or too few (I1)."
    ),
    "score_keys_missing": N_("“missing 2h” behind a deal: cards that the pack lacks (I8)."),
    "score_keys_fix": N_(
        "“fix 2” and a deal: what deal 2 should be; why may follow, “# {name}: counted again”."
        " “fix m1” for the first misdeal. “strike 2” takes it out."
    ),
    "score_keys_undo": N_("U: takes the last entry back."),
    "score_keys_looks": N_(
        "S: the scores. F: the whole sheet. N: who leads, and what the others need. G: the chart."
    ),
    "score_keys_turn": N_("T: whose deal it is. E: stakes, and who pays whom. R: the rules."),
    "score_keys_dealer": N_("“dealer {name}”: who dealt first. “lots” draws lots for it."),
    "score_keys_lots": N_(
        "“lots” draws the lots that are due; “lots anne ks, bruno 2h” if you drew them with cards."
    ),
    "score_keys_proof": N_("“proof”: checks the lots that were drawn."),
    "score_keys_head": N_(
        "“stake 0.25 EUR”, “title …”, “name {name} …”: changes the head of the sheet."
    ),
    "score_keys_accept": N_("“accept”: everybody accepts the settlement. “next”: another match."),
    "score_keys_reopen": N_("“reopen”: something must be changed after all."),
    "score_keys_next": N_("“next”: another match, with the same players and the pot."),
    "score_keys_clerk": N_("“what now revoke”: what to do when somebody has revoked, and so on."),
    "score_keys_quit": N_("Q: leaves the sheet; every entry is saved already."),
    # What is wrong
    "score_not_text": N_("That was no text: type ? for what can be typed."),
    "score_empty": N_("Type what was taken, such as {example}, or ? for help."),
    "score_not_a_deal": N_("“{text}” tells nothing of a deal: type ? for what can be typed."),
    "score_not_a_verb": N_("“{text}” is no word for the score-keeper: type ? for those there are."),
    "score_too_many": N_("Numbers typed: {given}, and {due} play. Type at most one for each."),
    "score_names_or_places": N_(
        "Type all numbers by name, or all in the order of the players, and not both."
    ),
    "score_name_twice": N_("{name} is named twice: once is enough."),
    "score_no_such_mark": N_("“{text}”: behind a number stands q for the queen, j for the jack."),
    "score_two_queens": N_("There is only one queen of spades: type q once."),
    "score_two_jacks": N_("There is only one jack of diamonds: type j once."),
    "score_queen_in_points": N_("Points are typed without q: the queen is among them."),
    "score_no_such_name": N_("Nobody here is called “{name}”: choose among {names}."),
    "score_which_name": N_("“{name}” may be {names}: type more of the name."),
    "score_no_such_place": N_("There is no player {place}: they go from 1 to {most}."),
    "score_name_wanted": N_("Say who: {names}."),
    "score_one_name": N_("Name one player only."),
    "score_why_misdealt": N_(
        "Say why: “misdeal exposed” for a card that was seen, “misdeal count” for a wrong number."
    ),
    "score_which_missing": N_("Name the cards that are missing, such as 2h."),
    "score_missing_first": N_("Type the deal first, and what is missing behind it."),
    "score_missing_from_what": N_("Missing cards are told of a deal that was played to its end."),
    "score_fix_what": N_("Say which deal, and what it should be, such as “fix 2 {example}”."),
    "score_no_such_deal": N_("There is no deal “{text}” on this sheet: choose among {labels}."),
    "score_no_deal_yet": N_("No deal is on this sheet yet, so there is nothing to correct."),
    "score_no_stake": N_("Say what a stake is worth, and the currency, such as “stake 0.25 EUR”."),
    "score_name_how": N_("Say who, and the new name, such as “name {name} Zoé”."),
    "score_title_what": N_("Say what the sheet is called, such as “title Friday evening”."),
    "score_lots_how": N_(
        "Say who drew which card, such as “lots anne ks, bruno 2h”: each name once."
    ),
    "score_not_settled": N_("“accept” first, when everybody agrees; then “next”."),
    "score_share_how": N_("Type a name and any word, or Enter to draw."),
}
"""The sentences by name, in English."""
