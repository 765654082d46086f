"""Passwords that are tried first, by people and by programs: nobody is helped by one of them.

Those of eight characters and more among the most common in published lists, in English and French,
and words of this game. More can be named by the setting `breached`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from volte.people.store import folded
from volte.web.settings import SettingFault

_PASSWORDS: Final = """
12345678 123456789 1234567890 12345678910 0123456789 87654321 987654321 9876543210 123123123
12341234 11223344 1122334455 12344321 147258369 159357456 789456123 456789123 123654789 741852963
963852741 123456123 123456654321 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc zaq12wsx
q1w2e3r4 q1w2e3r4t5 qwertyui qwertyuiop qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertz123
qwertzuiop azertyui azertyuiop azerty123 azerty1234 azerty12345 123456azerty 123azerty qsdfghjklm
asdfghjkl asdfghjk asdf1234 asdfasdf zxcvbnm123 zxcvbnm1 wxcvbn123 aqwzsxedc abcd1234 abcdefgh
abcdefghi abcdefghij abc12345 abc123456 a1b2c3d4 aa123456 a123456789 a1234567 1234abcd 12345qwert
123456789a 1234567a password password1 password2 password12 password123 password1234 password!
passw0rd p@ssw0rd p@ssword pass1234 passwort motdepasse motdepasse1 motdepasse123 mot2passe
monmotdepasse changeme changeme123 changezmoi letmein1 letmein123 welcome1 welcome123 bienvenue
bienvenue1 bienvenue123 administrator administrateur admin123 admin1234 admin12345 adminadmin
rootroot root1234 testtest test1234 test12345 guest1234 default1 secret123 iloveyou iloveyou1
iloveyou2 jetaime1 jetaime123 jetaimee jetaimemonamour monamour monamour1 mylove123 princess
princess1 princesse princesse1 sunshine sunshine1 soleil123 sunflower superman superman1 batman123
spiderman starwars pokemon1 pokemon123 football football1 baseball basketball footballer
liverpool liverpool1 chelsea1 arsenal1 marseille marseille13 olympique barcelona juventus
michael1 michelle jennifer jonathan nicolas1 nicolas123 alexandre alexandra caroline christine
catherine charlotte charlotte1 isabelle valentin valentine vanessa1 stephanie sebastien
elizabeth victoria maximilian benjamin guillaume dominique frederic francois veronique
chocolat chocolat1 chocolate chouchou doudou123 loulou123 coucou123 coucoucou computer ordinateur
internet internet1 whatever trustno1 dragon123 monkey123 mustang1 shadow123 master123 killer123
hello123 bonjour1 bonjour123 bonjour12 summer2024 summer2025 summer2026 winter2024 winter2025
winter2026 spring2025 spring2026 soleil2025 vacances vacances1 juillet14 liberte1 liberte123
france98 france2018 paris2024 america1 canada123 montreal blink182 metallica nirvana1 samsung1
samsung123 google123 facebook facebook1 linkedin youtube1 naruto123 minecraft minecraft1
babygirl babygirl1 butterfly papillon cheeseburger cinderella snoopy123 scoobydoo doudoune
hearts123 heartsgame queenofspades damedepique dame2pique jeudecartes jeuxdecartes cartesajouer
coeurs123 atoutcoeur volte123 voltevolte shootthemoon leschelem grandchelem
"""

COMMON: Final = frozenset(_PASSWORDS.split())
"""Folded, as `logins.folded` makes them."""


@cache
def breached(path: str) -> frozenset[str]:
    """The passwords of a file, one a line; none where no file is named. Raises `SettingFault`."""
    if not path:
        return frozenset()
    try:
        with Path(path).expanduser().open(encoding="utf-8", errors="replace") as lines:
            return frozenset(folded(line.rstrip("\r\n")) for line in lines)
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise SettingFault("breached_not_read", path=path, why=why) from None
