"""What cannot be put on a score sheet, or be read from one, and what to do."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

SHEET_FAULTS: Final = {
    # The head
    "names_given": N_("Names given: {given}, for {due} players. Give one for each player."),
    "name_empty": N_("Player {number} has no name: give one."),
    "name_unfit": N_("Player {number}: {fault}"),
    "name_twice": N_("Two players are called “{name}”, or look as if they were: tell them apart."),
    "too_long_here": N_("“{text}” is too long: at most {most} signs have room."),
    "not_a_stake": N_("“{text}” is not what a stake can be worth: write an amount such as 0.25."),
    "not_a_date": N_("“{text}” is no day: write it as 2026-11-21."),
    "pot_out_of_range": N_("A pot holds 0 to {most} stakes, and not {pot}."),
    "pot_not_played_for": N_(
        "By these rules nobody plays for a pot: leave it at 0, or set settlement=pot."
    ),
    "sheet_cannot_count": N_(
        "A sheet counts by rules that options can tell: choose a preset, and options to change."
    ),
    # Deals
    "players_told": N_("Players told: {given}, and {due} play. Tell one number for each."),
    "no_player_there": N_("There is no player {number}: they go from 1 to {players}."),
    "hearts_do_not_add_up": N_("Hearts told: {given}, and there are {due}. Count again."),
    "hearts_left_out": N_(
        "Hearts told: {given} of {due}. Only one player may be left out, who has taken the rest."
    ),
    "heart_points_do_not_add_up": N_(
        "Points of hearts told: {given}, and all hearts together count {due}. Count again."
    ),
    "heart_points_left_out": N_(
        "Points of hearts told: {given} of {due}. Only one player may be left out, who has taken"
        " the rest."
    ),
    "no_hearts_count_so": N_(
        "No hearts add up to these numbers: tell for each player what the hearts taken count."
    ),
    "negative_hearts": N_("Nobody takes fewer hearts than none: count again."),
    "who_took_the_queen": N_("Who has taken the queen of spades? Name one player."),
    "who_took_the_jack": N_("Who has taken the jack of diamonds? Name one player."),
    "who_took_the_card": N_("Who has taken {card:the}? Name one player."),
    "who_took_both_cards": N_(
        "The two packs have this card twice: {card}. Who has taken them? Name two players, or one"
        " who took both."
    ),
    "card_takers": N_("Named for {card:the}: {given}, and there are {due}. Name as many players."),
    "card_counts_nothing": N_("By these rules this card counts nothing: {card}. Leave it out."),
    "who_took_no_trick": N_("Who has taken no trick at all? Name them, or say nobody."),
    "trickless_counts_nothing": N_("By these rules taking no trick counts nothing: leave it out."),
    "trickless_has_cards": N_(
        "Player {number} has taken cards that count, and so a trick: tell again who took none."
    ),
    "trickless_everybody": N_("Somebody has taken the tricks: not everybody can have none."),
    "moon_which_way": N_(
        "The shooter of the moon chooses: minus for the shooter, or plus for the others?"
    ),
    "moon_counts_one_way": N_("By these rules a moon counts in one way only: leave that out."),
    "moon_counts_by_totals": N_(
        "By these rules the totals decide which way a moon counts: leave that out."
    ),
    "no_moon_was_shot": N_("Nobody has shot the moon in this deal: leave out how it counts."),
    "which_partner_took_all": N_(
        "A side has taken everything. Tell it for each player: it is a moon if one of them took all"
        " of it alone."
    ),
    "queen_counts_nothing": N_("The queen of spades does not count in this deal: leave her out."),
    "jack_counts_nothing": N_("The jack of diamonds does not count in this deal: leave him out."),
    "slam_counts_nothing": N_("By these rules taking every trick counts nothing: leave it out."),
    "slam_takes_everything": N_(
        "Whoever takes every trick has every card that counts: nobody else can have one."
    ),
    "points_or_moon": N_(
        "The points add up to {given}, and should add up to {due}, or to {moon} after a moon."
        " Count again."
    ),
    "points_left_out": N_(
        "Points told: {given} of {due}. Only one player may be left out, who has the rest."
    ),
    "points_left_out_two_ways": N_(
        "This can be read in two ways: tell the points of every player."
    ),
    "points_sums": N_(
        "The points add up to {given}, and should add up to one of these: {sums}. Count again."
    ),
    "points_two_ways": N_(
        "These points can be read in two ways: tell the cards, or who shot the moon."
    ),
    "no_cards_count_so": N_("No cards give these points to the players: count again."),
    "points_too_many": N_(
        "The points told add up to {given} already, and should add up to {due}. Count again."
    ),
    "negative_points": N_("No cards give so few points to a player: count again."),
    "nobody_has_the_queen": N_(
        "Somebody must have the {queen} points of the queen of spades: count again."
    ),
    "missing_counts_nothing": N_(
        "That {card:the} is missing changes nothing, since it does not count: leave it out."
    ),
    "missing_twice": N_("A card is named twice as missing: name each one once."),
    "missing_too_many": N_("With all those cards missing nothing is left to count: deal again."),
    "no_offender": N_("Nobody is named: say who has revoked, or whose tricks are mixed."),
    "offender_twice": N_("A player is named twice, and pays once a deal: name each one once."),
    # The sheet
    "sheet_not_open": N_("There is no sheet yet: open one first."),
    "sheet_open_already": N_("This sheet has been opened already."),
    "sheet_full": N_("This sheet is full, with {most} entries: begin another."),
    "sheet_over": N_("The match is over: begin another, or correct a deal."),
    "sheet_not_over": N_("The match is not over, so nothing can be accepted yet."),
    "sheet_accepted": N_("The settlement has been accepted: reopen the sheet to change anything."),
    "sheet_not_accepted": N_("The settlement has not been accepted, so the sheet is open."),
    "no_such_line": N_("There is no line {number}: the lines go from 1 to {lines}."),
    "nothing_changed": N_("It stands like this already: nothing has been changed."),
    "nothing_to_take_back": N_("There is nothing to take back."),
    "lots_stand": N_("Lots once drawn stand, and cannot be taken back: correct a deal instead."),
    "entry_not_lawful": N_("This entry is not one that Volte would have written."),
    # Lots
    "no_lots_are_due": N_("No lots are to be drawn now."),
    "lots_are_due": N_("Lots decide about stakes first: draw them."),
    "lots_against_the_rules": N_(
        "These lots are not drawn as they must be: a card for each player who draws, and another"
        " one for those who are equal."
    ),
    "seal_not_due": N_("Lots are drawn by one seal after the other: this one is not open."),
    "not_a_seal": N_("This is no seal: a seal has {count} bytes."),
    "no_share_due": N_("This player can add nothing to the lots now."),
    "share_length": N_("A share of the lots has 1 to {most} bytes."),
    "secret_not_due": N_("No secret is to be told now."),
    "secret_is_wrong": N_("This is not the secret that was sealed, or the lots are not its own."),
    # Files
    "sheet_not_read": N_("{path} cannot be read: {why}."),
    "sheet_not_saved": N_(
        "{path} cannot be saved: {why}. Nothing has been entered; see to it and enter it again."
    ),
    "not_a_sheet": N_("{path} is no score sheet: choose another file."),
    "sheet_newer": N_("{path} was made by a newer Volte: install it, or choose another file."),
    "sheet_damaged": N_(
        "{path} is damaged in line {number}: restore it from a copy, or begin another sheet."
    ),
    "sheet_open_elsewhere": N_("{path} is open in another program: close it there first."),
}
"""The sentence of each fault of a score sheet, by its reason."""
