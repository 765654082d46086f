/** Passkeys: has the browser sign the server's challenge, and sends the answer on. */

import { at, make, request, setText } from "../../web/static/page.js";

/**
 * The server's answer: options for the browser, the next page, or the faults by field.
 * @typedef {{options?: any, next?: string, wrong?: Record<string, string>, line?: string}} Answer
 */

const PLACE = at("/account/passkeys");

/** Browsers' names of errors, with the keys of the sentences about them.
 * @type {Record<string, string>} */
const REASONS = {
  NotAllowedError: "cancelled",
  AbortError: "cancelled",
  InvalidStateError: "known",
  SecurityError: "elsewhere",
  NotSupportedError: "unfit",
  ConstraintError: "unfit",
};

/** An error with a sentence about it, and faults by field. */
class PasskeyError extends Error {
  /**
   * @param {string} line
   * @param {Record<string, string>} [wrong]
   */
  constructor(line, wrong = {}) {
    super(line);
    this.wrong = wrong;
  }
}

/** A form whose button has the browser ask for a passkey. */
class Ceremony {
  #busy = false;
  /** The proof by which somebody without a password has confirmed who they are, for a new key. */
  #proof = "";

  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.kind = form.dataset.passkey ?? "";
    /** @type {Record<string, string>} */
    this.words = JSON.parse(form.dataset.words ?? "{}");
    this.button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
    const reason = hindrance();
    if (reason) {
      this.#tell("why", this.words[reason]);
    } else {
      this.#part("why").hidden = true;
      this.button.hidden = false;
      form.addEventListener("submit", (event) => void this.#submit(event));
    }
  }

  /** @param {SubmitEvent} event */
  async #submit(event) {
    event.preventDefault();
    if (this.#busy) return;
    this.#busy = true;
    this.button.setAttribute("aria-disabled", "true");
    this.#clear();
    try {
      await this.#run();
    } catch (error) {
      this.#tell("said", "");
      this.#complain(error);
    }
    this.button.removeAttribute("aria-disabled");
    this.#busy = false;
  }

  async #run() {
    if (this.kind !== "make") {
      const proof = await this.#sign(this.kind);
      this.#go(await this.#ask(this.form.action, { proof }));
    } else if (this.form.hasAttribute("data-confirm") && !this.#proof) {
      this.#proof = await this.#sign("confirm");
      this.#tell("said", this.words.confirmed);
    } else {
      const proof = this.#proof;
      this.#proof = "";
      const { options } = await this.#ask(`${PLACE}/options`, { proof });
      this.#tell("said", this.words.waiting);
      const credential = await created(options);
      this.#go(await this.#ask(this.form.action, { credential }));
    }
  }

  /**
   * A challenge from the server, signed by the browser.
   * @param {string} purpose
   */
  async #sign(purpose) {
    const { options } = await this.#ask(`${PLACE}/challenge`, { purpose });
    this.#tell("said", this.words.waiting);
    return signed(options);
  }

  /** @param {Answer} answer */
  #go({ next }) {
    const carried = new FormData(this.form).get("carried");
    if (carried) sendOn(String(carried));
    else location.assign(at(next ?? "/"));
  }

  /**
   * Sends the form with some more fields.
   * @param {string} address
   * @param {Record<string, string>} more
   * @returns {Promise<Answer>}
   */
  async #ask(address, more) {
    const body = new URLSearchParams(more);
    for (const [name, value] of new FormData(this.form)) body.append(name, String(value));
    const headers = { "x-volte": "1", accept: "application/json" };
    let answer;
    try {
      answer = await request(address, { method: "POST", body, headers });
    } catch {
      throw new PasskeyError(this.words.offline);
    }
    /** @type {Answer} */
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new PasskeyError(told.line ?? this.words.failed, told.wrong);
    return told;
  }

  /** @param {unknown} error */
  #complain(error) {
    const { wrong, message } =
      error instanceof PasskeyError
        ? error
        : new PasskeyError(this.words[REASONS[/** @type {Error} */ (error).name] ?? "failed"]);
    const fields = Object.entries(wrong).filter(([name, line]) => this.#mark(name, line));
    if (fields.length) this.#field(fields[0][0])?.focus();
    else this.#tell("wrong", Object.values(wrong)[0] ?? message);
  }

  /**
   * Shows a fault beside its field. False if there is no such field.
   * @param {string} name
   * @param {string} line
   */
  #mark(name, line) {
    const field = this.#field(name);
    if (!field) return false;
    const id = `${name}-fault`;
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", `${id} ${name}-help`);
    field.after(make("p", { class: "fault", id }, line));
    return true;
  }

  #clear() {
    this.#tell("said", "");
    this.#tell("wrong", "");
    for (const fault of this.form.querySelectorAll(".field .fault")) fault.remove();
    for (const field of this.form.querySelectorAll("[aria-invalid]")) {
      field.removeAttribute("aria-invalid");
      field.setAttribute("aria-describedby", `${field.id}-help`);
    }
  }

  /**
   * @param {string} name
   * @returns {HTMLInputElement | null}
   */
  #field(name) {
    return this.form.querySelector(`.field input[name="${name}"]`);
  }

  /**
   * @param {string} part
   * @returns {HTMLElement}
   */
  #part(part) {
    return /** @type {HTMLElement} */ (this.form.querySelector(`#${this.kind}-${part}`));
  }

  /**
   * @param {string} part
   * @param {string} text
   */
  #tell(part, text) {
    setText(this.#part(part), text);
  }
}

