// @ts-check
/** What every page does: keeps ages true, sends what people ask, and shows what happens as it happens. */

/**
 * The words of the page's language.
 * @type {Record<string, string>}
 */
export const words = {};
for (const term of document.querySelectorAll("#words dt, #resident-words dt")) {
  words[term.textContent || ""] = term.nextElementSibling?.textContent || "";
}

/** @param {string} name @param {Record<string, string | number>} [values] */
export function say(name, values = {}) {
  return (words[name] || "").replace(/\{(\w+)\}/g, (/** @type {string} */ place, /** @type {string} */ key) => String(values[key] ?? place));
}

// What stays in this browser: colours and the size of the text.

/** @param {string} name */
function kept(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}
/** @param {string} name @param {string | null} value */
function keep(name, value) {
  try { value === null ? localStorage.removeItem(name) : localStorage.setItem(name, value); } catch { /* private window */ }
}
function applyLooks() {
  for (const name of ["look", "size"]) {
    const value = kept(name);
    if (value) document.documentElement.dataset[name] = value; else delete document.documentElement.dataset[name];
  }
  const dark = /** @type {HTMLLinkElement | null} */ (document.getElementById("dark"));
  const look = kept("look");
  if (dark) dark.media = look === "dark" ? "all" : look ? "not all" : "(prefers-color-scheme: dark)";
}
applyLooks();

// What a camera read from another screen.

/** Keeps the code that stands behind the address in this tab, over a log-in, and out of the address: it is sent when it is entered. */
function keepBrought() {
  const brought = /^#(code|browser|screen)=([A-Za-z0-9]{8,32})$/.exec(location.hash);
  if (!brought) return;
  try { sessionStorage.setItem("brought", JSON.stringify({ kind: brought[1], code: brought[2], at: Date.now() })); } catch { /* private window */ }
  history.replaceState(null, "", location.pathname + location.search);
  document.dispatchEvent(new CustomEvent("brought"));
}
keepBrought();
window.addEventListener("hashchange", keepBrought);

/**
 * The code that a camera brought into this tab; null where there is none that may still count.
 * @returns {{ kind: string, code: string } | null}
 */
export function taken() {
  try {
    const brought = JSON.parse(sessionStorage.getItem("brought") || "null");
    return brought && Date.now() - brought.at < 600_000 ? brought : null;
  } catch { return null; }
}
/** It was entered. */
export function forget() {
  try { sessionStorage.removeItem("brought"); } catch { /* private window */ }
}

// Ages.

/** @param {number} seconds */
export function span(seconds) {
  if (seconds < 60) return say("seconds", { seconds: Math.floor(seconds) });
  if (seconds < 3600) return say("minutes", { minutes: Math.floor(seconds / 60) });
  if (seconds < 86400) return say("hours", { hours: Math.floor(seconds / 3600) });
  return say("days", { days: Math.floor(seconds / 86400) });
}

/** How far this browser's clock is ahead of the gateway's, in milliseconds. */
let ahead = 0;
/** @param {Document} page */
function compareClocks(page) {
  const told = page.getElementById("main")?.dataset.now;
  if (told) ahead = Date.now() - Date.parse(told);
}
/** The time by the gateway's clock, in milliseconds. */
export function now() { return Date.now() - ahead; }

function showAges() {
  for (const element of document.querySelectorAll("time[data-age]")) {
    const age = (now() - Date.parse(element.getAttribute("datetime") || "")) / 1000;
    if (Number.isFinite(age)) element.textContent = say("ago", { age: span(Math.max(0, age)) });
  }
}
/** Whether there was no connection, so that the page is the one that was seen last, with the time of then. */
const isKept = document.body.dataset.kept !== undefined;
if (!isKept) compareClocks(document);
setInterval(showAges, 5000);

// That an alarm is over.

