// @ts-check
/** The map: squares that the gateway has, people with how sure and how old they are, zones, places. */
// @ts-ignore
import * as L from "./leaflet.js";
import { credentials, metersInFoot, notice, now, say, span } from "./app.js";

/** @typedef {{ latitude: number, longitude: number, accuracyMeters?: number, time?: string }} Position */
/** @typedef {{ people: { id: string, name: string, position?: Position, isOutside?: boolean }[],
 *   zones: any[], bookmarks: any[], chosen: string | null, edited: string | null, place: string | null, followed: string | null,
 *   trail: { way: Position[], places: (Position & { number: number })[] } | null }} Drawn */

/** @returns {Drawn} */
function drawn() { return JSON.parse(document.getElementById("drawn")?.textContent || "{}"); }
/** @param {string} name */
function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim(); }

const element = /** @type {HTMLElement} */ (document.getElementById("map"));
/**
 * The map itself.
 * @type {any}
 */
export const map = L.map(element, { zoomControl: true, attributionControl: true, maxZoom: 19, minZoom: 3 });
map.attributionControl.setPrefix(false);
/** @param {number} meters */
function distance(meters) {
  const feet = meters / metersInFoot;
  if (say("feet")) return feet < 1000 ? say("feet", { n: Math.round(feet) }) : say("miles", { n: (feet / 5280).toFixed(1) });
  return meters < 1000 ? say("metres", { n: Math.round(meters) }) : say("kilometres", { n: (meters / 1000).toFixed(1) });
}

// Squares of the gateway's own map, drawn here: nobody outside learns which part of the world is looked at.

/** @type {number[]} */
let zooms = [14];
/** @type {Map<string, Promise<any>>} */
const squares = new Map();

/** @param {number} zoom @param {number} column @param {number} row */
function square(zoom, column, row) {
  const path = `${element.dataset.squares}/${zoom}/${column}/${row}`;
  let known = squares.get(path);
  if (!known) {
    known = fetch(path, { credentials: "same-origin", headers: credentials() }).then(async (answer) => {
      const told = decodeURIComponent(answer.headers.get("X-Attribution") || "");
      if (told) map.attributionControl.addAttribution(told.replace(/[<>&]/g, ""));
      const levels = JSON.parse(answer.headers.get("X-Zooms") || "[]");
      if (levels.length > 0) zooms = levels;
      return answer.status === 200 ? answer.json() : null;
    }).catch(() => { squares.delete(path); return null; });
    squares.set(path, known);
    if (squares.size > 400) squares.delete(squares.keys().next().value || "");
  }
  return known;
}

/** How each layer is drawn: in which order, filled or as a line.
 * @type {Record<string, { order: number, fill?: string, stroke?: string, width?: number, dash?: number[] }>} */
const looks = {
  settled: { order: 0, fill: "map-settled" }, green: { order: 1, fill: "map-green" },
  water: { order: 2, fill: "map-water" }, stream: { order: 2, stroke: "map-water", width: 3 },
  square: { order: 3, fill: "map-street" }, building: { order: 4, fill: "map-building" },
  rail: { order: 5, stroke: "line", width: 1.2 }, foot: { order: 6, stroke: "map-path", width: 1.6, dash: [5, 4] },
  road: { order: 7, stroke: "map-street", width: 4 },
};
const wide = /motorway|trunk|primary|secondary|tertiary/;

const Streets = L.GridLayer.extend({
  /** @param {{ x: number, y: number, z: number }} coords @param {(error: any, tile: any) => void} done */
  createTile(coords, done) {
    const tile = document.createElement("canvas");
    const size = this.getTileSize();
    const ratio = window.devicePixelRatio || 1;
    tile.width = size.x * ratio;
    tile.height = size.y * ratio;
    draw(tile, coords, ratio).then(() => done(null, tile), () => done(null, tile));
    return tile;
  },
});

