// @ts-check
/** Shows the code or the token that somebody asked for, for a camera and in words, and enters one that a camera brought. */
import { forget, newID, now, refresh, send, taken } from "./app.js";

/** @type {{ code?: string, picture?: { side: number, path: string } } | null} */
let shown = null;
function show() {
  if (!shown) return;
  const [words, none] = ["code", "no-qr"].map((id) => document.getElementById(id));
  const code = shown.code || "";
  if (words) words.textContent = code.slice(0, 4) + " " + code.slice(4);
  const drawing = document.getElementById("qr");
  if (!drawing) { shown = null; return; }
  drawing.toggleAttribute("hidden", !shown.picture);
  if (none) none.hidden = shown.picture !== undefined;
  if (!shown.picture) return;
  drawing.setAttribute("viewBox", `0 0 ${shown.picture.side} ${shown.picture.side}`);
  drawing.querySelector("path")?.setAttribute("d", shown.picture.path);
}

/** The token of a program, which is shown as long as its page is open. */
let token = "";
function showToken() {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById("token"));
  if (field) field.value = token;
  document.getElementById("made")?.toggleAttribute("hidden", !token);
}

/**
 * Puts what a camera brought where it is entered; it is sent when somebody presses, and not before.
 * @param {boolean} isNew whether it came just now, to a page that was there already
 */
function fill(isNew) {
  const code = taken();
  for (const part of document.querySelectorAll("[data-kind]")) {
    // What came by a camera is for one of them.
    /** @type {HTMLElement} */ (part).hidden = code !== null && /** @type {HTMLElement} */ (part).dataset.kind !== code.kind;
  }
  for (const words of document.querySelectorAll("[data-brought]")) {
    /** @type {HTMLElement} */ (words).hidden = /** @type {HTMLElement} */ (words).dataset.brought !== code?.kind;
  }
  const field = code && /** @type {HTMLInputElement | null} */ (document.querySelector(`[data-brings="${code.kind}"]`));
  if (field && (isNew || !field.value)) field.value = code.code;
  const asking = /** @type {HTMLElement | null} */ (document.querySelector('form[data-command="account.enter-browser"]'));
  if (asking) asking.hidden = code?.kind !== "browser";
}

/** @type {number | undefined} */
let asking;
/** @param {{ name: string, number: string }} answer */
function wait(answer) {
  const parts = ["waiting", "too-late", "whose", "number"].map((id) => /** @type {HTMLElement} */ (document.getElementById(id)));
  const [waiting, late, whose, number] = parts;
  [whose.textContent, number.textContent, waiting.hidden] = [answer.name, answer.number, false];
  const end = now() + 300_000;
  asking = window.setInterval(async () => {
    let isIn = false;
    try { isIn = (await fetch("/api/v1/account/show", { credentials: "same-origin" })).ok; } catch { /* asked again */ }
    if (isIn) return location.assign("/");
    if (now() < end) return;
    clearInterval(asking);
    [waiting.hidden, late.hidden] = [true, false];
  }, 1500);
}

/** At the gateway's own screen a code counts without a press; where it counts no more, the page says what to do. */
async function enterByItself() {
  const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-enters]"));
  const code = taken();
  if (!place || code?.kind !== "screen") return;
  const parts = ["[data-unset]", "[data-entering]"].map((one) => /** @type {HTMLElement} */ (place.querySelector(one)));
  [parts[0].hidden, parts[1].hidden] = [true, false];
  const outcome = await send("account.enter-screen", { code: code.code, label: place.dataset.enters }, newID());
  if (outcome.isOffline || outcome.code === "busy" || outcome.code === "not-now") { setTimeout(enterByItself, 2000); return; }
  forget();
  if (outcome.done) return location.replace("/");
  [parts[0].hidden, parts[1].hidden] = [false, true];
}
enterByItself();

document.addEventListener("carried-out", (event) => {
  const element = /** @type {HTMLElement} */ (event.target);
  const detail = /** @type {CustomEvent} */ (event).detail;
  if (element.querySelector("[data-brings]")) forget();
  if (element.dataset.command === "account.enter-browser") {
    element.hidden = true;
    wait(detail);
  } else if (element.dataset.command === "account.add-program") {
    token = detail.token || "";
    showToken();
    refresh(true);
  } else if (element.dataset.code !== undefined) {
    shown = detail;
    show();
    // What the page waits for from now on.
    refresh(true);
  } else if (element.dataset.command === "account.cancel-browser") shown = null;
});
document.addEventListener("refreshed", () => { show(); showToken(); fill(false); });
document.addEventListener("brought", () => {
  clearInterval(asking);
  for (const id of ["waiting", "too-late"]) document.getElementById(id)?.toggleAttribute("hidden", true);
  fill(true);
});
fill(false);
export {};
