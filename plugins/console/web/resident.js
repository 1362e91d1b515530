// @ts-check
/** What the pages of somebody who is looked after do: a clock, words read aloud, and help that is called whatever happens. */
import { newID, notice, now, refresh, say, send } from "./app.js";

const language = document.documentElement.lang;

// The clock goes on without a connection.

function showClock() {
  const clock = /** @type {HTMLElement | null} */ (document.querySelector("[data-clock]"));
  const day = /** @type {HTMLElement | null} */ (document.querySelector("[data-day]"));
  if (!clock || !day) return;
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone: clock.dataset.zone || "UTC", weekday: "short", hour: "numeric", minute: "2-digit", hourCycle: "h23" })
    .formatToParts(new Date(now()));
  /** @param {string} kind */
  const part = (kind) => parts.find(({ type }) => type === kind)?.value || "";
  clock.textContent = `${Number(part("hour"))}:${part("minute")}`;
  const names = JSON.parse(day.dataset.day || "{}");
  const weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].indexOf(part("weekday"));
  const hour = Number(part("hour"));
  const time = hour < 5 || hour >= 22 ? 0 : hour < 12 ? 1 : hour < 18 ? 2 : 3;
  day.textContent = (names.both || "").replace("{weekday}", names.days?.[weekday] || "").replace("{part}", names.parts?.[time] || "");
}
showClock();
setInterval(showClock, 1000);

// Words that are spoken: in the room by the gateway where the page stands there, else by this device.

const isInTheRoom = document.body.dataset.voice === "room";

function voice() {
  if (!("speechSynthesis" in window)) return null;
  return speechSynthesis.getVoices().find((one) => one.lang.slice(0, 2) === language.slice(0, 2)) || null;
}

/**
 * Has words spoken.
 * @param {string} words
 * @param {boolean} wasAsked whether somebody pressed for it; the room is not asked for what the gateway says by itself
 */
async function speak(words, wasAsked) {
  document.dispatchEvent(new CustomEvent("spoken", { detail: words }));
  const own = voice();
  if (own && !isInTheRoom) {
    speechSynthesis.cancel();
    const sentence = new SpeechSynthesisUtterance(words);
    [sentence.voice, sentence.lang, sentence.rate] = [own, own.lang, 0.9];
    speechSynthesis.speak(sentence);
  } else if (wasAsked) {
    const outcome = await send("speech.say", { text: words.slice(0, 500), language: language.slice(0, 2) }, newID());
    if (!outcome.done) notice(outcome.code === "conflict" ? say("unspoken") : outcome.words || say("failed"), { calm: true, seconds: 8, id: "unspoken" });
  }
}

/** All that the page says, in its order. */
function everything() {
  return Array.from(document.querySelectorAll("#banner [data-said], #main [data-said]"), (one) => (one.textContent || "").trim())
    .filter(Boolean).map((words) => /[.!?。！？…”]$/.test(words) ? words : words + ".").join(" ");
}

/** What appears is said once, also when the page is loaded anew. */
function sayNew() {
  const fresh = Array.from(document.querySelectorAll("#main [data-once]"), (one) => /** @type {HTMLElement} */ (one)).filter((one) => {
    try {
      const known = JSON.parse(sessionStorage.getItem("said") || "[]");
      if (known.includes(one.dataset.once)) return false;
      sessionStorage.setItem("said", JSON.stringify([...known, one.dataset.once].slice(-50)));
    } catch { return false; }
    return true;
  });
  if (fresh.length > 0) speak(everything(), false);
}
sayNew();
if ("speechSynthesis" in window) speechSynthesis.getVoices();
document.addEventListener("refreshed", () => { showClock(); sayNew(); count(); locate(); });

// Help.

/** @type {{ key: string, members: any, until: number, dialog: HTMLDialogElement, isTaken: boolean } | null} */
let call = null;

/** @param {HTMLElement} button */
function callForHelp(button) {
  if (call) return;
  const dialog = document.createElement("dialog");
  dialog.className = "matter alarm";
  const [head, figure, words, keys] = ["h1", "p", "p", "div"].map((tag) => document.createElement(tag));
  [head.textContent, words.textContent, keys.className, figure.className] = [say("calling"), say("unless"), "keys", "count"];
  const stop = document.createElement("button");
  [stop.type, stop.className, stop.textContent] = ["button", "key great", say("stop")];
  stop.addEventListener("click", callOff);
  keys.append(stop);
  dialog.append(head, figure, words, keys);
  // Escape closes nothing: whoever wants it off says so.
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  document.body.append(dialog);
  dialog.showModal();
  call = { key: newID(), members: JSON.parse(button.dataset.members || "{}"), until: 0, dialog, isTaken: false };
  speak(say("calling") + ". " + say("unless"), false);
  tryCall(JSON.parse(button.dataset.help || "[]"), 0);
}

