// @ts-check
/** Readings over time, to be moved and looked at closely. It draws what it was given, fetches what it was not, and changes nothing. */

/** @returns {any} */
function given() { return JSON.parse(document.getElementById("timeline-data")?.dataset.content || "{}"); }
/**
 * A page that is shown anew has another canvas.
 * @type {HTMLCanvasElement | null}
 */
let canvas = null;
/** @type {HTMLElement | null} */
let pictures = null;
/** @type {HTMLElement | null} */
let told = null;
const data = given();
const day = 86_400_000;
const edge = { left: 52, right: 12, top: 12, bottom: 30 };

/** @typedef {{ times: number[], counts: number[], lowest: number[], means: number[], highest: number[] }} Series */
/** @type {Series & { since: string, until: string, begin?: string }} */
let series = data.series || { times: [], counts: [], lowest: [], means: [], highest: [], since: "", until: "" };
/**
 * Entries of the diary, by their time.
 * @type {{ id: string, time: string, title?: string, picture?: string }[]}
 */
let entries = data.entries || [];
const inMillimoles = data.unit === "mmol/L";

let [from, until] = [Date.parse(series.since), Date.parse(series.until)];
if (!Number.isFinite(from) || !Number.isFinite(until)) { until = Date.now(); from = until - 30 * day; }
let loaded = { from, until };

/** @param {string} name */
function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim(); }

/** @param {number} milligrams */
function level(milligrams) { return inMillimoles ? (milligrams / data.factor).toFixed(1) : String(Math.round(milligrams)); }

// What is shown of it.

const only = { days: false, which: "", limit: NaN };
document.addEventListener("input", (event) => {
  if (/** @type {Element} */ (event.target).matches("[data-only]")) { choose(); draw(); }
});
function choose() {
  const days = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-only=days]"));
  const which = /** @type {HTMLSelectElement | null} */ (document.querySelector("[data-only=which]"));
  const limit = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-only=limit]"));
  only.days = days?.checked || false;
  only.which = which?.value || "";
  only.limit = Number((limit?.value || "").replace(",", ".")) * (inMillimoles ? data.factor : 1);
}

const local = new Intl.DateTimeFormat("en-CA", { timeZone: data.zone || "UTC", year: "numeric", month: "2-digit", day: "2-digit" });
/** @type {Set<string>} */
let entryDays = new Set();
function noteEntries() { entryDays = new Set(entries.map(({ time }) => local.format(new Date(time)))); }
noteEntries();

/** @type {Map<number, boolean>} */
const known = new Map();
/**
 * Whether there is an entry of the diary on the day of a moment.
 * @param {number} time
 */
function hasEntry(time) {
  const key = Math.floor(time / 900_000);
  let answer = known.get(key);
  if (answer === undefined) { answer = entryDays.has(local.format(new Date(time))); known.set(key, answer); }
  return answer;
}

/** @param {number} index */
function isShown(index) {
  if (only.days && !hasEntry(series.times[index])) return false;
  if (only.which === "above" && !(series.highest[index] > only.limit)) return false;
  if (only.which === "below" && !(series.lowest[index] < only.limit)) return false;
  return true;
}

/**
 * The first point at a time or later.
 * @param {number} time
 */
function first(time) {
  let [low, high] = [0, series.times.length];
  while (low < high) { const middle = (low + high) >> 1; if (series.times[middle] < time) low = middle + 1; else high = middle; }
  return low;
}

// Drawing.

let isDue = false;
let frames = 0;
function draw() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => { isDue = false; frames += 1; paint(); });
}

