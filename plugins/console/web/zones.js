// @ts-check
/** Finds addresses for what is put on the map, by words or by a press of two seconds. */

// The page is fetched anew while it is open: what stands on it is looked up each time.
/** @returns {HTMLFormElement | null} */
function form() { return document.querySelector("form[data-command$='.put']"); }
/** @returns {HTMLInputElement | null} */
function address() { return document.querySelector("[data-address]"); }

/** @param {string} name @returns {HTMLInputElement | null} */
function field(name) {
  return form()?.querySelector(`[name$=".center.${name}"], [data-${name}]`) || null;
}

/** The address that belongs to the place: of what was found or pressed; until then the one that came with the form.
 * @type {string | null} */
let lookedUp = null;

/** Says what is wrong with the place before it is sent: what was typed and not looked up is nowhere yet. */
function judge() {
  const input = address();
  if (!input) return;
  const border = document.getElementById("border");
  const hasBorder = border !== null && !border.hidden;
  const isTyped = input.value.trim() !== "" && input.value !== (lookedUp ?? input.defaultValue);
  const isSomewhere = Boolean(field("latitude")?.value);
  input.setCustomValidity(hasBorder ? "" : isTyped ? input.dataset.unfound || "" : isSomewhere ? "" : input.dataset.nowhere || "");
}
document.addEventListener("submit", judge, true);
document.addEventListener("input", judge);
document.addEventListener("carried-out", () => { lookedUp = null; });

/** @param {any} place */
function choose(place) {
  const [latitude, longitude, input] = [field("latitude"), field("longitude"), address()];
  if (latitude) latitude.value = String(place.latitude);
  if (longitude) longitude.value = String(place.longitude);
  if (input) input.value = place.address || "";
  lookedUp = input?.value ?? null;
  document.getElementById("found")?.replaceChildren();
  input?.dispatchEvent(new Event("input", { bubbles: true }));
  document.dispatchEvent(new CustomEvent("placed", { detail: place }));
}

/** @param {string} path @returns {Promise<{ answer?: any, fault?: string }>} */
async function ask(path) {
  try {
    const answer = await fetch(path, { credentials: "same-origin" });
    const content = await answer.json();
    return answer.ok ? { answer: content } : { fault: content.title };
  } catch { return {}; }
}

async function find() {
  const [input, found] = [address(), document.getElementById("found")];
  if (!input?.value || !found) return;
  const { answer, fault } = await ask("/api/v1/map/find?text=" + encodeURIComponent(input.value));
  const entries = (answer?.places || []).map((/** @type {any} */ place) => {
    const line = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "entry";
    button.textContent = place.name && place.name !== place.address ? `${place.name}, ${place.address}` : place.address;
    button.addEventListener("click", () => { choose(place); address()?.focus(); });
    line.append(button);
    return line;
  });
  if (entries.length === 0) {
    const line = document.createElement("li");
    line.textContent = fault || found.dataset.none || "";
    entries.push(line);
  }
  found.replaceChildren(...entries);
}

/** @param {number} latitude @param {number} longitude */
async function at(latitude, longitude) {
  choose({ latitude, longitude });
  const { answer } = await ask("/api/v1/map/reverse?at=" + encodeURIComponent(JSON.stringify({ latitude, longitude })));
  const input = address();
  if (answer?.place?.address && input && field("latitude")?.value === String(latitude)) {
    choose({ latitude, longitude, address: answer.place.address });
  }
}

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (target.closest("[data-find]")) find();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && /** @type {Element} */ (event.target).matches("[data-address]")) { event.preventDefault(); find(); }
});

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
  let isDrawing = false;
  document.addEventListener("drawing", (event) => { isDrawing = /** @type {CustomEvent} */ (event).detail; });
  const cancel = () => { clearTimeout(timer); ring?.remove(); ring = undefined; };
  canvas.addEventListener("pointerdown", (event) => {
    cancel();
    if (isDrawing || /** @type {Element} */ (event.target).closest(".leaflet-marker-icon, .leaflet-control")) return;
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
      if (form()) at(place.lat, place.lng);
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
  if (begun && begun.length === 2 && begun.every(Number.isFinite)) map.setView(begun, Math.max(map.getZoom(), 17));
  press(canvas, map);
}
export {};