/** Two soft tones that fall: nobody is to run. */
async function playCalm() {
  const audio = new AudioContext();
  if (audio.state !== "running") await Promise.race([audio.resume(), new Promise((done) => setTimeout(done, 300))]);
  if (audio.state !== "running") return await audio.close();
  const volume = audio.createGain();
  volume.connect(audio.destination);
  [659, 523].forEach((frequency, index) => {
    const tone = audio.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(volume);
    tone.start(audio.currentTime + index * 0.7);
    tone.stop(audio.currentTime + index * 0.7 + 0.6);
  });
  volume.gain.setValueAtTime(0.2, audio.currentTime);
  volume.gain.linearRampToValueAtTime(0, audio.currentTime + 1.4);
  document.dispatchEvent(new CustomEvent("calmed"));
  setTimeout(() => audio.close(), 2000);
}

/** Lets the end of an alarm be heard once by whoever looks when it comes, and takes it away when it is old. */
function calmDown() {
  for (const line of document.querySelectorAll("[data-until]")) {
    if (now() >= Date.parse(line.getAttribute("data-until") || "")) line.remove();
  }
  for (const line of document.querySelectorAll("[data-calms]")) {
    const name = "calmed " + line.getAttribute("data-calms");
    try {
      if (sessionStorage.getItem(name)) continue;
      sessionStorage.setItem(name, "1");
    } catch { continue; }
    if (now() - Date.parse(line.getAttribute("data-at") || "") < 120_000) playCalm();
  }
}
calmDown();
setInterval(calmDown, 5000);

/** Says that the alerts are looked at, by whoever has them before their eyes. */
async function seeAlerts() {
  const mark = document.getElementById("seen");
  const { account, newest: until } = mark?.dataset || {};
  if (!mark || !account || document.hidden) return;
  mark.remove();
  const outcome = await send("account.see-alerts", { target: account, until }, newID());
  if (outcome.done) refreshSoon();
}

// Notices.

/** @param {string} text @param {{ calm?: boolean, id?: string, seconds?: number, button?: [string, () => void] }} [how] */
export function notice(text, how = {}) {
  const place = document.getElementById("notices");
  if (!place) return;
  if (how.id) document.getElementById(how.id)?.remove();
  const line = document.createElement("p");
  if (how.id) line.id = how.id;
  if (how.calm) line.className = "calm";
  line.append(text);
  if (how.button) {
    const [label, act] = how.button;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button";
    button.textContent = label;
    button.addEventListener("click", () => { line.remove(); standInMain(); act(); });
    line.append(button);
  }
  place.append(line);
  if (how.seconds) setTimeout(() => { line.remove(); standInMain(); }, how.seconds * 1000);
}

// What people ask.

/** A name that nobody used before. */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return "w" + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {any} members @param {string} id @returns {any} */
function named(members, id) {
  if (members === "@new") return id;
  if (Array.isArray(members)) return members.map((member) => named(member, id));
  if (members === null || typeof members !== "object") return members;
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key, named(value, id)]));
}

/** By which whoever came by the link in a message is known; such a page has no session. */
const link = document.body.dataset.link;
/** @returns {Record<string, string>} */
export function credentials() { return link ? { Authorization: "Bearer " + link } : {}; }

/** @param {string} action */
function address(action) { return "/api/v1/" + action.split(".").map(encodeURIComponent).join("/"); }

/** What became of something that was sent.
 * @typedef {{ done: boolean, result?: any, code?: string, words?: string, isOffline?: boolean }} Outcome */

/**
 * Sends something to the gateway, once; a repetition under the same key is done once.
 * @param {string} action @param {any} members @param {string} key @returns {Promise<Outcome>}
 */
export async function send(action, members, key) {
  let answer;
  try {
    answer = await fetch(address(action), {
      method: "POST", credentials: "same-origin",
      headers: { "Content-Type": "application/json", "Idempotency-Key": key, ...credentials() }, body: JSON.stringify(members),
    });
  } catch { return { done: false, isOffline: true, words: say("failed") }; }
  let content = {};
  try { content = await answer.json(); } catch { /* no JSON came */ }
  if (answer.ok) return { done: true, result: content };
  const problem = /** @type {any} */ (content);
  return { done: false, code: problem.code || String(answer.status), words: problem.title || say("failed") };
}