/**
 * Sends a form again that was refused as nobody was signed in. It belongs to the session before, so
 * the server sends it back filled in, and does nothing yet.
 * @param {string} carried
 */
function sendOn(carried) {
  const { path, mark, once, fields } = JSON.parse(carried);
  const form = /** @type {HTMLFormElement} */ (make("form", { method: "post", action: at(path) }));
  for (const [name, texts] of Object.entries({ ...fields, csrf: [`.${mark}.${once}`] })) {
    for (const value of texts) form.append(make("input", { type: "hidden", name, value }));
  }
  document.body.append(form);
  HTMLFormElement.prototype.submit.call(form);
}

/** The reason why passkeys are not possible here; empty where they are. */
function hindrance() {
  if (!window.isSecureContext) return "insecure";
  if (!("PublicKeyCredential" in window)) return "unsupported";
  return /^[\d.]+$|^\[/.test(location.hostname) ? "nameless" : "";
}

/**
 * A new passkey, as JSON.
 * @param {any} options
 */
async function created(options) {
  const made = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: options.excludeCredentials.map(known),
    },
  });
  const { attestationObject } =
    /** @type {AuthenticatorAttestationResponse} */
    (/** @type {PublicKeyCredential} */ (made).response);
  return written(made, { attestationObject });
}

/**
 * A signature of one of the person's passkeys, as JSON.
 * @param {any} options
 */
async function signed(options) {
  const made = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      allowCredentials: options.allowCredentials.map(known),
    },
  });
  const { authenticatorData, signature, userHandle } =
    /** @type {AuthenticatorAssertionResponse} */
    (/** @type {PublicKeyCredential} */ (made).response);
  return written(made, { authenticatorData, signature, userHandle });
}

/**
 * @param {Credential | null} made
 * @param {Record<string, ArrayBuffer | null>} parts
 */
function written(made, parts) {
  const { id, rawId, type, response } = /** @type {PublicKeyCredential} */ (made);
  const all = Object.entries({ clientDataJSON: response.clientDataJSON, ...parts });
  const texts = all.map(([name, part]) => [name, part && text(part)]);
  return JSON.stringify({ id, rawId: text(rawId), type, response: Object.fromEntries(texts) });
}

/** @param {{id: string, type: string}} key */
function known({ id, type }) {
  return { id: bytes(id), type };
}

/**
 * The bytes of a base64url text.
 * @param {string} encoded
 */
function bytes(encoded) {
  const plain = atob(encoded.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}

/**
 * Bytes as base64url text.
 * @param {ArrayBuffer} part
 */
function text(part) {
  const encoded = btoa(String.fromCharCode(...new Uint8Array(part)));
  return encoded.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  new Ceremony(/** @type {HTMLFormElement} */ (form));
}