function paint() {
  const context = canvas?.getContext("2d");
  if (!canvas || !context) return;
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const [begin, end] = [first(from), first(until)];
  let top = 300;
  for (let index = begin; index < end; index++) if (series.highest[index] > top) top = series.highest[index];
  top = Math.ceil(top / 50) * 50;
  /** @param {number} time */
  const x = (time) => edge.left + (time - from) / (until - from) * (width - edge.left - edge.right);
  /** @param {number} milligrams */
  const y = (milligrams) => height - edge.bottom - milligrams / top * (height - edge.top - edge.bottom);
  const [ink, soft, hair, primary, safe, alarm] = ["ink", "soft", "hair", "primary", "safe", "alarm"].map(colour);
  context.fillStyle = safe;
  context.fillRect(edge.left, y(data.target[1]), width - edge.left - edge.right, y(data.target[0]) - y(data.target[1]));
  context.font = "13px Inter, system-ui, sans-serif";
  context.textAlign = "right";
  for (const line of inMillimoles ? [3.9, 10, 15, 20].map((one) => one * data.factor) : [70, 180, 250, 350]) {
    if (line > top) continue;
    context.strokeStyle = hair;
    context.beginPath(); context.moveTo(edge.left, y(line)); context.lineTo(width - edge.right, y(line)); context.stroke();
    context.fillStyle = soft;
    context.fillText(level(line), edge.left - 6, y(line) + 4);
  }
  dates(context, x, width, height, soft);
  context.save();
  context.beginPath(); context.rect(edge.left, 0, width - edge.left - edge.right, height); context.clip();
  context.lineWidth = 2;
  let count = 0;
  for (let index = begin; index < end; index++) {
    if (!isShown(index)) continue;
    count += series.counts[index];
    const [at, low, high] = [x(series.times[index]), series.lowest[index], series.highest[index]];
    const tone = low < data.target[0] ? alarm : high > data.target[1] ? ink : primary;
    if (high > low) { context.strokeStyle = tone; context.beginPath(); context.moveTo(at, y(low)); context.lineTo(at, y(high)); context.stroke(); }
    context.fillStyle = tone;
    // Below and above the range the form is another, not the colour alone.
    context.beginPath();
    const middle = y(series.means[index]);
    if (low < data.target[0]) { context.moveTo(at, middle + 6); context.lineTo(at - 5, middle - 4); context.lineTo(at + 5, middle - 4); }
    else if (high > data.target[1]) { context.moveTo(at, middle - 6); context.lineTo(at - 5, middle + 4); context.lineTo(at + 5, middle + 4); }
    else context.arc(at, middle, 4, 0, 7);
    context.fill();
  }
  for (const entry of entries) {
    const time = Date.parse(entry.time);
    if (time < from || time > until) continue;
    context.fillStyle = soft;
    context.fillRect(x(time) - 3, height - edge.bottom - 6, 6, 6);
  }
  context.restore();
  context.strokeStyle = ink;
  context.lineWidth = 1.5;
  context.beginPath(); context.moveTo(edge.left, edge.top); context.lineTo(edge.left, height - edge.bottom); context.lineTo(width - edge.right, height - edge.bottom); context.stroke();
  showPictures(x);
  tell(count);
}

/**
 * @param {CanvasRenderingContext2D} context @param {(time: number) => number} x
 * @param {number} width @param {number} height @param {string} tone
 */
function dates(context, x, width, height, tone) {
  context.fillStyle = tone;
  context.textAlign = "center";
  const step = [1, 2, 7, 14, 30, 61, 91, 182, 365, 730].find((days) => (until - from) / (days * day) <= Math.max(2, (width - 80) / 90)) || 1461;
  const start = Math.ceil(from / (step * day)) * step * day;
  for (let time = start; time <= until; time += step * day) {
    const words = local.format(new Date(time));
    context.fillText(step >= 182 ? words.slice(0, 7) : words.slice(5), x(time), height - 10);
  }
}

/**
 * Pictures of the diary at their times, each a way to its entry; where many are near, the first of them.
 * @param {(time: number) => number} x
 */
function showPictures(x) {
  if (!pictures || !canvas) return;
  const width = canvas.clientWidth;
  let last = -Infinity;
  const wanted = entries.filter(({ time, picture }) => picture && Date.parse(time) >= from && Date.parse(time) <= until)
    .sort((left, right) => Date.parse(left.time) - Date.parse(right.time))
    .filter(({ time }) => { const at = x(Date.parse(time)); if (at - last < 56) return false; last = at; return true; });
  const key = wanted.map(({ id }) => id).join();
  if (pictures.dataset.key !== key) {
    pictures.dataset.key = key;
    pictures.replaceChildren(...wanted.map(({ id, title, picture }) => {
      const [link, image] = [document.createElement("a"), document.createElement("img")];
      link.href = `/diary?resident=${encodeURIComponent(data.resident)}&days=365&entry=${encodeURIComponent(id)}#entry`;
      [image.src, image.alt, image.width, image.height] = [`/picture/${picture}`, title || "", 48, 48];
      link.append(image);
      return link;
    }));
  }
  Array.from(pictures.children).forEach((link, index) => {
    /** @type {HTMLElement} */ (link).style.left = `${Math.min(width - 48, Math.max(0, x(Date.parse(wanted[index].time)) - 24))}px`;
  });
}

/** @type {number | undefined} */
let telling;
/**
 * Says once it rests what is to be seen, for whoever does not see it.
 * @param {number} count
 */
function tell(count) {
  clearTimeout(telling);
  telling = window.setTimeout(() => {
    const [begin, end] = [local.format(new Date(from)), local.format(new Date(until))];
    const words = (count > 0 ? data.words?.seen : data.words?.none) || "";
    if (told) told.textContent = words.replace("{from}", begin).replace("{until}", end).replace("{n}", String(count));
  }, 300);
}

// Moving.

/** @param {number} begin @param {number} end */
function show(begin, end) {
  const least = 6 * 3_600_000;
  const most = 40 * 365 * day;
  const length = Math.min(most, Math.max(least, end - begin));
  // Nothing was measured yet of what is to come.
  const middle = Math.min((begin + end) / 2, Date.now() + 0.02 * length - length / 2);
  [from, until] = [middle - length / 2, middle + length / 2];
  draw();
  fetchSoon();
}