/**
 * Has something done, asking once more where it takes something away.
 * @param {string} action @param {any} members @returns {Promise<Outcome>}
 */
export async function demand(action, members) {
  const key = newID();
  const outcome = await send(action, members, key);
  if (outcome.code === "unconfirmed" && (await confirmed(outcome.words || ""))) {
    return await send(action, { ...members, confirms: true }, newID());
  }
  if (outcome.code === "logged-out" && link) await refresh(true);
  else if (outcome.code === "logged-out" && !action.startsWith("account.")) {
    location.assign("/log-in?next=" + encodeURIComponent(location.pathname + location.search));
  }
  if (outcome.isOffline && waits(action)) {
    queue(action, members, key);
    return { done: false, isOffline: true, words: say("queued") };
  }
  return outcome;
}

/** @param {string} text @returns {Promise<boolean>} */
async function confirmed(text) {
  return await asked(text, [[say("cancel"), false], [say("confirm"), true]]) || false;
}

/**
 * Asks, and waits for one of several answers; null where nobody gives one.
 * @template Answer
 * @param {string} text @param {[string, Answer][]} answers the first is what is meant where nothing else is
 * @returns {Promise<Answer | null>}
 */
export function asked(text, answers) {
  return new Promise((resolve) => {
    const dialog = document.createElement("dialog");
    // Safari and Firefox have dialogs of pages since March 2022; before there is the browser's own.
    if (!dialog.showModal) return resolve(window.confirm(text) ? answers[answers.length - 1][1] : answers[0][1]);
    const line = document.createElement("p");
    line.textContent = text;
    const actions = document.createElement("p");
    actions.className = "actions";
    for (const [label, answer] of answers) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button" + (answer === answers[0][1] ? " first" : " quiet");
      button.textContent = label;
      button.addEventListener("click", () => { resolve(answer); dialog.close(); });
      actions.append(button);
    }
    dialog.append(line, actions);
    dialog.addEventListener("close", () => { resolve(null); dialog.remove(); });
    document.body.append(dialog);
    dialog.showModal();
  });
}

// What waits for a connection: kept over a reload, sent once and in order.

/**
 * Whether something may be done later than it was asked.
 * @param {string} action
 */
function waits(action) {
  return ["message.send", "note.put", "note.remove", "bookmark.put", "glucose.put", "routine.answer"].includes(action);
}
/** @returns {{ action: string, members: any, key: string }[]} */
function waiting() { try { return JSON.parse(kept("waiting") || "[]"); } catch { return []; } }
/** @param {string} action @param {any} members @param {string} key */
function queue(action, members, key) {
  keep("waiting", JSON.stringify([...waiting(), { action, members, key }].slice(-50)));
}
let isFlushing = false;
async function flush() {
  if (isFlushing || !document.body.dataset.live) return;
  isFlushing = true;
  for (let first = waiting()[0]; first; first = waiting()[0]) {
    const outcome = await send(first.action, first.members, first.key);
    if (outcome.isOffline || outcome.code === "busy" || outcome.code === "not-now") break;
    keep("waiting", JSON.stringify(waiting().slice(1)));
    if (!outcome.done) notice(outcome.words || say("failed"));
  }
  isFlushing = false;
}

/** @param {HTMLElement} element */
function membersOf(element) {
  return named(JSON.parse(element.dataset.members || "{}"), newID());
}

/** @param {any} object @param {string[]} path @param {any} value */
function put(object, path, value) {
  const [name, ...rest] = path;
  if (rest.length === 0) {
    if (value === undefined) delete object[name]; else object[name] = value;
  } else {
    object[name] = { ...(object[name] || {}) };
    put(object[name], rest, value);
  }
}

export const metersInFoot = 0.3048;

/**
 * The length in a field, in metres; what nobody changed is exactly what the gateway has.
 * @param {HTMLInputElement} input
 */
export function metersOf(input) {
  if (input.dataset.reads !== "feet") return Number(input.value) || 0;
  return input.value === input.defaultValue ? Number(input.dataset.meters) : Number(input.value) * metersInFoot;
}

