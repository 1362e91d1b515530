// @ts-check
/** The zone of the form: drawn as it will be, and its corners put and moved on the map, by addresses, or in a list. */
import { metersOf } from "./app.js";

/** Degrees north and east.
 * @typedef {[number, number]} Corner */

const metersPerDegree = 111195;
// More corners than these come from a file; nobody moves them by hand.
const mostByHand = 60;
const stepMeters = 5;

/** @type {Corner[]} */
let corners = [];
/** @type {Corner[][]} */
let holes = [];
/**
 * What the corners were before, for each step back.
 * @type {Corner[][]}
 */
let past = [];
/**
 * Addresses of corners that were put by one.
 * @type {Map<string, string>}
 */
const addresses = new Map();
let isDrawing = false;
let chosen = 0;

/** @param {string} selector @returns {any} */
function part(selector) { return document.querySelector(selector); }
/**
 * The words of the form, by their names.
 * @param {string} name @param {Record<string, string | number>} [values]
 */
function say(name, values = {}) {
  return String(part("#border")?.dataset[name] || "").replace(/\{(\w+)\}/g, (/** @type {string} */ place, /** @type {string} */ key) => String(values[key] ?? place));
}
function isBorder() { return part("[data-shape]")?.value === "border"; }
/** @returns {Corner | null} */
function place() {
  const [latitude, longitude] = ["latitude", "longitude"].map((name) => part(`[name="zone.center.${name}"]`)?.value);
  return latitude && longitude ? [Number(latitude), Number(longitude)] : null;
}
/** @param {Corner} corner @param {number} north @param {number} east metres @returns {Corner} */
function moved([latitude, longitude], north, east) {
  const narrow = Math.max(0.01, Math.cos(latitude * Math.PI / 180));
  return rounded([latitude + north / metersPerDegree, longitude + east / metersPerDegree / narrow]);
}
/**
 * To a centimetre.
 * @param {Corner} corner @returns {Corner}
 */
function rounded([latitude, longitude]) { return [Number(latitude.toFixed(7)), Number(longitude.toFixed(7))]; }
/** @param {Corner} corner */
function written([latitude, longitude]) { return `${Number(latitude.toFixed(6))}, ${Number(longitude.toFixed(6))}`; }

// What is wrong with the corners, as the gateway judges them too.

/** @param {Corner} point @param {Corner} start @param {Corner} end */
function sideOf(point, start, end) {
  return Math.sign((end[1] - start[1]) * (point[0] - start[0]) - (end[0] - start[0]) * (point[1] - start[1]));
}
/** @returns {string} a name of `#border`'s words; empty where nothing is wrong */
function fault() {
  if (corners.length < 3) return "few";
  const sides = corners.map((corner, index) => [corner, corners[(index + 1) % corners.length]]);
  const crosses = corners.length <= 1000 && sides.some(([a, b], index) => sides.slice(index + 1).some(([c, d]) =>
    sideOf(c, a, b) * sideOf(d, a, b) < 0 && sideOf(a, c, d) * sideOf(b, c, d) < 0));
  if (crosses) return "crosses";
  const [first] = corners;
  const area = sides.reduce((sum, [a, b]) => sum + (a[1] - first[1]) * (b[0] - first[0]) - (b[1] - first[1]) * (a[0] - first[0]), 0);
  return Math.abs(area) / 2 > 1e-12 ? "" : "line";
}

// Changes.

