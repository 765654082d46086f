"""Matches that have been played, and ratings."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

PAGES: Final = {
    # The list
    "all_matches": N_("All my matches"),
    "matches_nav": N_("About my matches"),
    "statistics": N_("Statistics"),
    "ratings": N_("Ratings"),
    "matches_filter": N_("Which matches"),
    "game_filter": N_("Game"),
    "every_game": N_("all games"),
    "own_rules": N_("other rules"),
    "company_filter": N_("With whom"),
    "company_any": N_("with anybody"),
    "company_people": N_("with other people"),
    "company_bots": N_("with bots alone"),
    "show_matches": N_("Show them"),
    "no_such_matches": N_("There is none of that kind."),
    "matches_pages": N_("More matches"),
    "matches_earlier": N_("Earlier matches"),
    "matches_later": N_("Later matches"),
    "column_result": N_("Result"),
    "column_own": N_("You"),
    "placed": N_("{place}. {name}, {points}"),
    "named_you": N_("{name} (you)"),
    "somebody": N_("somebody who is no longer here"),
    "own_won": N_("first of {most}"),
    "own_place": N_("place {place} of {most}"),
    "own_left": N_("left before the end"),
    "own_late": N_("came while it was played"),
    "match_broken_off": N_("broken off"),
    "match_rated": N_("rated"),
    "match_result": N_("Result"),
    "result_of": N_("Result of the match of {date}"),
    # One match
    "standing_title": N_("Who is where"),
    "column_place": N_("Place"),
    "column_player": N_("Player"),
    "column_points": N_("Points"),
    "column_stakes": N_("Stakes"),
    "column_moons": N_("Moons"),
    "column_queens": N_("Queens of spades"),
    "column_deal": N_("Deal"),
    "column_notes": N_("Notes"),
    "player_left": N_("left before the end"),
    "player_late": N_("came while it was played"),
    "match_rated_in": N_("This match is rated."),
    "ladder_link": N_("Ratings of this game"),
    "look_again": N_("Look at it again"),
    "share_title": N_("Show it to others"),
    "share_help": N_(
        "Whoever has this address sees the result and every card of the match, and can check its"
        " deals, even without a name here. It is good for as long as the match is kept."
    ),
    "share_address": N_("The address of this match"),
    # Statistics
    "statistics_title": N_("My statistics"),
    "statistics_help": N_(
        "Matches that you have played from the beginning to the end. The fewer points, the better;"
        " those that you have left are counted in the last column alone."
    ),
    "no_statistics": N_("You have finished no such match yet."),
    "with_people": N_("With other people"),
    "with_bots": N_("With bots alone"),
    "count_matches": N_("Matches"),
    "count_won": N_("Won"),
    "mean_place": N_("Average place"),
    "mean_points": N_("Points a deal"),
    "count_moons": N_("Moons shot"),
    "mean_queens": N_("Queens of spades a deal"),
    "count_left": N_("Left"),
    # Ratings
    "rating_meaning": N_(
        "Everybody begins with {start} points and rises by finishing before others who have many."
        " The number behind ± says how sure that is: 19 times in 20 the true strength lies so"
        " close. It begins with {margin} and shrinks with every rated match; with fewer than"
        " {least} of them a rating is provisional, and has no place among the others."
    ),
    "rating_rules": N_(
        "A match is rated where the host has set the table up so. People are rated against people;"
        " bots count for nothing. Nobody is given hints or takes a card back. Whoever leaves before"
        " the end is rated as the last; for the others it is as if that seat had been a bot’s. If"
        " nobody comes back to a match, it is broken off in the end: then those pay who had gone"
        " while others played on."
    ),
    "rating_told": N_("{points} ± {margin}"),
    "rating_told_provisional": N_("{points} ± {margin}, provisional"),
    "no_ratings": N_("No rated match has been played yet."),
    "no_placed": N_("Nobody has played enough rated matches yet."),
    "ladder_title": N_("Ratings: {game}"),
    "count_rated": N_("People rated"),
    "own_rating": N_("Your rating"),
    "own_rating_told": N_("Your rating: {rating}"),
    "column_rating": N_("Rating"),
    "column_name": N_("Name"),
    "placed_title": N_("Standings"),
    "provisional_title": N_("Provisional"),
    "ladder_pages": N_("More people"),
    "ladder_further": N_("Further down"),
    "ladder_before": N_("Further up"),
    # At tables
    "rated_table": N_("The matches are rated"),
    "rated_help": N_(
        "For two people at least, by the rules of the game as it stands: no hints, no card is taken"
        " back, and only those who begin a match play it. Whoever leaves one is rated as the last;"
        " one to which nobody comes back is broken off in the end."
    ),
    "rated_note": N_(
        "The matches at this table are rated. There are no hints, no card is taken back, and"
        " whoever leaves a match is rated as the last."
    ),
}
