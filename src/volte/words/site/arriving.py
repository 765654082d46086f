"""The first page, and how one comes in."""

from __future__ import annotations

from typing import Final

from volte.words.language import N_

PAGES: Final = {
    "welcome": N_("Welcome to Volte"),
    "hello": N_("Hello {name}"),
    "intro": N_(
        "A game of cards for three to seven: take as few hearts as you can, and never the queen"
        " of spades. With friends or with bots, by eye or by ear, by touch or by keyboard."
    ),
    "your_name": N_("Your name"),
    "your_name_or_not": N_("Your name, if you like"),
    "your_name_help": N_("As the others see it, at most {most} characters. Nothing else is asked."),
    "come_in": N_("Come in"),
    "play_now": N_("Play now with three bots"),
    "play_now_help": N_("You sit down with three bots, and the cards are dealt at once."),
    "ways": N_("Other ways to begin"),
    "new_table_way": N_("For friends who come by a link, with the rules that you like."),
    "learn_way": N_("Nine short steps with real cards, in ten minutes."),
    "help_way": N_("Rules, keys, fair dealing, and where the game comes from."),
    "guest": N_("Guest"),
    "tables": N_("Tables in the room"),
    "no_tables": N_("No table is open: open one, or play with three bots."),
    "no_other_tables": N_("No other table is open at the moment."),
    "my_tables": N_("My tables"),
    "my_matches": N_("My matches"),
    "no_matches": N_("You have played no match here yet."),
    "join": N_("Join"),
    "watch": N_("Watch"),
    "go_on": N_("Go on"),
    "join_table": N_("Join: {table}"),
    "watch_table": N_("Watch: {table}"),
    "go_on_table": N_("Go on: {table}"),
    "column_table": N_("Table"),
    "column_rules": N_("Rules"),
    "column_players": N_("Players"),
    "column_state": N_("State"),
    "table_password": N_("with a password"),
    "table_waiting": N_("waiting for players"),
    "table_playing": N_("playing"),
    "table_paused": N_("paused"),
    "table_over": N_("the match is over"),
    "free_seats": N_("Free seats: {count}"),
    "bot_named": N_("{name} (bot)"),
    "with_changes": N_("{rules}, with changes"),
    "deal_number": N_("deal {number}"),
    "score_of": N_("{name}: {points}"),
    "match_of": N_("Match of {date}"),
    "match_running": N_("not over yet"),
    "record_link": N_("Record"),
    "record_of": N_("Record of the match of {date}"),
    "enter_title": N_("This table has a password"),
    "enter": N_("Enter"),
    "name_first": N_("Say your name, and you can go on."),
    "invited": N_("You are invited to a table"),
    "invited_intro": N_("Say your name, and sit down with the others."),
    "sit_down": N_("Sit down"),
    "only_watch": N_("Only watch"),
}
