"""The score-keeper's pages, for a table with real cards."""

from __future__ import annotations

from typing import Final

from volte.words.language import N_

PAGES: Final = {
    "score": N_("Score sheets"),
    "score_way": N_("Keep the score at a table with real cards."),
    "score_intro": N_(
        "For a table with real cards: you say what each player has taken, and the sheet knows the"
        " totals, the dealer, the pass and who owes what to whom. Every entry is kept at once."
    ),
    "score_new": N_("New sheet"),
    "score_mine": N_("My sheets"),
    "score_none": N_("You have no sheet yet."),
    "score_deals_played": N_("Deals so far"),
    "score_state": N_("State"),
    "score_state_playing": N_("goes on"),
    "score_state_over": N_("over, to be accepted"),
    "score_state_accepted": N_("settled"),
    "score_go_on": N_("Go on with {sheet}"),
    "score_back": N_("Back to the sheet"),
    "score_all": N_("All my sheets"),
    # A new one
    "score_players": N_("Who plays"),
    "score_players_help": N_("Clockwise round the table, one name for each player."),
    "score_player": N_("Player {number}"),
    "score_name_missing": N_("Player {number} has no name: give one."),
    "score_names_over": N_("You have named {given} players: choose that number, or fewer names."),
    "score_money": N_("Money"),
    "score_stake": N_("What one stake is worth"),
    "score_stake_help": N_("Such as 0.25. Empty where nobody plays for money."),
    "score_currency": N_("Currency"),
    "score_first_dealer": N_("Who deals first"),
    "score_by_lot": N_("Lots decide: everybody draws a card, and the lowest deals"),
    "score_title": N_("Name of the sheet"),
    "score_title_help": N_("May be left empty."),
    "score_date": N_("Date"),
    "score_begin": N_("Begin the sheet"),
    "score_more": N_("More: date, name, and every rule"),
    # The next deal
    "score_deal": N_("Deal {number}"),
    "score_dealer": N_("Dealer"),
    "score_cutter": N_("Who cuts"),
    "score_pass": N_("Cards passed"),
    "score_leads": N_("Who leads"),
    "score_dealer_unknown": N_("not known yet"),
    "score_hearts": N_("Hearts taken"),
    "score_points": N_("Points"),
    "score_rest": N_("The last field may stay empty: it fills itself in."),
    "score_rest_points": N_("One player may stay empty, who has the rest. A minus is −."),
    "score_queen": N_("Who took the queen of spades"),
    "score_jack": N_("Who took the jack of diamonds"),
    "score_sum_hearts": N_("{count} of {due} hearts"),
    "score_sum_points": N_("{count} of {due} points"),
    "score_pad": N_("Numbers for {name}"),
    "score_write": N_("Write it down"),
    "score_moon": N_("Moon"),
    "score_moon_help": N_("One player took everything: this writes the deal down at once."),
    "score_moon_of": N_("{name} shot the moon"),
    "score_all_tricks": N_("Every trick taken by"),
    "score_nobody": N_("Nobody"),
    "score_by_points": N_("Enter points instead"),
    "score_by_cards": N_("Enter hearts instead"),
    "score_wrong": N_("Something went wrong"),
    "score_revoked": N_("Who revoked"),
    "score_mixed": N_("Whose tricks are mixed"),
    "score_stopped": N_("Write it down: the deal was stopped"),
    "score_stopped_help": N_(
        "Each player marked scores all the penalty points, the others nothing."
    ),
    "score_misdeal": N_("Misdeal"),
    "score_misdeal_help": N_("The deal is lost, and the next player deals."),
    "score_exposed": N_("The dealer showed a card"),
    "score_wrong_number": N_("The cards did not come out even"),
    "score_missing": N_("Cards missing from the pack"),
    "score_missing_help": N_(
        "Hearts, or the queen of spades, with commas between them. They are left out of the count."
    ),
    "score_clerk": N_("What do the rules say?"),
    "fault_count": N_("Please enter a whole number, or leave the field empty."),
    # The sheet
    "score_sheet": N_("The sheet"),
    "score_caption": N_("Points of each deal, and in brackets the total after it."),
    "score_line": N_("Deal"),
    "score_correct_deal": N_("Correct deal {number}"),
    "score_correct_line": N_("Correct line {number}"),
    "score_total": N_("Total"),
    "score_stakes": N_("Stakes"),
    "score_corrected": N_("corrected"),
    "score_beyond": N_("after the end, does not count"),
    "score_row_revoke": N_("revoke"),
    "score_row_mixed": N_("mixed tricks"),
    "score_row_exposed": N_("Misdeal: a card was shown"),
    "score_row_wrong_number": N_("Misdeal: not the right number of cards"),
    "score_row_struck": N_("Struck out"),
    "score_row_missing": N_("missing: {cards}"),
    "score_empty": N_("Nothing is on the sheet yet."),
    "score_standing": N_("How it stands"),
    "score_pays": N_("Stakes"),
    "score_accept": N_("Everybody accepts this"),
    "score_accept_help": N_("After that no revoke can be claimed, and nothing corrected."),
    "score_accepted": N_("Everybody has accepted the settlement."),
    "score_reopen": N_("Open it again, to correct something"),
    "score_next": N_("Next match, same players"),
    "score_next_pot": N_("The pot of {stakes} goes with it."),
    # What has just happened
    "score_kept": N_("Kept."),
    "score_written": N_("Written down. {line}"),
    "score_take_back": N_("Take it back"),
    "score_taken_back": N_("The last entry has been taken back."),
    "score_moved": N_(
        "Somebody has written on this sheet meanwhile, so this was not written down. The sheet"
        " below is the latest: look at it, then send this once more if it is still right."
    ),
    # Lots
    "score_lots": N_("Lots"),
    "score_sealed": N_("The chance is fixed already, under this seal:"),
    "score_shares": N_("Add to the chance"),
    "score_shares_help": N_(
        "Whoever wants to be sure types anything here: the lots depend on it, and nobody could"
        " have known it when the chance was sealed."
    ),
    "score_name_dealer": N_("Or say who deals first"),
    "score_draw": N_("Draw the lots"),
    # Corrections
    "score_why": N_("Why"),
    "score_why_help": N_("May be left empty. It stays on record with what stood there before."),
    "score_write_correction": N_("Write the correction down"),
    "score_strike": N_("Strike it out"),
    "score_strike_help": N_("As if it had never been on the sheet; it stays on record."),
    "score_before": N_("What stood there before"),
    "score_was_why": N_("{told} – {why}"),
    "score_told_hearts": N_("{name} {count}"),
    "score_told_queen": N_("queen: {name}"),
    "score_told_jack": N_("jack: {name}"),
    "score_told_slam": N_("{name} took every trick"),
    "score_told_revoked": N_("revoke: {names}"),
    "score_told_mixed": N_("mixed tricks: {names}"),
    "score_too_late": N_(
        "The next deal has been dealt: by the rules a revoke in this one can no longer be claimed."
    ),
    # Beside it
    "score_head": N_("Change names and stake"),
    "score_head_title": N_("Names and stake"),
    "score_save_head": N_("Save"),
    "score_share": N_("Let others watch"),
    "score_share_help": N_(
        "Whoever has the address sees this sheet as it grows, and can change nothing."
    ),
    "score_share_make": N_("Make an address for watching"),
    "score_share_end": N_("Let nobody watch any more"),
    "score_share_address": N_("The address for those who watch"),
    "score_share_qr": N_("The same address as a picture, for the camera of a telephone"),
    "score_watching": N_("You watch this sheet; it comes up to date by itself."),
    "score_export": N_("Take it along"),
    "score_print": N_("To print"),
    "score_csv": N_("Table (CSV)"),
    "score_json": N_("Data (JSON)"),
    "score_record": N_("Record (text)"),
    "score_print_now": N_("Print"),
    "score_rules": N_("The rules of this sheet"),
    "score_printed": N_("Score sheet, {date}"),
}
