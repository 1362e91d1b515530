// @ts-check
/** Finds addresses for what is put on the map, by words or by a press of two seconds. */

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-command$='.put']"));
const input = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-address]"));
const found = document.getElementById("found");

/** @param {string} name @returns {HTMLInputElement | null} */
function field(name) {
  return form?.querySelector(`[name$=".center.${name}"], [data-${name}]`) || null;
}

/** @param {any} place */
function choose(place) {
  const [latitude, longitude] = [field("latitude"), field("longitude")];
  if (latitude) latitude.value = String(place.latitude);
  if (longitude) longitude.value = String(place.longitude);
  if (input && place.address) input.value = place.address;
  found?.replaceChildren();
  input?.dispatchEvent(new Event("input", { bubbles: true }));
  document.dispatchEvent(new CustomEvent("placed", { detail: place }));
}

/** @param {string} path @returns {Promise<any>} */
async function ask(path) {
  const answer = await fetch(path, { credentials: "same-origin" });
  return answer.ok ? answer.json() : null;
}

async function find() {
  if (!input?.value || !found) return;
  const answer = await ask("/api/v1/map/find?text=" + encodeURIComponent(input.value));
  const entries = (answer?.places || []).map((/** @type {any} */ place) => {
    const line = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "entry";
    button.textContent = place.name && place.name !== place.address ? `${place.name}, ${place.address}` : place.address;
    button.addEventListener("click", () => choose(place));
    line.append(button);
    return line;
  });
  if (entries.length === 0) {
    const line = document.createElement("li");
    line.textContent = "–";
    entries.push(line);
  }
  found.replaceChildren(...entries);
}

/** @param {number} latitude @param {number} longitude */
async function at(latitude, longitude) {
  choose({ latitude, longitude });
  const answer = await ask("/api/v1/map/reverse?at=" + encodeURIComponent(JSON.stringify({ latitude, longitude })));
  if (answer?.place?.address && input) input.value = answer.place.address;
}

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (target.closest("[data-find]")) find();
});
input?.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); find(); } });

const canvas = document.getElementById("map");
if (canvas) {
  const { map } = await import("./map.js");
  document.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest("[data-here]")) { const middle = map.getCenter(); at(middle.lat, middle.lng); }
  });
  document.addEventListener("placed", (event) => {
    const place = /** @type {CustomEvent} */ (event).detail;
    map.setView([place.latitude, place.longitude], Math.max(map.getZoom(), 17));
  });
  press(canvas, map);
}

/**
 * A press of two seconds that does not move: a timer of our own, for browsers differ in theirs.
 * @param {HTMLElement} canvas @param {any} map
 */
function press(canvas, map) {
  /** @type {number | undefined} */
  let timer;
  /** @type {HTMLElement | undefined} */
  let ring;
  let start = { x: 0, y: 0 };
  const cancel = () => { clearTimeout(timer); ring?.remove(); ring = undefined; };
  canvas.addEventListener("pointerdown", (event) => {
    cancel();
    start = { x: event.clientX, y: event.clientY };
    const box = canvas.getBoundingClientRect();
    ring = document.createElement("div");
    ring.className = "press";
    ring.style.left = `${event.clientX - box.left}px`;
    ring.style.top = `${event.clientY - box.top}px`;
    canvas.append(ring);
    timer = window.setTimeout(() => {
      cancel();
      const place = map.containerPointToLatLng([start.x - box.left, start.y - box.top]);
      if (form) at(place.lat, place.lng);
      else location.assign(`${location.pathname}?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(location.search)), zone: "new", at: `${place.lat},${place.lng}` })}`);
    }, 2000);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > 10) cancel();
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) canvas.addEventListener(name, cancel);
}

const begun = new URLSearchParams(location.search).get("at")?.split(",").map(Number);
if (begun && begun.length === 2 && begun.every(Number.isFinite)) at(begun[0], begun[1]);
export {};
