"""The keys at a table: one list, from which page, terminal, `?` and manual are made.

A letter means the same everywhere. A letter twice, such as `bb`, is typed at the terminal; on the
page it is Shift and the letter.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Final, Self

from volte.say.language import N_, Language


def bare(text: str) -> str:
    """The text in lower case, without accents."""
    letters = unicodedata.normalize("NFD", text.strip().casefold())
    return "".join(sign for sign in letters if not unicodedata.combining(sign))


class TypedWord(Enum):
    """Things that can be typed, each with its words in every language."""

    @classmethod
    def of(cls, text: str) -> Self | None:
        """Find the member that the text names, whatever its case and accents; None for none.

        >>> Key.of("Règles"), Key.of("qs")
        (<Key.RULES: ('r', 'rules', 'regles')>, None)
        """
        word = " ".join(bare(text).split())
        return next((each for each in cls if word in each.value), None)


class Keys(Enum):
    """Sorts of keys: those of the first three are on the page too."""

    ASKING = "asking"
    HEARING = "hearing"
    ACTING = "acting"
    TERMINAL = "terminal"  # buttons do the same on the page
    PLAYROOM = "playroom"  # at a terminal, at the table of a playroom
    REPLAY = "replay"  # at a terminal, in the replay of a record


class Key(TypedWord):
    """The keys at a table: sort, letter and words to type, effect, more for those who type."""

    TABLE = Keys.ASKING, "c cards table cartes", N_("Cards on the table")
    SCORES = Keys.ASKING, "s score scores", N_("Scores")
    TURN = Keys.ASKING, "t turn tour", N_("Whose turn")
    SITUATION = Keys.ASKING, "g situation", N_("The state of play: turn, trick and hand")
    HAND = Keys.ASKING, "h hand main jeu", N_("My hand")
    LAST = (
        Keys.ASKING,
        "l last trick derniere levee pli last_trick derniere_levee dernier_pli",
        N_("Last trick"),
    )
    POINTS = Keys.ASKING, "p points", N_("Points taken")
    SHEET = (
        Keys.ASKING,
        "f sheet feuille score_sheet feuille_de_marque feuille_de_pointage",
        N_("Score sheet"),
    )
    RULES = Keys.ASKING, "r rules regles", N_("Rules")
    HINT = Keys.ASKING, "i hint indice conseil", N_("Hint")
    TALK = Keys.ASKING, "m talk bavarder clavarder discuter discussion", N_("Chat at the table")
    VERBOSITY = (
        *(Keys.ASKING, "w verbosity words verbosite mots"),
        N_("How much you hear: less each time, then everything again"),
    )
    KEYS = Keys.ASKING, "? help keys aide touches", N_("The keys that work now")
    TRICKS = (
        Keys.ASKING,
        "ll tricks levees plis toutes_les_levees tous_les_plis",
        N_("All the tricks of this deal"),
    )
    ROOM = Keys.ASKING, "mm room salle", N_("Who is in the room")
    WHO = Keys.ASKING, "ww who qui", N_("Who is at the table")
    SEEKING = Keys.ASKING, "gg seeking recherche", N_("Who else is looking for people to play with")
    FRIENDS = Keys.ASKING, "ff friends amis", N_("Which of my friends are here")
    REPEAT = Keys.HEARING, "e repeat again repeter", N_("Say the last message again")
    BEFORE = Keys.HEARING, "b before back avant", N_("The previous message")
    AFTER = Keys.HEARING, "n after next apres", N_("The next message")
    KIND = (
        *(Keys.HEARING, "y kind genre"),
        N_("Which messages: all, plays, points, talk, table"),
    )
    OLDEST = Keys.HEARING, "bb oldest premier", N_("The oldest message")
    LATEST = Keys.HEARING, "nn latest dernier", N_("The latest message")
    SILENCE = (
        *(Keys.HEARING, "yy silence taire"),
        N_("Silence the chosen kind of message, or hear it again"),
    )
    TURN_DOWN = (
        *(Keys.ACTING, "d down retourner"),
        N_("Turn the trick face down, or refuse a request"),
        N_("Or Enter, when asked."),
    )
    PUT_RIGHT = (
        *(Keys.ACTING, "u undo annuler reprendre reparer"),
        N_("Take back my last card or pass, or correct a revoke"),
    )
    OBJECT = (
        *(Keys.ACTING, "o object contester protester", N_("Object to a card")),
        N_("With a name or a place: O Alice, O 2."),
    )
    CLAIM_REVOKE = (
        *(Keys.ACTING, "v revoke renonce denoncer", N_("Claim a revoke")),
        N_("Give a name and a trick, as in V Alice 4; V 4 is for a revoke of your own."),
    )
    CUT = Keys.ACTING, "k cut couper", N_("Cut the cards"), N_("Or Enter, when asked.")
    ACCEPT = (
        *(Keys.ACTING, "a accept accepter"),
        N_("Accept the scores, or agree to a request"),
        N_("Or Enter, when asked."),
    )
    CLAIM = (
        *(Keys.TERMINAL, "claim rest reste etaler"),
        N_("CLAIM: end the deal, when the remaining tricks change nothing"),
    )
    QUIT = (
        *(Keys.TERMINAL, "q quit exit bye quitter fin"),
        N_("Leave the table; the match is saved"),
    )
    SIT = Keys.PLAYROOM, "sit seat asseoir place", N_("SIT: ask for a seat, or stop asking")
    ANEW = (
        *(Keys.PLAYROOM, "anew recommencer"),
        N_("ANEW: start the match over, if somebody has just joined"),
    )
    BOT = Keys.PLAYROOM, "x bot away absent", N_("Let a bot play for me until I am back")
    PEOPLE = (
        *(Keys.PLAYROOM, "people others autres"),
        N_("PEOPLE: look for people to play with, or stop"),
    )
    PAUSE = Keys.PLAYROOM, "z pause wait attendre", N_("Pause the match")
    INVITE = (
        *(Keys.PLAYROOM, "* invite inviter"),
        N_("Open my own table to others, and show its address"),
    )
    MORE = Keys.PLAYROOM, "+ more time plus temps", N_("More time, if there is a time limit")
    WHY = (
        *(Keys.REPLAY, "j why pourquoi", N_("Why somebody played that card")),
        N_("With a name: J Alice."),
    )

    sort: Keys
    effect: str  # beginning with the word to type where it has no letter
    typed: str  # more for those who type it, in a sentence; empty for nothing

    def __new__(cls, sort: Keys, words: str, effect: str, typed: str = "") -> Self:
        key = object.__new__(cls)
        key._value_ = tuple(word.replace("_", " ") for word in words.split())
        key.sort, key.effect, key.typed = sort, effect, typed
        return key

    @property
    def letter(self) -> str:
        """The letter, sign or letters to type, as help shows it; empty for a word."""
        letter = str(self.value[0])
        return letter.upper() if len(letter) < 3 else ""

    @property
    def own(self) -> bool:
        """Whether a person can give the key another letter on the page."""
        return len(self.letter) == 1 and self.sort in ON_PAGE

    @property
    def single(self) -> Key | None:
        """The key of the letter that stands twice in this one; None where it is no double."""
        return Key.of(self.letter[0]) if len(self.letter) == 2 else None

    @property
    def label(self) -> str:
        """Name of the key in settings and scripts."""
        return self.name.lower()

    def line(self, language: Language) -> str:
        """Help on the key at the terminal."""
        if self.letter:
            told = language.t("{key}: {does}.", key=self.letter, does=within(language, self.effect))
        else:
            told = f"{language.t(self.effect)}."
        return f"{told} {language.t(self.typed)}" if self.typed else told


MOON_WORDS: Final = (
    *("moon", "the moon", "shoot the moon", "shooting the moon"),
    *("volte", "controle", "le controle", "chelem", "lune"),
    *("demenagement", "demenagement a la cloche de bois", "demenager a la cloche de bois"),
    *("cloche de bois", "cloche"),
)
SLAM_WORDS: Final = ("slam", "grand slam", "grand chelem", "gc")
"""Words of players for taking every card that counts, and for every trick; many call both alike."""

OF_COMPANY: Final = (Key.TALK, Key.ROOM, Key.SEEKING, Key.FRIENDS)
"""Keys of questions about other people, which make no sense where nobody else can come."""

ON_PAGE: Final = (Keys.ASKING, Keys.HEARING, Keys.ACTING)

DIGITS: Final = N_("One of the cards on the table")
SEATS: Final = N_(
    "One of the seats, clockwise from mine: cards left, points, total, and suits that are gone"
)
"""Effects of a digit, and of a digit twice: on the page of Shift and a digit."""

MOVED: Final[Mapping[Key, str]] = {
    Key.REPEAT: N_("E now repeats the last message. CLAIM ends the deal if you confirm."),
    Key.SITUATION: N_("G now tells you the state of play. LL tells you the tricks of this deal."),
    Key.VERBOSITY: N_("W now changes how much you hear. WW tells you who is at the table."),
    Key.ACCEPT: N_("The A key now accepts scores and requests. SIT asks for a seat."),
    Key.TALK: N_("M is now for chat. Type − for minus, + for plus."),
    Key.WHY: N_("In a replay, J tells you why a card was played. W changes how much you hear."),
}
"""Sentences for letters which once meant something else at the terminal, each told once."""


def within(language: Language, effect: str) -> str:
    """The effect of a key, as it stands within a sentence: with a small letter."""
    text = language.t(effect)
    return text[:1].lower() + text[1:]


def keys_of(*sorts: Keys, own: bool | None = None) -> Iterator[Key]:
    """The keys of some sorts in their order; with `own`, only single letters, or only doubles."""
    return (key for key in Key if key.sort in sorts and own in (None, key.own))


def listed(language: Language, keys: Sequence[Key]) -> tuple[str, ...]:
    """Help on some keys at the terminal, a line each."""
    return tuple(key.line(language) for key in keys)