/** @param {Corner[]} fresh @param {number} [index] the corner that is looked at now */
function change(fresh, index = chosen) {
  past.push(corners);
  corners = fresh;
  chosen = Math.max(0, Math.min(index, corners.length - 1));
  keep();
}
/** Puts the corners into the form, and tells that somebody wrote in it. */
function keep() {
  const input = part('[name="zone.border"]');
  if (!input) return;
  const closed = [corners, ...holes].map((ring) => [...ring, ...ring.slice(0, 1)].map(([latitude, longitude]) => [longitude, latitude]));
  input.value = isBorder() && corners.length > 0 ? JSON.stringify({ type: "Polygon", coordinates: closed }) : "";
  show();
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
/**
 * Puts a corner into the side that becomes least longer; while somebody draws, behind the last.
 * @param {Corner} corner
 */
function add(corner) {
  const far = (/** @type {Corner} */ one, /** @type {Corner} */ other) =>
    Math.hypot(one[0] - other[0], (one[1] - other[1]) * Math.cos(one[0] * Math.PI / 180));
  let index = corners.length;
  if (!isDrawing && corners.length > 2) {
    const longer = corners.map((end, at) => {
      const start = corners[(at + corners.length - 1) % corners.length];
      return far(start, corner) + far(corner, end) - far(start, end);
    });
    index = longer.indexOf(Math.min(...longer));
  }
  change([...corners.slice(0, index), rounded(corner), ...corners.slice(index)], index);
}
/** @param {number} index @param {Corner} corner */
function put(index, corner) { change(corners.map((old, at) => at === index ? rounded(corner) : old), index); }
/** @param {number} index @param {number} north @param {number} east */
function step(index, north, east) { if (corners[index]) put(index, moved(corners[index], north, east)); }

/** @param {boolean} is */
function draw(is) {
  isDrawing = is;
  document.dispatchEvent(new CustomEvent("drawing", { detail: is }));
  const bar = document.getElementById("drawing");
  if (bar) bar.hidden = !is;
  show();
  if (is) {
    part("#map")?.scrollIntoView({ block: "start" });
    /** @type {HTMLElement | null} */ (bar?.querySelector("[data-border=finish]"))?.focus({ preventScroll: true });
  } else part('#border [data-border="draw"]')?.focus();
}

/** @type {Record<string, () => void>} */
const deeds = {
  draw: () => draw(true),
  finish: () => draw(false),
  back: () => { const before = past.pop(); if (before) { corners = before; chosen = Math.max(0, corners.length - 1); keep(); } },
  clear: () => { holes = []; change([]); },
  add: () => {
    const at = place();
    if (!at) return;
    const address = part("[data-address]")?.value.trim();
    if (address) addresses.set(String(rounded(at)), address);
    add(at);
  },
  square: () => {
    const [at, side] = [place(), Number(part("[data-side]")?.value) || 100];
    if (!at) return;
    holes = [];
    change([[1, -1], [1, 1], [-1, 1], [-1, -1]].map(([north, east]) => moved(at, north * side / 2, east * side / 2)), 0);
  },
  north: () => step(chosen, stepMeters, 0), south: () => step(chosen, -stepMeters, 0),
  east: () => step(chosen, 0, stepMeters), west: () => step(chosen, 0, -stepMeters),
};
document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button[data-border]"));
  if (button) deeds[button.dataset.border || ""]?.();
});

// The list.

/** @param {number} index */
function name(index) {
  const address = addresses.get(String(corners[index]));
  return address ? say("cornerAt", { n: index + 1, address }) : say("corner", { n: index + 1 });
}

/** @param {number} index */
function row(index) {
  const line = document.createElement("li");
  const label = document.createElement("label");
  label.htmlFor = `f-corner-${index}`;
  const input = document.createElement("input");
  input.id = label.htmlFor;
  input.type = "text";
  input.autocomplete = "off";
  input.addEventListener("focus", () => choose(index));
  input.addEventListener("input", () => input.setCustomValidity(""));
  input.addEventListener("change", () => {
    const found = /^\s*(-?\d+(?:\.\d+)?)\s*[,;，\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(input.value);
    const [latitude, longitude] = found ? [Number(found[1]), Number(found[2])] : [NaN, NaN];
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return input.setCustomValidity(say("wrong"));
    input.setCustomValidity("");
    if (input.value !== written(corners[index])) put(index, [latitude, longitude]);
  });
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button quiet";
  button.textContent = "×";
  button.setAttribute("aria-label", say("remove", { n: index + 1 }));
  button.addEventListener("click", () => {
    change(corners.filter((_, at) => at !== index), index);
    const next = part(`#f-corner-${chosen}`) || part('#border [data-border="draw"]');
    next?.focus();
  });
  line.append(label, input, button);
  return line;
}

/** @param {number} index */
function choose(index) {
  chosen = index;
  const select = part("[data-chosen]");
  if (select) select.value = String(index);
  drawn?.();
}

function show() {
  if (!part("#border")) return;
  const [isShown, isMany, list, select] = [isBorder(), corners.length > mostByHand, part("#corners"), part("[data-chosen]")];
  part("#border").hidden = !isShown;
  part("[data-circle]").hidden = isShown;
  part('[name="zone.radiusMeters"]').disabled = isShown;
  // Lines that are there stay, so that neither hand nor voice loses its place.
  const count = isMany ? 0 : corners.length;
  while (list.children.length > count) list.lastChild.remove();
  while (list.children.length < count) list.append(row(list.children.length));
  corners.slice(0, count).forEach((corner, index) => {
    const [label, input] = list.children[index].children;
    label.textContent = name(index);
    if (input.validity.valid) input.value = written(corner);
  });
  select.replaceChildren(...corners.map((_, index) => new Option(name(index), String(index))));
  select.value = String(chosen);
  part("[data-moving]").hidden = isMany || corners.length === 0;
  const wrong = isShown ? fault() : "";
  const told = say(isDrawing ? "next" : isMany ? "many" : "whole", { n: corners.length });
  const words = corners.length === 0 && !isDrawing ? say("few")
    : [told, wrong && !(isDrawing && wrong === "few") ? say(wrong) : ""].filter(Boolean).join(" ");
  for (const line of document.querySelectorAll("[data-border-says]")) if (line.textContent !== words) line.textContent = words;
  part("[data-shape]").setCustomValidity(wrong ? say(wrong) : "");
  drawn?.();
}

/** Reads the form as it came from the gateway. */
function begin() {
  const input = part('[name="zone.border"]');
  if (!input) return;
  const coordinates = input.value ? JSON.parse(input.value).coordinates : [];
  [corners = [], ...holes] = coordinates.map((/** @type {Corner[]} */ ring) => ring.slice(0, -1).map(([longitude, latitude]) => /** @type {Corner} */ ([latitude, longitude])));
  past = [];
  chosen = 0;
  show();
}

document.addEventListener("input", (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target);
  if (target.matches("[data-shape]")) { if (isDrawing) draw(false); keep(); }
  if (target.matches("[data-chosen]")) choose(Number(target.value));
  if (target.matches('[name="zone.radiusMeters"], [name="zone.exitMarginMeters"]')) drawn?.();
});
document.addEventListener("placed", show);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && isDrawing) draw(false);
  // A corner is written, not sent, with the key that ends it.
  if (event.key === "Enter" && /** @type {Element} */ (event.target).matches("#corners input, [data-side]")) {
    event.preventDefault();
    event.target?.dispatchEvent(new Event("change", { bubbles: true }));
  }
});
document.addEventListener("refreshed", () => { if (part('[name="zone.border"]') !== shown) { shown = part('[name="zone.border"]'); begin(); } });
let shown = part('[name="zone.border"]');