/** @param {{ words: string, phone?: string }[]} phones @param {number} tries */
async function tryCall(phones, tries) {
  const mine = call;
  if (!mine) return;
  const outcome = await send("sos.raise", { ...mine.members }, mine.key);
  if (call !== mine) {
    // It was called off while it was on its way.
    if (outcome.done) await stopCall(mine.members);
    return;
  }
  if (outcome.done) {
    await refresh(true);
    mine.dialog.close();
    mine.dialog.remove();
    call = null;
    return;
  }
  const words = mine.dialog.querySelectorAll("p")[1];
  if (words) words.textContent = outcome.isOffline || outcome.code === "not-now" || outcome.code === "busy" ? say("trying") : outcome.words || say("failed");
  const keys = mine.dialog.querySelector(".keys");
  if (keys && keys.children.length === 1) {
    for (const { words, phone } of phones) {
      // What is no telephone says the number.
      const link = document.createElement(phone ? "a" : "p");
      [link.className, link.textContent] = [phone ? "key" : "great", words];
      if (link instanceof HTMLAnchorElement) link.href = `tel:${phone}`;
      keys.prepend(link);
    }
  }
  setTimeout(() => tryCall(phones, tries + 1), Math.min(5000, 1000 + 500 * tries));
}

async function callOff() {
  const mine = call;
  call = null;
  mine?.dialog.close();
  mine?.dialog.remove();
  if (mine) await stopCall(mine.members);
}

/**
 * Calls off what may have arrived although its answer did not: nobody is told that nobody is told before it is so.
 * @param {any} members
 */
async function stopCall(members) {
  const outcome = await send("sos.cancel", members, newID());
  if (outcome.isOffline) {
    notice(say("trying"), { id: "saved" });
    setTimeout(() => stopCall(members), 1500);
    return;
  }
  // Refused where nothing is open, too: then nobody was called.
  notice(outcome.done || outcome.code === "conflict" || outcome.code === "unknown-target" ? say("stopped") : outcome.words || say("failed"), { calm: true, seconds: 6, id: "saved" });
  await refresh(true);
}

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const help = /** @type {HTMLElement | null} */ (target.closest("[data-help]"));
  if (help) return callForHelp(help);
  if (target.closest("[data-read]")) return speak(everything(), true);
  const size = /** @type {HTMLElement | null} */ (target.closest("[data-size-choice]"));
  if (size) return choose(size.dataset.sizeChoice || "");
  const sizing = /** @type {HTMLElement | null} */ (target.closest("[data-card]"));
  if (sizing) return fit(sizing.dataset.card || "");
  const digit = /** @type {HTMLElement | null} */ (target.closest("[data-digit]"));
  if (digit) press(digit.dataset.digit || "");
});

/** Counts down to the moment at which helpers are told, by figures and aloud. */
let counted = -1;
function count() {
  const figure = /** @type {HTMLElement | null} */ (document.querySelector("[data-count]"));
  if (!figure) { counted = -1; return; }
  const left = Math.max(0, Math.ceil((Date.parse(figure.dataset.count || "") - now()) / 1000));
  if (left === counted) return;
  counted = left;
  figure.textContent = String(left);
  if (left <= 5 && left > 0) speak(String(left), false);
  if (left === 0) setTimeout(() => refresh(), 700);
}
count();
setInterval(count, 200);

// What is pressed for long is pressed: no menu of the browser comes up that leads elsewhere.
document.addEventListener("contextmenu", (event) => {
  if (!/** @type {Element} */ (event.target).closest("input, textarea")) event.preventDefault();
});

// Letters and figures.

/** @param {string} size */
function choose(size) {
  try { size ? localStorage.setItem("size", size) : localStorage.removeItem("size"); } catch { /* private window */ }
  if (size) document.documentElement.dataset.size = size; else delete document.documentElement.dataset.size;
}

// How large a millimetre is on this screen, in CSS pixels, which nobody but whoever stands before it can tell.

/** The width of a bank card that stands upright, in mm. @see ISO/IEC 7810, ID-1 */
const card = 53.98;
/** The least side of a key, in mm, and in pixels where nobody has said how large they are; no key fills the screen. */
const [least, usual, most] = [16, 92, 170];
/** As on most telephones. */
let millimetre = 6;
try { millimetre = Number(localStorage.getItem("millimetre")) || millimetre; } catch { /* private window */ }

/** Makes keys as large as they are to be. */
function applySize() {
  let isKnown = false;
  try { isKnown = localStorage.getItem("millimetre") !== null; } catch { /* private window */ }
  if (isKnown) document.documentElement.style.setProperty("--key", `${Math.min(most, Math.max(usual, Math.ceil(least * millimetre)))}px`);
  const frame = /** @type {HTMLElement | null} */ (document.querySelector(".between"));
  if (frame) frame.style.width = `${card * millimetre}px`;
}
applySize();
document.addEventListener("refreshed", applySize);

/** @param {string} how */
function fit(how) {
  if (how === "fits") {
    try { localStorage.setItem("millimetre", String(millimetre)); } catch { /* private window */ }
    return location.assign("/me/look");
  }
  millimetre = Math.min(20, Math.max(2.5, millimetre * (how === "wider" ? 1.02 : 1 / 1.02)));
  applySize();
}

/** @param {string} digit */
function press(digit) {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById("f-pin"));
  if (!field) return;
  field.value = digit === "back" ? field.value.slice(0, -1) : (field.value + digit).slice(0, 8);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// Where somebody is.

/** Whoever opens the page that says where they are wants to know it now. */
let hasLocated = false;
function locate() {
  const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-locates]"));
  if (!place || hasLocated) return;
  hasLocated = true;
  send("locate", { target: place.dataset.locates }, newID());
}
locate();
