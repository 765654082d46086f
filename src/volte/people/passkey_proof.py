"""Challenges for passkeys, and the check of the answers (W3C Web Authentication, level 3).

The secret half of a passkey stays in somebody's device, which asks for their finger, face or PIN
each time. The device signs the server's challenge together with the address of the page, so its
answer is worth nothing at another site, or a second time.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

import msgspec

from volte.people.store import CHALLENGE_LASTS, Passkey, Passkeys
from volte.store import Conflict, Person
from volte.store.writer import Write, Writing
from volte.web.logs import get_logger
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit

SIGN_IN: Final = "sign in"  # the purpose of a challenge for somebody who is not known yet
LONGEST_ID: Final = 1023  # bytes of a passkey's id
LONGEST_KEY: Final = 1024  # bytes of a public key; an RSA key of 4,096 bits has some 530

log = get_logger("volte.server")

Answer = TypeVar("Answer", bound=msgspec.Struct)


class Site(NamedTuple):
    """The site to which passkeys are bound."""

    origin: str  # scheme, host and port, as browsers write it
    id: str  # the host's name


# The answers of browsers, with the names of their JSON


class ClientData(msgspec.Struct, frozen=True):
    """The browser's part of the data that the device signs."""

    type: str
    challenge: str
    origin: str
    crossOrigin: bool = False  # noqa: N815


class Attestation(msgspec.Struct, frozen=True):
    clientDataJSON: str  # noqa: N815
    attestationObject: str  # noqa: N815


class NewPasskey(msgspec.Struct, frozen=True):
    id: str
    rawId: str  # noqa: N815
    type: str
    response: Attestation


class Assertion(msgspec.Struct, frozen=True):
    clientDataJSON: str  # noqa: N815
    authenticatorData: str  # noqa: N815
    signature: str
    userHandle: str | None = None  # noqa: N815


class SignedChallenge(msgspec.Struct, frozen=True):
    id: str
    rawId: str  # noqa: N815
    type: str
    response: Assertion


# Asking


def making(person: Person) -> str:
    """The purpose of a challenge for a person's new passkey."""
    return f"make {person.id}"


def confirming(person: Person) -> str:
    """The purpose of a challenge by which a person confirms that it is still them."""
    return f"confirm {person.id}"


async def ask_to_make(
    visit: Visit, person: Person, known: list[Passkey], writing: Writing
) -> bytes:
    """Options for a browser that makes one more passkey for somebody, as JSON.

    Args:
        writing: stores the challenge, if the person's earlier proof still holds.
    """
    webauthn = _library()
    structs = webauthn.helpers.structs
    options = webauthn.generate_registration_options(
        rp_id=site_of(visit).id,
        rp_name="Volte",
        user_id=person.id.encode(),  # random letters that say nothing of anybody
        user_name=person.name,
        challenge=await room_of(visit).store[Passkeys].challenge(making(person), writing),
        timeout=int(CHALLENGE_LASTS * 1000),
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=_described(webauthn, known),
    )
    return str(webauthn.options_to_json(options)).encode()


async def ask_for_proof(visit: Visit, purpose: str, known: list[Passkey]) -> bytes:
    """Options for a browser that signs a challenge, as JSON.

    Args:
        known: the passkeys of which one has to be used; an empty list for any.
    """
    webauthn = _library()
    options = webauthn.generate_authentication_options(
        rp_id=site_of(visit).id,
        challenge=await room_of(visit).store[Passkeys].challenge(purpose),
        timeout=int(CHALLENGE_LASTS * 1000),
        allow_credentials=_described(webauthn, known),
        user_verification=webauthn.helpers.structs.UserVerificationRequirement.REQUIRED,
    )
    return str(webauthn.options_to_json(options)).encode()


def site_of(visit: Visit) -> Site:
    """The site by the name that the page uses; `Visit.fields` has checked the origin.

    Raises `Refused` where passkeys are not possible: they need a name, not a number.
    """
    origins = room_of(visit).settings.origins
    host = visit.headers.get("host", "").lower()
    usual = origins[0] if origins else f"{visit.scope['scheme']}://{host}"
    origin = visit.headers.get("origin", usual)
    try:
        name = urlsplit(origin).hostname or ""
    except ValueError:
        name = ""
    if not name or ":" in name or name.replace(".", "").isdigit():
        raise Refused(422, "passkey_needs_name")
    return Site(origin, name)


def _library() -> Any:
    """The module `webauthn`. Raises `Refused` where the extra `server` is not installed."""
    try:
        import webauthn  # imported here, as it and its cryptography take a while to load
    except ImportError:
        raise Refused(501, "passkeys_need_extra") from None
    return webauthn