/**
 * The moment in a field, now where it is empty; what nobody changed is exactly what the gateway has.
 * @param {HTMLInputElement} input
 */
function momentOf(input) {
  if (input.dataset.moment && input.value === localOf(input.dataset.moment)) return input.dataset.moment;
  return (input.value ? new Date(input.value) : new Date(now())).toISOString();
}
/**
 * A moment as a field of date and time has it, by this device's zone.
 * @param {string} iso
 */
function localOf(iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "" : new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
function showMoments() {
  for (const input of document.querySelectorAll("input[data-moment]")) {
    const field = /** @type {HTMLInputElement} */ (input);
    if (field.dataset.moment) field.value = localOf(field.dataset.moment);
  }
}
showMoments();

/** @param {HTMLFormElement} form */
function read(form) {
  const members = membersOf(form);
  for (const field of form.querySelectorAll("input[name], select[name], textarea[name]")) {
    const input = /** @type {HTMLInputElement} */ (field);
    /** @type {any} */
    let value = input.value.trim();
    if (input.type === "password") value = input.value;
    if (input.dataset.reads === "chosen" && !input.checked) continue;
    if (input.dataset.reads === "flag") value = input.checked;
    else if (input.dataset.reads === "moment") value = momentOf(input);
    else if (value === "" || input.dataset.reads === "item" && input.type === "checkbox" && !input.checked) value = undefined;
    else if (input.dataset.reads === "number") value = Number(value);
    else if (input.dataset.reads === "feet") value = metersOf(input);
    else if (input.dataset.reads === "json") value = JSON.parse(value);
    else if (input.dataset.reads === "list") value = value.split(/[,;，、\s]+/).filter(Boolean);
    else if (input.dataset.reads === "items") value = value.split(/[,;，、]+/).map((/** @type {string} */ one) => one.trim()).filter(Boolean);
    // Several fields of one name are a list; what is empty is none of it.
    const path = input.name.split(".");
    if (!["item", "items"].includes(input.dataset.reads || "")) put(members, path, value);
    else put(members, path, [...(path.reduce((within, name) => within?.[name], members) || []), ...(value === undefined ? [] : [value].flat())]);
  }
  return members;
}

/** @param {HTMLFormElement} form @param {string} text */
function blame(form, text) {
  const fault = /** @type {HTMLElement | null} */ (form.querySelector(".fault"));
  if (!fault) return notice(text);
  fault.textContent = text;
  fault.hidden = false;
  fault.scrollIntoView({ block: "nearest" });
}

/** How much was pressed whose answer is not there yet: until then what was pressed stays, for the answer finds its place by it. */
let underWay = 0;
/** Whether the page would have been put anew meanwhile. */
let isHeldBack = false;
function catchUp() {
  if (!isHeldBack || underWay > 0) return;
  isHeldBack = false;
  refreshSoon();
}
/** @param {HTMLElement} element @param {any} members @param {(text: string) => void} refuse */
async function carryOut(element, members, refuse) {
  const button = element instanceof HTMLFormElement ? element.querySelector("button:not([type])") : element;
  // A button that is disabled would lose the focus, and whoever has but a keyboard their place.
  if (button?.hasAttribute("aria-disabled")) return;
  button?.setAttribute("aria-disabled", "true");
  underWay += 1;
  const outcome = await demand(element.dataset.command || "", members);
  underWay -= 1;
  button?.removeAttribute("aria-disabled");
  if (!outcome.done) { catchUp(); return refuse(outcome.words || say("failed")); }
  element.dispatchEvent(new CustomEvent("carried-out", { bubbles: true, detail: outcome.result }));
  const then = element.dataset.then;
  const undo = element.dataset.undo;
  if (undo) sessionStorage.setItem("undo", JSON.stringify([undo, element.dataset.undoMembers]));
  if (then) return location.assign(then);
  if (element.dataset.said) {
    const said = document.getElementById(element.dataset.said);
    if (said) said.hidden = false;
    return;
  }
  if (element.dataset.code !== undefined) { touched.delete(element); return catchUp(); }
  if (element instanceof HTMLFormElement) element.reset();
  touched.clear();
  const tells = element.dataset.tells ?? say("saved");
  if (undo) offerUndo(); else if (tells) notice(tells, { calm: true, seconds: 4, id: "saved" });
  await refresh(true);
}

function offerUndo() {
  const text = sessionStorage.getItem("undo");
  if (!text) return;
  sessionStorage.removeItem("undo");
  const [action, members] = JSON.parse(text);
  notice(say("removed"), {
    calm: true, seconds: 10, id: "undo",
    button: [say("undo"), async () => {
      const outcome = await demand(action, JSON.parse(members));
      if (!outcome.done) notice(outcome.words || say("failed"));
      await refresh(true);
    }],
  });
  // What was taken away may be gone already.
  if (document.activeElement?.id === "main") standAtUndo();
}

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.dataset.command) return;
  event.preventDefault();
  const fault = /** @type {HTMLElement | null} */ (form.querySelector(".fault"));
  if (fault) fault.hidden = true;
  const wrong = /** @type {HTMLInputElement | null} */ (form.querySelector(":invalid"));
  if (wrong) {
    wrong.focus();
    return blame(form, (form.querySelector(`label[for="${wrong.id}"]`)?.textContent || "") + ": " + wrong.validationMessage);
  }
  if (form.dataset.asks && !(await confirmed(form.dataset.asks))) return;
  carryOut(form, read(form), (text) => blame(form, text));
});
/** @param {HTMLElement} button */
async function press(button) {
  if (button.dataset.asks && !(await confirmed(button.dataset.asks))) return;
  carryOut(button, membersOf(button), (text) => notice(text));
}
document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const button = /** @type {HTMLElement | null} */ (target.closest("button[data-command]"));
  if (button) press(button);
});
// A key that is held down presses once: what it pressed may have become its opposite.
document.addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault();
});
// Of a field of several lines a browser brings but the one with the cursor into sight.
document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLTextAreaElement) target.scrollIntoView({ block: "nearest" });
});
document.addEventListener("change", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.dataset.keeps) { keep(input.dataset.keeps, input.value || null); applyLooks(); }
});
for (const input of document.querySelectorAll("[data-keeps]")) {
  const select = /** @type {HTMLSelectElement} */ (input);
  select.value = kept(select.dataset.keeps || "") || "";
}

