// @ts-check
/** Has this browser told of alarms while no page is open, and keeps it so. */
import { demand, notice, say, worker } from "./app.js";

/** Of which session the page is; a page that is shown anew has another. */
function mark() { return document.getElementById("push"); }
const patience = 20_000;

/**
 * What is shown.
 * @type {string[]}
 */
let states = [];
/**
 * Shows what is so, and nothing else.
 * @param {...string} now
 */
function show(...now) {
  states = now;
  for (const element of document.querySelectorAll("[data-push]")) {
    /** @type {HTMLElement} */ (element).hidden = !states.includes(/** @type {HTMLElement} */ (element).dataset.push || "");
  }
}

/** Shows how things stand without anybody's doing. */
function showState() {
  if (!("serviceWorker" in navigator) && !window.isSecureContext) return show("untrusted");
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return show("none");
  if (Notification.permission === "denied") return show("refused");
  const told = mark()?.dataset.told;
  if (told && Notification.permission === "granted") show(told, "told"); else show("off");
}

/** @param {string} text Base64 for addresses */
function bytes(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}
/** @param {ArrayBuffer | null} buffer */
function text(buffer) {
  const plain = String.fromCharCode(...new Uint8Array(buffer || new ArrayBuffer(0)));
  return btoa(plain).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/**
 * Has the browser's own service make an address for this gateway's key.
 * @param {string} key @returns {Promise<PushSubscription>}
 */
async function subscribed(key) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const old = await pushManager.getSubscription();
  if (old && text(old.options.applicationServerKey) === key) return old;
  // It was made for another key: the gateway has a new one.
  if (old) await old.unsubscribe();
  return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
}

/** @param {PushSubscription} subscription @param {boolean} wantsPlaces */
async function tell(subscription, wantsPlaces) {
  const keys = { p256dh: text(subscription.getKey("p256dh")), auth: text(subscription.getKey("auth")) };
  const push = { endpoint: subscription.endpoint, keys, wantsPlaces };
  return await demand("account.put-push", { target: mark()?.dataset.account, session: mark()?.dataset.session, push });
}

/** @type {number | undefined} */
let waiting;
async function switchOn() {
  const wantsPlaces = /** @type {HTMLInputElement} */ (document.getElementById("f-push-places")).checked;
  if (await Notification.requestPermission() !== "granted") return showState();
  show("waiting");
  waiting = window.setTimeout(() => show("silent", "told"), patience);
  try {
    const outcome = await tell(await subscribed(mark()?.dataset.key || ""), wantsPlaces);
    if (outcome.done) return;
    notice(outcome.words || say("failed"));
    show("off");
  } catch { show("failed", "off"); }
  clearTimeout(waiting);
}

async function switchOff() {
  const outcome = await demand("account.end-push", { target: mark()?.dataset.account, session: mark()?.dataset.session });
  if (!outcome.done) return notice(outcome.words || say("failed"));
  mark()?.removeAttribute("data-told");
  showState();
  await (await (await navigator.serviceWorker.ready).pushManager.getSubscription())?.unsubscribe();
}

/** Makes an address anew where it was lost, or the gateway has another key. */
async function renew() {
  const own = mark()?.dataset;
  if (!own?.told || !("PushManager" in window) || Notification.permission !== "granted") return;
  try {
    const { pushManager } = await navigator.serviceWorker.ready;
    const old = await pushManager.getSubscription();
    let key = own.key;
    if (!key) {
      const answer = await fetch("/api/v1/push/key");
      if (!answer.ok) return;
      key = String((await answer.json()).key);
    }
    if (old && text(old.options.applicationServerKey) === key) return;
    await tell(await subscribed(key), own.told === "places");
  } catch { /* tried again when a page is opened next */ }
}

if (document.getElementById("push-card")) {
  showState();
  // Kept for every page, unless the browser does not trust the certificate.
  worker?.catch(() => show("untrusted"));
  document.addEventListener("click", (event) => {
    const { id } = /** @type {Element} */ (event.target);
    if (id === "push-on") switchOn();
    if (id === "push-off") switchOff();
  });
  document.addEventListener("refreshed", () => {
    const lasts = ["untrusted", "waiting", "silent", "greeted", "failed"].some((state) => states.includes(state));
    if (lasts) show(...states); else showState();
  });
  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.addEventListener("message", (event) => {
      if (event.data?.push !== "greeting") return;
      clearTimeout(waiting);
      show("greeted", "told");
    });
  }
}
renew();
