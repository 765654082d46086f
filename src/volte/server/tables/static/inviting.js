/** Choosing a friend to invite to the table. */

import { closeDialog, open } from "../../../web/static/dialog.js";
import { at, make, parsed, request, say } from "../../../web/static/page.js";

/**
 * Shows the friends, as far as they may know it with who is here, and invites the one chosen.
 * @param {string} title
 * @param {(friend: string) => void} invite takes the friend's id
 * @param {() => void} home takes the focus if it cannot return
 */
export async function chooseFriend(title, invite, home) {
  const answer = await request(at("/friends/choices"));
  if (!answer.ok) throw new Error(String(answer.status));
  const choices = make("div", {}, [...parsed(await answer.text())]);
  choices.addEventListener("click", ({ target }) => {
    const friend = target instanceof HTMLElement ? target.closest("button")?.dataset.friend : "";
    if (!friend) return;
    closeDialog();
    invite(friend);
  });
  const back = make("button", { type: "button" }, say("close_dialog"));
  back.addEventListener("click", () => closeDialog());
  const heading = make("h2", { id: "dialog-title" }, title);
  open([heading, choices, make("p", { class: "buttons" }, [back])], home);
}