// What happens.

/**
 * Forms in which somebody has begun to write: they are not taken from under their hands.
 * @type {Set<Element>}
 */
const touched = new Set();
document.addEventListener("input", (event) => {
  const form = /** @type {Element} */ (event.target).closest("form");
  if (form) touched.add(form);
});

/** @returns {Promise<Document>} */
function fetchPage() {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", location.pathname + location.search);
    request.responseType = "document";
    request.onload = () => {
      if (!request.response) return reject(new Error("no page"));
      if (new URL(request.responseURL).pathname !== location.pathname) location.assign(request.responseURL);
      resolve(request.response);
    };
    request.onerror = () => reject(new Error("no connection"));
    request.send();
  });
}

// Where the focus is.

/**
 * What a control has in common with the one in its place on a page that is shown anew.
 * @param {Element} control
 */
function kind(control) {
  return [control.tagName, ...["id", "name", "href", "data-command", "type"].map((name) => control.getAttribute(name))].join("\n");
}

/**
 * Remembers which control has the focus.
 * @returns {() => void} gives the focus to its successor, where there is one, and else to what the page says
 */
function holdFocus() {
  const held = /** @type {HTMLElement | null} */ (document.activeElement);
  if (!held || held === document.body) return () => {};
  const controls = () => Array.from(document.getElementsByTagName(held.tagName), (one) => /** @type {HTMLElement} */ (one))
    .filter((one) => kind(one) === kind(held));
  const before = controls();
  return () => {
    if (held.isConnected) return;
    const now = controls();
    const same = now.find((one) => one.dataset.members === held.dataset.members && held.dataset.members);
    const next = same || (now.length === before.length ? now[before.indexOf(held)] : null);
    if (next) next.focus({ preventScroll: true }); else if (!standAtUndo()) standInMain();
  };
}