// On the map, where there is one.

/** @type {(() => void) | undefined} */
let drawn;
begin();
try {
  // @ts-ignore
  const [L, { map }] = await Promise.all([import("./leaflet.js"), import("./map.js")]);
  const layer = L.layerGroup().addTo(map);
  const look = () => ({ color: getComputedStyle(document.documentElement).getPropertyValue("--primary").trim(), weight: 4, fillOpacity: 0.15, interactive: false });
  map.on("click", (/** @type {any} */ event) => { if (isDrawing) add([event.latlng.lat, event.latlng.lng]); });
  document.addEventListener("drawing", () => map.doubleClickZoom[isDrawing ? "disable" : "enable"]());

  /** @param {Corner} corner @param {number} index */
  const handle = (corner, index) => {
    const face = document.createElement("span");
    face.textContent = String(index + 1);
    const marker = L.marker(corner, {
      draggable: true, autoPan: true, keyboard: true,
      icon: L.divIcon({ className: "corner" + (index === chosen ? " chosen" : ""), iconSize: [48, 48], html: face }),
    }).addTo(layer);
    const element = marker.getElement();
    element.id = `corner-${index}`;
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", name(index));
    marker.on("dragend", () => { const { lat, lng } = marker.getLatLng(); put(index, [lat, lng]); });
    marker.on("click", () => { choose(index); document.getElementById(`corner-${index}`)?.focus({ preventScroll: true }); });
    element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const way = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key];
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      step(index, way[0] * stepMeters, way[1] * stepMeters);
      document.getElementById(`corner-${index}`)?.focus({ preventScroll: true });
    });
  };
  drawn = () => {
    layer.clearLayers();
    if (!part("#border")) return;
    const center = place();
    if (isBorder()) {
      if (corners.length > 2) L.polygon([corners, ...holes], { ...look(), dashArray: isDrawing || fault() ? "6 8" : undefined }).addTo(layer);
      else if (corners.length > 0) L.polyline(corners, { ...look(), dashArray: "6 8" }).addTo(layer);
      if (corners.length <= mostByHand) corners.forEach(handle);
    } else if (center) {
      const radius = metersOf(part('[name="zone.radiusMeters"]'));
      const margin = metersOf(part('[name="zone.exitMarginMeters"]'));
      L.circle(center, { ...look(), radius }).addTo(layer);
      L.circle(center, { ...look(), radius: radius + margin, weight: 2, dashArray: "3 7", fill: false }).addTo(layer);
    }
  };
  drawn();
} catch { /* without a map there is the list */ }
export {};