def _described(webauthn: Any, known: list[Passkey]) -> list[Any]:
    return [webauthn.helpers.structs.PublicKeyCredentialDescriptor(id=each.id) for each in known]


# Judging


async def made(visit: Visit, text: str, person: Person, name: str, now: float) -> Passkey:
    """The new passkey of a checked answer to `ask_to_make`, not stored yet. Raises `Refused`."""
    webauthn = _library()
    answer = _read(text, NewPasskey)
    site = site_of(visit)
    challenge = await _take_challenge(
        visit, answer.response.clientDataJSON, "create", making(person)
    )
    try:
        attested = webauthn.helpers.parse_attestation_object(
            _bytes(answer.response.attestationObject)
        )
        if attested.fmt not in ("none", "packed") or attested.att_stmt.x5c:
            raise Refused(422, "passkey_refused")  # no attestation of the device was asked for
        new = webauthn.verify_registration_response(
            credential=msgspec.to_builtins(answer),
            expected_challenge=challenge,
            expected_rp_id=site.id,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    except Refused:
        raise
    except Exception as error:
        raise _refused(error) from None
    if len(new.credential_id) > LONGEST_ID or len(new.credential_public_key) > LONGEST_KEY:
        raise Refused(422, "passkey_refused")
    return Passkey(
        new.credential_id, person.id, new.credential_public_key, new.sign_count, name, now
    )


class PasskeyUse(NamedTuple):
    """A use of a passkey, proved by a signed challenge."""

    passkey: Passkey
    uses: int  # number of the passkey's uses so far, by its own count


async def proved(visit: Visit, text: str, purpose: str, person: Person | None) -> PasskeyUse:
    """The passkey that has signed a challenge; its use is stored by `using`. Raises `Refused`.

    Args:
        person: the owner that the passkey must have; None for anybody whom the answer names.
    """
    webauthn = _library()
    answer = _read(text, SignedChallenge)
    site = site_of(visit)
    challenge = await _take_challenge(visit, answer.response.clientDataJSON, "get", purpose)
    passkey = await room_of(visit).store[Passkeys].find(_bytes(answer.rawId))
    if passkey is None or (person is not None and passkey.person != person.id):
        raise Refused(403, "passkey_unknown")
    handle = answer.response.userHandle
    if (handle or person is None) and _bytes(handle or "") != passkey.person.encode():
        raise Refused(403, "passkey_unknown")
    try:
        signed = webauthn.verify_authentication_response(
            credential=msgspec.to_builtins(answer),
            expected_challenge=challenge,
            expected_rp_id=site.id,
            expected_origin=site.origin,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=0,  # `using` checks it, in the transaction of the use
            require_user_verification=True,
        )
    except Exception as error:
        raise _refused(error) from None
    return PasskeyUse(passkey, signed.new_sign_count)


async def using(visit: Visit, proof: PasskeyUse, *writes: Write) -> None:
    """Store the use of a passkey, and the writes that it allows. Raises `Refused` where it is gone
    meanwhile, or has been copied."""
    passkeys, passkey = room_of(visit).store[Passkeys], proof.passkey
    try:
        await passkeys.use(passkey, proof.uses, *writes)
    except Conflict:
        if await passkeys.find(passkey.id) is None:
            raise Refused(403, "passkey_unknown") from None
        log.warning("passkey_copied", person=passkey.person)
        raise Refused(403, "passkey_copied") from None


def _refused(error: Exception) -> Refused:
    """The refusal for any error of the library, which reads data invented by strangers."""
    log.warning("passkey_refused", why=type(error).__name__)
    return Refused(422, "passkey_refused")


def _read(text: str, kind: type[Answer]) -> Answer:
    try:
        return msgspec.json.decode(text.encode(), type=kind)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        raise Refused(400, "wrong_form") from None


async def _take_challenge(visit: Visit, encoded: str, method: str, purpose: str) -> bytes:
    """The challenge that was signed, now used up. Raises `Refused`."""
    try:
        client = msgspec.json.decode(_bytes(encoded), type=ClientData)
    except (msgspec.DecodeError, RecursionError):
        raise Refused(400, "wrong_form") from None
    challenge = _bytes(client.challenge)
    try:
        await room_of(visit).store[Passkeys].take(challenge, purpose)
    except Conflict:
        raise Refused(403, "passkey_late") from None
    if client.origin != site_of(visit).origin or client.crossOrigin:
        raise Refused(403, "passkey_elsewhere")
    if client.type != f"webauthn.{method}":
        raise Refused(422, "passkey_refused")
    return challenge


def _bytes(encoded: str) -> bytes:
    """The bytes of a base64url text. Raises `Refused` for any other text."""
    try:
        return urlsafe_b64decode(encoded + "===")
    except ValueError:
        raise Refused(400, "wrong_form") from None
