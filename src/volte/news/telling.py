"""Sentences of news: for pages, with the names in it, and for what is told outside of them."""

from __future__ import annotations

from volte.news.kinds import News, NewsKind, NewsWishes
from volte.say import Words
from volte.web.visit import NewsLine


def line_of(words: Words, news: News, wishes: NewsWishes) -> NewsLine:
    """A piece of news in words."""
    label = words.t("To the table")
    if news.kind is NewsKind.EVENING:
        label = words.t("To the evening")
    elif news.kind is NewsKind.FRIEND:
        label = words.t("To your friends")
    answer = f"/friends/invited/{news.about}" if news.kind is NewsKind.INVITED else ""
    line = _named(words, news)
    title = _title(words, news)
    outside = notification_text(words, news, wishes)
    return NewsLine(news.kind, news.about, news.path, title, line, label, outside, answer)


def notification_text(words: Words, news: News, wishes: NewsWishes) -> str:
    """The sentence for outside of the page; empty where its person has not asked for it. It bears
    no name unless they want that."""
    if news.kind not in wishes.kinds:
        return ""
    if wishes.names:
        return _named(words, news)
    match news.kind:
        case NewsKind.TURN:
            return words.t("It is your turn.")
        case NewsKind.FULL:
            return words.t("Your table is full.")
        case NewsKind.FRIEND:
            return words.t("A friend is here.")
        case NewsKind.INVITED:
            return words.t("A friend has invited you to a table.")
        case NewsKind.EVENING:
            return words.t("Your evening has begun.")


def _named(words: Words, news: News) -> str:
    match news.kind:
        case NewsKind.TURN:
            return words.t("It is your turn: {table}.", table=news.name)
        case NewsKind.FULL:
            return words.t("Your table is full: {table}.", table=news.name)
        case NewsKind.FRIEND:
            return words.t("{name} is here.", name=news.name)
        case NewsKind.INVITED:
            return words.t("{name} has invited you to a table.", name=news.name)
        case NewsKind.EVENING:
            return words.t("Your evening has begun: {evening}.", evening=news.name)


def _title(words: Words, news: News) -> str:
    match news.kind:
        case NewsKind.TURN:
            return words.t("Your turn")
        case NewsKind.FULL:
            return words.t("Your table is full")
        case NewsKind.FRIEND:
            return words.t("{name} is here", name=news.name)
        case NewsKind.INVITED:
            return words.t("{name} has invited you", name=news.name)
        case NewsKind.EVENING:
            return words.t("Your evening has begun")
