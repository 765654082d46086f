"""What is wrong with cards, rules, files, options and calls of the library, by the reason of the"
" `Fault`."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

GENERAL_FAULTS: Final = {
    # Cards and languages
    "no_such_card": N_("“{text}” is no card: try qs, ♠Q or queen of spades."),
    "ambiguous_card": N_("“{text}” may be {cards:or}: please say which."),
    "card_twice": N_("A card is named twice, {card:the}: name each one once."),
    "one_card": N_("Play one card."),
    "named_twice": N_("You have named {card:the} twice: name each card once."),
    "no_such_place": N_("There is no place .{place} in your hand: choose .1 to .{most}."),
    "no_such_language": N_("Volte does not speak “{language}”: choose one of {languages}."),
    # Rulesets
    "no_such_preset": N_("There is no preset “{preset}”: choose one of {presets}."),
    "no_such_option": N_("There is no option “{option}”: choose one of {options}."),
    "no_such_value": N_("“{value}” is no value for {option}: it takes {values}."),
    "not_a_setting": N_("“{text}” is no setting: write option=value."),
    "players_out_of_range": N_("{players} cannot play: choose {least} to {most} players."),
    "players_for_two_packs": N_(
        "Two packs are for {least} to {most} players, not for {players}: choose as many, or set"
        " packs=1."
    ),
    "packs_out_of_range": N_("There are 1 or 2 packs, not {packs}."),
    "removed_not_in_pack": N_(
        "Only cards that are in the deck can be left out, and {card:the} is not one."
    ),
    "removed_twice": N_("A card is left out twice: name each one once."),
    "jokers_out_of_range": N_("A pack has no jokers or 2 of them, not {jokers}."),
    "too_few_cards": N_(
        "With {cards} in the deck, {players} players cannot get a card each: leave fewer out."
    ),
    "cards_left_over": N_(
        "{cards} cards do not come out even for {players} players, {left} being left over:"
        " set kitty=first_trick or leave cards out."
    ),
    "pass_count_out_of_range": N_("{count} cannot be passed: choose 0 to {most} cards."),
    "pass_cycle_empty": N_("The passes have no direction: name one, or set pass_count=0."),
    "pass_larger_than_hand": N_("{count} cannot be passed from a hand of {hand}: pass fewer."),
    "scatter_larger_than_hand": N_(
        "Nobody can give a card to each of {count} others from a hand of {hand}: choose another"
        " direction for the pass."
    ),
    "across_needs_even_players": N_(
        "With {players} players nobody sits across: choose another direction for the pass."
    ),
    "no_club_to_open": N_(
        "No hand is sure to hold a club to open with: set opening=eldest or leave fewer clubs out."
    ),
    "hearts_from_trick_out_of_range": N_(
        "Hearts cannot begin in trick {trick}: with this deck choose 1 to {most}."
    ),
    "points_out_of_range": N_(
        "No card counts more than {most}: for {card:the}, {points} is out of reach."
    ),
    "points_of_second_pack": N_(
        "Both cards called {card} count the same: give the points to the one of the first"
        " pack, without the mark."
    ),
    "no_tricks_out_of_range": N_(
        "Taking no trick counts from −{most} to 0 points: {points} is out of reach."
    ),
    "no_penalty_cards": N_("No card counts anything: give points to one, or leave fewer out."),
    "match_end_out_of_range": N_(
        "A match cannot end at {kind}:{number}: the number goes from 1 to {most}."
    ),
    "limit_never_reached": N_(
        "With these points no total need ever reach a limit: end the match after some deals,"
        " match_end=deals:5."
    ),
    "partners_out_of_range": N_("There are 1, 2 or 3 partners to a side, not {partners}."),
    "sides_unequal": N_(
        "{players} players cannot make equal sides of {partners}: choose other partners, or another"
        " number of players."
    ),
    # The rules clerk
    "no_such_situation": N_(
        "“{text}” is no situation that the clerk knows: perhaps you mean {nearest}."
    ),
    # Files
    "file_not_text": N_("{path} is no text file: choose another."),
    "file_too_large": N_("{path} is too long for rules: more than {most} bytes."),
    "file_not_read": N_("{path} cannot be read: {why}."),
    "file_not_toml": N_("{path} is not valid TOML: {why}."),
    "file_not_written": N_("{path} cannot be written: {why}."),
    "record_not_read": N_("{path} cannot be read: {why}."),
    "record_not_saved": N_("{path} cannot be saved: {why}. The match goes on."),
    # Simulations
    "no_such_count": N_("{option} is a whole number from {least} to {most}, and not “{value}”."),
    "not_together": N_("{option} and {other} do not go together: leave one of them out."),
    "goes_with": N_("{option} goes with {other}: give both of them, or neither."),
    "too_many_kept": N_("At most {most} records are kept: name fewer."),
    "plot_ending": N_("{path} is no name for a plot: end it in .png or .svg."),
    "plot_needs_extra": N_('Plots need matplotlib: pip install "volte[plot]".'),
    "no_compiled_twin": N_("The kernel has no player “{level}”: only the readable engine has."),
    "processes_lost": N_(
        "The processes that share the work end again and again, perhaps for want of memory:"
        " try --processes 1."
    ),
    "no_cluster_extra": N_('A cluster needs Dask: pip install "volte[cluster]".'),
    "cluster_unreachable": N_(
        "There is no cluster at {address} ({why}): start its scheduler, or leave out --cluster."
    ),
    "cluster_differs": N_(
        "The cluster at {address} must have Volte {version} on every machine: install it there."
    ),
    "cluster_lost": N_(
        "The cluster at {address} was lost: look after it and try again, or leave out --cluster."
    ),
    # The arena
    "contestants_few": N_("Name at least two players, such as casual and beginner."),
    "contestant_twice": N_("The player “{name}” is named twice: name each one once."),
    "too_many_contestants": N_("At most {most} players are compared: name fewer."),
    "contestant_budget": N_(
        "“{text}” has no budget that could be kept: write expert@40ms for milliseconds, or"
        " expert@2000 for simulations, at most {most}."
    ),
    "engine_command": N_("“{text}” is no command: write it as in a shell, or NAME=COMMAND."),
    "sides_differ": N_(
        "Players named: {sides}, for {players} seats. At one table name one for each seat."
    ),
    "sides_of_partners": N_(
        "Players named: {sides}, for {teams} sides of {partners} partners. At one table name one"
        " for each side."
    ),
    "no_such_seatings": N_(
        "A deal cannot have {count} seatings here: choose a multiple of {step} up to {most}."
    ),
    "no_such_width": N_("--until is a number of points above 0, such as 0.5, and not “{value}”."),
    "keep_differs": N_(
        "{path} keeps other games, or is of another version of Volte: name another file, or ask"
        " for the same players, rules, seed and seatings."
    ),
    "keep_damaged": N_("{path} is damaged in line {number}: name another file."),
    # Players
    "no_such_level": N_("There is no player “{level}”: choose one of {levels}."),
    # The kernel
    "kernel_unavailable": N_("The kernel cannot be compiled here ({why})."),
    "kernel_seats": N_("The kernel has room for {most} players, and not for {players}."),
    "kernel_packs": N_("The kernel has room for one pack, and not for more."),
    "kernel_cycle": N_("The kernel has room for passes of {most} directions, and not for more."),
    "kernel_option": N_("The kernel does not play {option}={value}: the readable engine does."),
    "kernel_duties": N_("The kernel has no room for all the duties of the play ({clause})."),
    "never_copied": N_("{kind} cannot be copied: make another one where it is needed."),
    "not_a_seed": N_("A seed is a whole number from 0 to {most}, not {given}."),
    "kernel_type": N_("“{name}” cannot be of the type {type}: give what its docstring asks for."),
    "kernel_range": N_("“{name}” goes from {least} to {most}: {value} is out of range."),
    "kernel_policies": N_(
        "Policies given: {given}, for {players} players. Give one for each player, or none."
    ),
    "kernel_policy": N_("The kernel does not know the policy of seat {seat}: give one of its own."),
    "kernel_deals": N_("Deals are a NumPy array of DEAL with one dimension, and not {type}."),
    "kernel_array": N_("“{name}” must be a NumPy array of the type {kind} and the shape {shape}."),
    "kernel_not_legal": N_("Row {row}: card {card} is not legal, choose one of its mask."),
    "kernel_seat": N_("The seats go from 0 to the last one before {players}: name one of them."),
    "kernel_nobody_outside": N_(
        "Every seat has a compiled player: leave one to be played from outside."
    ),
    "kernel_no_world": N_("The hidden cards cannot lie in any way that agrees with what was seen."),
    "kernel_worlds_room": N_("The kernel has no room to count so many ways of hiding the cards."),
    "kernel_not_playing": N_("Row {row}: only a deal that is in play, or over, can be solved."),
    "kernel_too_early": N_(
        "Row {row}: {left} cards are still to be played, and deals are solved from {most} cards on."
    ),
    # Positions, by the field that is wrong
    "kernel_phase": N_("Row {row}: a deal is undealt, passing, playing or over, and nothing else."),
    "kernel_dealer": N_("Row {row}: the dealer has no seat at this table."),
    "kernel_number": N_("Row {row}: deals are counted from 1."),
    "kernel_step": N_("Row {row}: the pass of this deal goes elsewhere."),
    "kernel_played": N_("Row {row}: before the pass is over no card can have been played."),
    "kernel_turn": N_("Row {row}: the turn does not follow from the leader and the cards played."),
    "kernel_hands": N_("Row {row}: a hand has too many cards, or too few."),
    "kernel_trick": N_("Row {row}: the trick, its suit and its winner do not go together."),
    "kernel_taken": N_("Row {row}: the cards taken are not as many whole tricks as were gathered."),
    "kernel_kitty": N_("Row {row}: the kitty has the wrong size, or is with the wrong seat."),
    "kernel_cards": N_("Row {row}: a card of the deck is missing, or is in two places."),
    "kernel_opening": N_("Row {row}: the opening card is not the one that the rules ask for."),
    "kernel_leader": N_("Row {row}: the leader has no right to lead."),
    "kernel_broken": N_("Row {row}: whether hearts are broken does not follow from the cards."),
    "kernel_voided": N_("Row {row}: a seat that does not exist has had a chance to discard."),
    "kernel_excluded": N_("Row {row}: a card counts as excluded from the hand that holds it."),
    "kernel_given": N_(
        "Row {row}: the cards passed are too many, or have not gone to their taker."
    ),
    # Environments
    "env_reset_first": N_("Nothing has been dealt: call reset() first."),
    "env_not_legal": N_("Action {action} is not legal: choose one of the mask, here {legal}."),
    "env_seat": N_("There is no seat {seat}: name one of 0 to {players}, the last left out."),
    "env_bots": N_("Bots given: {given}, for {due} other seats. Give one for each of them."),
    "env_deck": N_("The deck must be the {count} cards of these rules, each of them once."),
    "env_option": N_("The environments have no room for {option}={value}: choose another value."),
    "env_reward": N_("There is no reward “{reward}”: choose one of {rewards}."),
    "env_render_mode": N_("There is no render mode “{mode}”: choose one of {modes}."),
    # The engine protocol
    "unknown_command": N_("“{text}” is no command of the protocol; there are {expected}."),
    "malformed_line": N_("Such a line looks like “{expected}”."),
    "line_too_long": N_("This line is too long: more than {most} bytes."),
    "unknown_setting": N_(
        "There is no setting “{text}”: set level, seed, movetime or simulations."
    ),
    "number_out_of_range": N_("{value} is out of range: it goes from {least} to {most}."),
    "seat_unknown": N_("There is no seat “{seat}”: they go from 1 to {players}."),
    "no_match": N_("No match has begun: tell “match” first."),
    "no_deal": N_("Nothing has been dealt: tell “deal” first."),
    "match_is_over": N_("The match is over by its rules: begin another with “match”."),
    "deal_not_over": N_(
        "The present deal is not over: tell its end with “score”, or begin with “match”."
    ),
    "lots_missing": N_("Lots share the pot first: tell “lots” with the seats {seats}, in order."),
    "dealer_missing": N_("Nobody knows who deals first: tell “dealer” and a seat."),
    "told_wrong": N_("“{what}” is “{told}” here; by the rules it is “{expected}”."),
    "nothing_is_passed": N_("With these rules no card is passed, in any direction."),
    "cards_told": N_("Cards told: {given}, and there should be {expected}."),
    "not_of_the_deck": N_("This deck is without {card:the}."),
    "pass_missing": N_("What is received is told after what is passed: tell “pass” first."),
    "exchange_missing": N_("The cards are still being passed: tell “pass” and “receive” first."),
    "nothing_to_receive": N_("No cards are received now."),
    "nobody_begins": N_("Nobody leads to the first trick now."),
    "leader_missing": N_("Nobody knows who leads to the first trick: tell “lead” and a seat."),
    "opening_missing": N_(
        "The kitty may hold the lowest club: tell “lead” with the seat and its card."
    ),
    "opening_no_club": N_("The opening card is a club, and not {card:the}."),
    "opening_elsewhere": N_("Seat {seat} does not hold {card:the}, and cannot lead it."),
    "card_is_ours": N_("Nobody else can have {card:the}: it is in the hand of this seat."),
    "card_is_gone": N_("Nobody can have {card:the} any more: it has been seen elsewhere."),
    "card_is_excluded": N_("Seat {seat} has shown that it does not hold {card:the}."),
    "card_is_passed": N_("This seat has passed {card:the} to seat {seat}."),
    "contradiction": N_(
        "With {card:the} at seat {seat}, the hidden cards cannot lie so that all that was told is"
        " lawful."
    ),
    "moon_missing": N_(
        "Seat {seat} has shot the moon and says how it counts: tell “moon” with “plus” or “minus”."
    ),
    "no_trick_taken": N_("No trick has just been taken."),
    "kitty_missing": N_("This seat has taken the kitty: tell “kitty” and its cards."),
    "no_kitty_for_us": N_("This seat has not taken a kitty."),
    "not_our_turn": N_("This seat has nothing to choose now."),
    "against_the_rules": N_("{refusal}"),
    "bot_failed": N_("The player failed, which is a fault of Volte ({why})."),
    # Outside engines
    "rules_have_no_name": N_(
        "These rules count cards as no option says: no outside program can be told them."
    ),
    "command_unreadable": N_("“{text}” is no command: write it as in a shell, with its options."),
    "program_not_started": N_("“{text}” cannot be started: {why}."),
    "program_not_ready": N_(
        "The program {name} does not get ready ({kind}: {said}): see to it, or leave it out."
    ),
    "program_gives_up": N_(
        "The program {name} fails again and again (forfeits in a row: {count}, the last one"
        " {kind}: {said}): see to it, or leave it out."
    ),
    # The program
    "points_do_not_add_up": N_(
        "The points of the deal add up to {points}, and should add up to {due}."
    ),
}
"""The sentence of each fault, by its reason."""

RECORDS: Final = {
    "too_large": N_("The record is too long, more than {most} bytes."),
    "not_text": N_("This is no text: a record is UTF-8."),
    "line_too_long": N_("This line is too long: more than {most} signs."),
    "empty_record": N_("The record is empty."),
    "not_a_record": N_("A record begins with “{expected}”, not “{text}”."),
    "unknown_version": N_("Records of version {version} are for a newer Volte."),
    "unfinished_line": N_("“{text}” has no end of line: the record was cut off here."),
    "unknown_word": N_("“{text}” cannot be read: here a line begins with {expected}."),
    "malformed": N_("“{text}” cannot be read: such a line looks like “{expected}”."),
    "out_of_place": N_("“{text}” does not belong here: here a line begins with {expected}."),
    "wrong_statement": N_("{what} is “{written}” here; by the rules it is “{expected}”."),
    "header_missing": N_("Something is missing before this line: “{expected}”."),
    "bad_rules": N_("{fault}"),
    "hands_missing": N_("Deal {deal} lacks the hands of the seats {seats}."),
    "wrong_number": N_("There are {given} cards here, and should be {expected}."),
    "not_in_deck": N_("This deck is without {card:the}."),
    "card_twice": N_("The same card is here twice: {card:the}."),
    "no_such_card": N_("“{text}” is no card: write QS, TD or 10D."),
    "nobody_holds": N_("Nobody holds {card:the} any more."),
    "no_such_seat": N_("There is no seat “{seat}”: they go from 1 to {players}."),
    "refused": N_("“{text}” is against the rules. {refusal}"),
    "no_master": N_("The record lacks its “Master” line: the match cannot go on from it."),
    "wrong_master": N_("The “Master” line belongs to another match."),
}
"""By reason, what is wrong in a line of a record."""