/** Whether all of what has the focus is on the screen. */
function isFocusInSight() {
  const box = document.activeElement?.getBoundingClientRect();
  return box !== undefined && box.top >= 0 && box.bottom <= window.innerHeight;
}

/** Whoever took something away, and their own place with it, finds the way back next. */
function standAtUndo() {
  const line = document.getElementById("undo");
  if (line) line.tabIndex = -1;
  line?.focus({ preventScroll: true });
  return line !== null;
}

/** Lets whoever has lost their place go on with Tab from what the page says. */
function standInMain() {
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
}

/** @param {Document} page @param {string} selector */
function take(page, selector) {
  const fresh = page.querySelectorAll(selector);
  document.querySelectorAll(selector).forEach((old, index) => {
    if (!fresh[index] || old.innerHTML === fresh[index].innerHTML) return;
    old.replaceChildren(...Array.from(fresh[index].childNodes, (node) => document.importNode(node, true)));
  });
}

/**
 * Addresses of the alarms on a page that want somebody to come.
 * @param {Document} page
 */
function calls(page) {
  return Array.from(page.querySelectorAll("#banner [data-rings]"), (call) => call.getAttribute("href") || "");
}

let isRefreshing = false;
let isWanted = false;
/**
 * Shows the page as it is now.
 * @param {boolean} [wasAsked] whether whoever looks did something for it
 * @param {Document | null} [fetched] the page, where it is there already
 */
export async function refresh(wasAsked = false, fetched = null) {
  if (isRefreshing) { isWanted = true; return; }
  isRefreshing = true;
  try {
    const page = fetched || await fetchPage();
    // What stands here is not the page that was asked for.
    if (document.body.dataset.kept === "first") return location.reload();
    compareClocks(page);
    document.title = page.title;
    const giveFocus = holdFocus();
    const wasInSight = isFocusInSight();
    const open = Array.from(document.querySelectorAll("#main details"), (details) => details.hasAttribute("open"));
    const known = calls(document);
    take(page, "#banner");
    take(page, ".top nav");
    // The page of an alarm rings; who has begun to write keeps what is written, and sees the banner.
    const call = calls(page).find((address) => !known.includes(address));
    if (call && touched.size === 0) return location.assign(call);
    const [hasMap, getsMap] = [document, page].map((one) => one.getElementById("map") !== null);
    const isInField = document.activeElement?.matches("#main form input, #main form select, #main form textarea");
    isHeldBack = isHeldBack || underWay > 0;
    const isWriting = touched.size > 0 || underWay > 0 || isInField && !wasAsked;
    // A map begins with the page that has it.
    if (getsMap && !hasMap && !isWriting) return location.reload();
    if (hasMap && getsMap) {
      if (!isWriting) take(page, ".side");
      take(page, "#drawn");
      document.dispatchEvent(new CustomEvent("drawn"));
    } else if (!isWriting) take(page, "#main");
    if (!isWriting) {
      document.querySelectorAll("#main details").forEach((details, index) => details.toggleAttribute("open", open[index] || false));
      document.querySelectorAll("[data-keeps]").forEach((input) => {
        const select = /** @type {HTMLSelectElement} */ (input);
        select.value = kept(select.dataset.keeps || "") || "";
      });
    }
    calmDown();
    seeAlerts();
    if (!isWriting) showMoments();
    document.dispatchEvent(new CustomEvent("refreshed"));
    if (link) seen();
    giveFocus();
    // A banner above pushes everything down.
    if (wasInSight && document.activeElement?.matches("#main *")) document.activeElement.scrollIntoView({ block: "nearest" });
    showAges();
  } catch { /* the stream says when there is a connection again */ } finally { isRefreshing = false; }
  if (isWanted) { isWanted = false; await refresh(); }
}

