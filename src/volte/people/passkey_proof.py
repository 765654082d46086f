"""What a passkey says, held against what was asked of it (W3C Web Authentication, level 3).

The secret half of a passkey stays in somebody's device, which asks for their finger, face or PIN
each time. The device signs a challenge of ours together with the address of the page: so nothing
that it says is worth anything at another site, or a second time.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

import msgspec
import webauthn
from webauthn.helpers import base64url_to_bytes, parse_attestation_object
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from volte.people.store import CHALLENGE_LASTS, Passkey, Passkeys
from volte.store import Conflict, Person
from volte.web.logs import get_logger
from volte.web.refused import Refused
from volte.web.visit import Visit

SIGN_IN: Final = "sign in"
"""What somebody signs who is not known yet."""

LONGEST_ID: Final = 1023
LONGEST_KEY: Final = 1024
"""Bytes: an RSA key of 4,096 bits has some 530."""

log = get_logger("volte.server")

Said = TypeVar("Said", bound=msgspec.Struct)


class Site(NamedTuple):
    """What passkeys of this site are bound to.

    Attributes:
        origin: as browsers name it.
        id: the host's name.
    """

    origin: str
    id: str


class ClientData(msgspec.Struct, frozen=True):
    """What the browser adds to what the device signs."""

    type: str
    challenge: str
    origin: str
    crossOrigin: bool = False  # noqa: N815


class MadeResponse(msgspec.Struct, frozen=True):
    clientDataJSON: str  # noqa: N815
    attestationObject: str  # noqa: N815


class ProofResponse(msgspec.Struct, frozen=True):
    clientDataJSON: str  # noqa: N815
    authenticatorData: str  # noqa: N815
    signature: str
    userHandle: str | None = None  # noqa: N815


class Made(msgspec.Struct, frozen=True):
    """A new passkey, as browsers tell of it."""

    id: str
    rawId: str  # noqa: N815
    type: str
    response: MadeResponse


class Proof(msgspec.Struct, frozen=True):
    """A challenge that is signed, as browsers tell of it."""

    id: str
    rawId: str  # noqa: N815
    type: str
    response: ProofResponse


# Asking


def making(person: Person) -> str:
    """The purpose of a challenge for a new key of somebody's."""
    return f"make {person.id}"


def confirming(person: Person) -> str:
    """The purpose of a challenge by which somebody shows that it is still them."""
    return f"confirm {person.id}"


async def ask_to_make(visit: Visit, person: Person, known: list[Passkey]) -> bytes:
    """What a browser needs to make one more passkey for somebody, as JSON."""
    options = webauthn.generate_registration_options(
        rp_id=site_of(visit).id,
        rp_name="Volte",
        user_id=person.id.encode(),  # random letters that say nothing of anybody
        user_name=person.name,
        challenge=await visit.room.store[Passkeys].challenge(making(person)),
        timeout=_timeout(),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=_described(known),
    )
    return webauthn.options_to_json(options).encode()


async def ask_for_proof(visit: Visit, purpose: str, known: list[Passkey]) -> bytes:
    """What a browser needs to sign a challenge, as JSON.

    Args:
        known: the keys with one of which it has to be; none for whichever the person chooses.
    """
    options = webauthn.generate_authentication_options(
        rp_id=site_of(visit).id,
        challenge=await visit.room.store[Passkeys].challenge(purpose),
        timeout=_timeout(),
        allow_credentials=_described(known),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return webauthn.options_to_json(options).encode()


def site_of(visit: Visit) -> Site:
    """The site as the page knows it that asks; `read_form` has found its origin to be ours.

    Raises `Refused` where passkeys are not possible: they need a name, and no number.
    """
    origins = visit.room.settings.origins
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


def _described(known: list[Passkey]) -> list[PublicKeyCredentialDescriptor]:
    return [PublicKeyCredentialDescriptor(id=each.id) for each in known]


def _timeout() -> int:
    return int(CHALLENGE_LASTS * 1000)


# Judging


async def made(visit: Visit, text: str, person: Person, name: str, now: float) -> Passkey:
    """The new passkey of somebody who was asked to make one; it is not kept yet.

    Raises `Refused`.
    """
    said = _read(text, Made)
    site = site_of(visit)
    challenge = await _due(visit, said.response.clientDataJSON, "create", making(person))
    try:
        attested = parse_attestation_object(base64url_to_bytes(said.response.attestationObject))
        if attested.fmt not in ("none", "packed") or attested.att_stmt.x5c:
            raise Refused(422, "passkey_refused")  # nobody has asked who made the device
        new = webauthn.verify_registration_response(
            credential=msgspec.to_builtins(said),
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


async def proved(visit: Visit, text: str, purpose: str, person: Person | None) -> Passkey:
    """The passkey by which somebody has signed a challenge; its use is kept.

    Args:
        person: whose key it must be; None for anybody's, who then must be named by the key.

    Raises `Refused`.
    """
    said = _read(text, Proof)
    site = site_of(visit)
    challenge = await _due(visit, said.response.clientDataJSON, "get", purpose)
    passkeys = visit.room.store[Passkeys]
    passkey = await passkeys.find(_bytes(said.rawId))
    if passkey is None or (person is not None and passkey.person != person.id):
        raise Refused(403, "passkey_unknown")
    handle = said.response.userHandle
    if (handle or person is None) and _bytes(handle or "") != passkey.person.encode():
        raise Refused(403, "passkey_unknown")
    try:
        signed = webauthn.verify_authentication_response(
            credential=msgspec.to_builtins(said),
            expected_challenge=challenge,
            expected_rp_id=site.id,
            expected_origin=site.origin,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=0,  # held against below, where no two come at once
            require_user_verification=True,
        )
    except Exception as error:
        raise _refused(error) from None
    try:
        await passkeys.use(passkey, signed.new_sign_count)
    except Conflict:
        if await passkeys.find(passkey.id) is None:
            raise Refused(403, "passkey_unknown") from None
        log.warning("passkey_copied", person=passkey.person)
        raise Refused(403, "passkey_copied") from None
    return passkey


def _refused(error: Exception) -> Refused:
    """Whatever the library stumbled over: it reads what strangers have made up."""
    log.warning("passkey_refused", why=type(error).__name__)
    return Refused(422, "passkey_refused")


def _read(text: str, kind: type[Said]) -> Said:
    try:
        return msgspec.json.decode(text.encode(), type=kind)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        raise Refused(400, "wrong_form") from None


async def _due(visit: Visit, encoded: str, doing: str, purpose: str) -> bytes:
    """The challenge that was signed, which is used up by this. Raises `Refused`."""
    try:
        client = msgspec.json.decode(_bytes(encoded), type=ClientData)
    except (msgspec.DecodeError, RecursionError):
        raise Refused(400, "wrong_form") from None
    challenge = _bytes(client.challenge)
    try:
        await visit.room.store[Passkeys].take(challenge, purpose)
    except Conflict:
        raise Refused(403, "passkey_late") from None
    if client.origin != site_of(visit).origin or client.crossOrigin:
        raise Refused(403, "passkey_elsewhere")
    if client.type != f"webauthn.{doing}":
        raise Refused(422, "passkey_refused")
    return challenge


def _bytes(encoded: str) -> bytes:
    """Raises `Refused` for what is no base64url."""
    try:
        return base64url_to_bytes(encoded)
    except ValueError:
        raise Refused(400, "wrong_form") from None