/** @type {number | undefined} */
let fetching;
function fetchSoon() {
  clearTimeout(fetching);
  fetching = window.setTimeout(fetchMore, 250);
}
/** What lies within half of what is seen on both sides is fetched with it. */
async function fetchMore() {
  const length = until - from;
  const isCoarse = (loaded.until - loaded.from) / length > 4 && series.counts.some((count) => count > 1);
  if (from >= loaded.from && until <= loaded.until && !isCoarse) return;
  const [begin, end] = [from - length / 2, Math.min(Date.now() + day, until + length / 2)];
  const period = `since=${encodeURIComponent(new Date(begin).toISOString())}&until=${encodeURIComponent(new Date(Math.max(begin + 1, end)).toISOString())}`;
  const resident = `resident=${encodeURIComponent(data.resident)}`;
  try {
    const [found, notes] = await Promise.all([
      fetch(`/api/v1/glucose/series?${resident}&${period}&points=2000`, { credentials: "same-origin" }),
      fetch(`/api/v1/notes/query?${resident}&kind=diary&${period}&limit=1000`, { credentials: "same-origin" }),
    ]);
    if (!found.ok) return;
    series = await found.json();
    loaded = { from: begin, until: end };
    if (notes.ok) {
      entries = (await notes.json()).map((/** @type {any} */ note) => ({ id: note.id, time: note.time, title: note.title, picture: note.pictures?.[0] }));
      known.clear();
      noteEntries();
    }
    draw();
  } catch { /* what was there stays, and is asked for again with the next move */ }
}

document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-move]"));
  if (button) move(button.dataset.move || "");
});
/** @param {string} way */
function move(way) {
  const length = until - from;
  if (way === "back") show(from - length / 2, until - length / 2);
  else if (way === "on") show(from + length / 2, until + length / 2);
  else if (way === "in") show(from + length / 4, until - length / 4);
  else if (way === "out") show(from - length / 2, until + length / 2);
  else if (way === "all") show(series.begin ? Date.parse(series.begin) : from, Date.now());
}

/**
 * Fingers on the graph, by their numbers.
 * @type {Map<number, number>}
 */
const fingers = new Map();

/**
 * How much time is a pixel.
 * @param {HTMLElement} graph
 */
function perPixel(graph) { return (until - from) / (graph.clientWidth - edge.left - edge.right); }

/** @param {PointerEvent} event */
function drag(event) {
  const graph = /** @type {HTMLElement} */ (event.currentTarget);
  const before = fingers.get(event.pointerId);
  if (before === undefined) return;
  if (fingers.size === 1) {
    const moved = (before - event.clientX) * perPixel(graph);
    show(from + moved, until + moved);
  } else if (fingers.size === 2) {
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1] ?? before;
    const factor = Math.abs(before - other) / Math.max(20, Math.abs(event.clientX - other));
    const middle = (from + until) / 2;
    show(middle - (middle - from) * factor, middle + (until - middle) * factor);
  }
  fingers.set(event.pointerId, event.clientX);
}

/** @param {WheelEvent} event */
function turn(event) {
  event.preventDefault();
  const factor = event.deltaY > 0 ? 1.15 : 1 / 1.15;
  const at = from + (event.offsetX - edge.left) * perPixel(/** @type {HTMLElement} */ (event.currentTarget));
  show(at - (at - from) * factor, at + (until - at) * factor);
}

/** @param {KeyboardEvent} event */
function step(event) {
  const way = { ArrowLeft: "back", ArrowRight: "on", "+": "in", "=": "in", "-": "out", Home: "all" }[event.key];
  if (!way) return;
  event.preventDefault();
  move(way);
}

/** Begins, and begins again where the page was shown anew; what is seen stays. */
function begin() {
  const graph = /** @type {HTMLCanvasElement | null} */ (document.getElementById("timeline"));
  [pictures, told] = [document.getElementById("timeline-pictures"), document.getElementById("timeline-words")];
  if (!graph || graph === canvas) return;
  const isAnew = canvas !== null;
  canvas = graph;
  graph.addEventListener("pointerdown", (event) => { graph.setPointerCapture(event.pointerId); fingers.set(event.pointerId, event.clientX); });
  graph.addEventListener("pointermove", drag);
  graph.addEventListener("pointerup", (event) => fingers.delete(event.pointerId));
  graph.addEventListener("pointercancel", (event) => fingers.delete(event.pointerId));
  graph.addEventListener("wheel", turn, { passive: false });
  graph.addEventListener("keydown", step);
  if (isAnew) {
    restore();
    // There may be one more reading.
    loaded = { from: 0, until: 0 };
    fetchSoon();
  }
  choose();
  draw();
}

/** What was chosen stays chosen. */
function restore() {
  const days = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-only=days]"));
  const which = /** @type {HTMLSelectElement | null} */ (document.querySelector("[data-only=which]"));
  const limit = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-only=limit]"));
  if (days) days.checked = only.days;
  if (which) which.value = only.which;
  if (limit && Number.isFinite(only.limit)) limit.value = level(only.limit);
}

window.addEventListener("resize", draw);
document.addEventListener("refreshed", begin);
begin();

/** For those who measure: how many pictures were painted. */
export function painted() { return frames; }