/** @param {HTMLCanvasElement} tile @param {{ x: number, y: number, z: number }} coords @param {number} ratio @returns {Promise<void>} */
async function draw(tile, coords, ratio) {
  // The nearest level that there is at or above this one.
  const below = zooms.filter((zoom) => zoom <= coords.z);
  const zoom = below.length > 0 ? Math.max(...below) : Math.min(...zooms);
  if (zoom > coords.z + 2) return;
  /** @type {Promise<any>[]} */
  const parts = [];
  const factor = 2 ** (coords.z - zoom);
  if (factor >= 1) parts.push(square(zoom, Math.floor(coords.x / factor), Math.floor(coords.y / factor)));
  else for (let x = 0; x < 1 / factor; x++) for (let y = 0; y < 1 / factor; y++) {
    parts.push(square(zoom, coords.x / factor + x, coords.y / factor + y));
  }
  const guessed = zooms;
  const found = (await Promise.all(parts)).flatMap((part) => part?.features || []);
  // Which levels there are the first answer tells.
  if (zooms.join() !== guessed.join()) return await draw(tile, coords, ratio);
  const context = tile.getContext("2d");
  if (!context) return;
  const origin = { x: coords.x * 256, y: coords.y * 256 };
  const scale = Math.max(0.5, 2 ** (coords.z - 16));
  const styled = found.flatMap((/** @type {any} */ feature) => {
    const look = looks[feature.properties?.layer];
    return look ? [{ feature, look, factor: wide.test(feature.properties.rank || "") ? 1.7 : 1 }] : [];
  });
  styled.sort((/** @type {any} */ left, /** @type {any} */ right) => left.look.order - right.look.order);
  for (const { feature, look, factor } of styled) {
    const geometry = feature.geometry;
    const isArea = /Polygon/.test(geometry.type);
    const lines = { LineString: [geometry.coordinates], Polygon: geometry.coordinates,
      MultiLineString: geometry.coordinates, MultiPolygon: (geometry.coordinates || []).flat() }[/** @type {string} */ (geometry.type)] || [];
    context.beginPath();
    for (const line of lines) {
      line.forEach((/** @type {number[]} */ point, /** @type {number} */ index) => {
        const place = map.project([point[1], point[0]], coords.z);
        const [x, y] = [(place.x - origin.x) * ratio, (place.y - origin.y) * ratio];
        if (index === 0) context.moveTo(x, y); else context.lineTo(x, y);
      });
    }
    if (isArea && look.fill) { context.fillStyle = colour(look.fill); context.fill("evenodd"); }
    if (!isArea && look.stroke) {
      context.strokeStyle = colour(look.stroke);
      context.lineWidth = (look.width || 2) * factor * ratio * Math.min(scale, 3);
      context.lineCap = context.lineJoin = "round";
      context.setLineDash((look.dash || []).map((/** @type {number} */ length) => length * ratio));
      context.stroke();
    }
  }
}
const streets = new Streets({ tileSize: 256, updateWhenIdle: false });
streets.addTo(map);

// People, zones, places.

/** @type {any} */
const layer = L.layerGroup().addTo(map);
let hasView = false;
let lastPlace = "";
let isDrawing = false;
document.addEventListener("drawing", (event) => { isDrawing = /** @type {CustomEvent} */ (event).detail; });