/** @type {number | undefined} */
let soon;
let lastRefresh = 0;
/** Shows the first of several things at once, and those that come with it together. */
function refreshSoon() {
  if (soon !== undefined) return;
  const wait = Date.now() - lastRefresh > 500 ? 0 : 60;
  soon = window.setTimeout(() => { soon = undefined; lastRefresh = Date.now(); refresh(); }, wait);
}

let lastSign = isKept ? Date.parse(document.getElementById("main")?.dataset.now || "") || 0 : Date.now();
let isStale = false;
function seen() {
  lastSign = Date.now();
  if (!isStale) return;
  isStale = false;
  document.getElementById("stale")?.remove();
  notice(say("live"), { calm: true, seconds: 4 });
  if (!link) refreshSoon();
}
function check() {
  if (isStale || Date.now() - lastSign < (link ? 15000 : 45000)) return;
  isStale = true;
  const since = new Date(lastSign).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
  notice(say("stale", { time: since }), { id: "stale" });
}

/** @param {any} event */
function happened(event) {
  seen();
  document.dispatchEvent(new CustomEvent("happened", { detail: event }));
  // What nobody has before their eyes is fetched when they look again; an alarm opens its page also behind another.
  if (!document.hidden || String(event.type).startsWith("alarm.")) refreshSoon();
}

/** One tab of a browser holds the stream and tells the others: a browser opens few connections to one place. */
function listen() {
  const stream = document.body.dataset.live;
  if (!stream) return;
  const others = "BroadcastChannel" in window ? new BroadcastChannel("homeward") : null;
  others?.addEventListener("message", (message) => message.data ? happened(message.data) : seen());
  /** @type {() => Promise<void>} */
  const open = () => new Promise((ended) => {
    const source = new EventSource(stream);
    source.onmessage = (message) => {
      const event = JSON.parse(message.data);
      others?.postMessage(event);
      happened(event);
    };
    source.addEventListener("here", () => { others?.postMessage(null); seen(); flush(); });
    source.addEventListener("elsewhere", () => { source.close(); ended(undefined); });
    source.addEventListener("ended", (message) => {
      if (/** @type {MessageEvent} */ (message).data.includes("logged-out")) { source.close(); location.assign("/log-in"); }
    });
    source.onopen = () => refreshSoon();
    source.onerror = () => {
      // A browser gives up where an answer came that is no stream.
      if (source.readyState === EventSource.CLOSED) { source.close(); setTimeout(() => ended(undefined), 2000); }
    };
  }).then(open);
  if (navigator.locks) navigator.locks.request("homeward-stream", open); else open();
  setInterval(check, 5000);
  check();
  window.addEventListener("online", refreshSoon);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) { check(); refreshSoon(); } });
}

/** Who came by a link asks again and again, until there is nothing more to see. */
function ask() {
  if (!link) return;
  const asking = setInterval(async () => {
    await refresh();
    check();
    if (document.getElementById("map") === null) clearInterval(asking);
  }, 5000);
}

// What goes on by itself, such as a search, is looked at anew until the page says no more that it waits. Where nothing is
// different, nothing is put anew under somebody's hands.
let lastWaited = "";
setInterval(async () => {
  if (document.hidden || !document.querySelector("#main [data-waits]")) return;
  try {
    const page = await fetchPage();
    const fresh = page.getElementById("main")?.innerHTML || "";
    if (fresh !== lastWaited) await refresh(false, page);
    lastWaited = fresh;
  } catch { /* the stream says when there is a connection again */ }
}, 2000);

offerUndo();
seeAlerts();
listen();
ask();
/** Has the browser keep the worker by which pages are there while the network is away. */
function keepWorker() {
  /** @type {any} */
  const types = /** @type {any} */ (window).trustedTypes;
  const worker = types ? types.createPolicy("homeward", { createScriptURL: () => "/sw.js" }).createScriptURL("") : "/sw.js";
  return navigator.serviceWorker.register(worker);
}

/** What became of it: refused where the browser does not trust the certificate; null where it keeps none. */
export const worker = "serviceWorker" in navigator && window.isSecureContext ? keepWorker() : null;
if (worker) worker.catch(() => { /* without a trusted certificate there is none */ });