export function show() {
  const data = drawn();
  layer.clearLayers();
  const bounds = L.latLngBounds([]);
  const [primary, alarm, line] = [colour("primary"), colour("alarm"), colour("line")];
  for (const zone of data.zones || []) {
    bounds.extend(bounded(zone));
    if (zone.id === data.edited) continue;
    const outline = { color: primary, weight: 3, fillOpacity: 0.15, interactive: data.followed === null };
    const shape = zone.border
      ? L.polygon(rings(zone.border), outline)
      : L.circle([zone.center.latitude, zone.center.longitude], { ...outline, radius: zone.radiusMeters });
    shape.addTo(layer).bindTooltip(escaped(zone.name), { permanent: true, direction: "bottom", offset: [0, 14], className: "place" });
    shape.on("click", () => isDrawing || location.assign(`/zones?resident=${encodeURIComponent(zone.resident)}&zone=${encodeURIComponent(zone.id)}`));
    if (!zone.border) {
      L.circle([zone.center.latitude, zone.center.longitude], { radius: zone.radiusMeters + zone.exitMarginMeters, color: primary, weight: 2, dashArray: "3 7", fill: false, interactive: false }).addTo(layer);
    }
  }
  for (const place of data.bookmarks || []) {
    if (!place.coordinate) continue;
    const at = [place.coordinate.latitude, place.coordinate.longitude];
    const isChosen = place.id === data.place;
    L.circleMarker(at, { radius: isChosen ? 9 : 6, color: isChosen ? primary : line, weight: isChosen ? 4 : 2, fillOpacity: 0.8 })
      .bindTooltip(escaped(place.name)).addTo(layer);
    if (isChosen && !hasView) { map.setView(at, 17); hasView = true; }
  }
  for (const person of data.people || []) {
    const position = person.position;
    if (!position || position.latitude === undefined) continue;
    const at = [position.latitude, position.longitude];
    const tone = person.isOutside ? alarm : primary;
    if (position.accuracyMeters) L.circle(at, { radius: position.accuracyMeters, color: tone, weight: 1, fillOpacity: 0.18, interactive: false }).addTo(layer);
    const age = position.time ? span(Math.max(0, (now() - Date.parse(position.time)) / 1000)) : "?";
    const sure = position.accuracyMeters ? ", " + say("accuracy", { distance: distance(position.accuracyMeters) }) : "";
    L.circleMarker(at, { radius: 10, color: "#fff", weight: 4, fillColor: tone, fillOpacity: 1 })
      .bindTooltip(escaped(`${person.name}, ${say("ago", { age })}${sure}`), { permanent: true, direction: "top", offset: [0, -12], className: "who" + (person.isOutside ? " outside" : "") })
      .addTo(layer);
    bounds.extend(at);
    if (sought?.id === person.id && sought.time !== position.time) {
      sought = null;
      map.setView(at, Math.max(map.getZoom(), 16));
    }
    if (hasView && data.followed === person.id && lastPlace !== String(at)) map.panInside(at, { padding: [40, 40] });
    lastPlace = String(at);
    if (!hasView && !data.edited && data.chosen === person.id) { map.setView(at, 17); hasView = true; }
  }
  if (data.trail) {
    const at = (/** @type {Position} */ one) => [one.latitude, one.longitude];
    L.polyline(data.trail.way.map(at), { color: primary, weight: 3, dashArray: "2 8", interactive: false }).addTo(layer);
    for (const place of data.trail.places) {
      L.circleMarker(at(place), { radius: 9, color: "#fff", weight: 3, fillColor: primary, fillOpacity: 1 })
        .bindTooltip(escaped(String(place.number)), { permanent: true, direction: "top", offset: [0, -8], className: "who" }).addTo(layer);
      bounds.extend(at(place));
    }
  }
  const edited = (data.zones || []).find((zone) => zone.id === data.edited);
  if (!hasView && edited) { map.fitBounds(bounded(edited).pad(0.5), { maxZoom: 18 }); hasView = true; }
  if (!hasView && bounds.isValid()) { map.fitBounds(bounds.pad(0.3), { maxZoom: 17 }); hasView = true; }
  if (!hasView) map.setView([20, 0], 3);
}
/**
 * The rings of a polygon of GeoJSON, without the first corner once more at the end.
 * @param {any} border @returns {[number, number][][]} latitudes and longitudes
 */
export function rings(border) {
  return (border?.coordinates || []).map((/** @type {number[][]} */ ring) => ring.slice(0, -1).map(([longitude, latitude]) => [latitude, longitude]));
}

/** Who was asked for a newer position than there is, and the time of that one.
 * @type {{ id: string, time?: string } | null} */
let sought = null;
// Whoever asks where somebody is wants to see it: in the middle at once, and again when a newer position comes.
document.addEventListener("carried-out", (event) => {
  const button = /** @type {HTMLElement} */ (event.target);
  if (button.dataset.command !== "locate") return;
  const id = JSON.parse(button.dataset.members || "{}").target;
  const position = drawn().people.find((person) => person.id === id)?.position;
  const asked = sought = { id, time: position?.time };
  if (position?.latitude !== undefined) map.setView([position.latitude, position.longitude], Math.max(map.getZoom(), 16));
  setTimeout(() => {
    if (sought !== asked) return;
    sought = null;
    notice(element.dataset.late || "", { calm: true, seconds: 10, id: "late" });
  }, 30000);
});

/** @param {any} zone */
function bounded(zone) {
  if (zone.border) return L.latLngBounds(rings(zone.border)[0]);
  return L.latLng(zone.center.latitude, zone.center.longitude).toBounds(2 * zone.radiusMeters);
}
/**
 * Leaflet takes a text for markup: what people wrote is made none.
 * @param {string} text
 */
function escaped(text) {
  const line = document.createElement("span");
  line.textContent = text;
  return line;
}

show();
document.addEventListener("drawn", show);
setInterval(show, 15000);

// Where whoever looks is themselves, where they allow it.
if (navigator.geolocation && window.isSecureContext && new URLSearchParams(location.search).has("me")) {
  /** @type {any} */
  let me;
  navigator.geolocation.watchPosition((found) => {
    const at = [found.coords.latitude, found.coords.longitude];
    if (me) return me.setLatLng(at);
    me = L.circleMarker(at, { radius: 8, color: "#fff", weight: 3, fillColor: "#1a73e8", fillOpacity: 1 }).bindTooltip(say("here")).addTo(map);
    if (!map.getBounds().contains(at)) map.fitBounds(map.getBounds().extend(at));
  });
}
