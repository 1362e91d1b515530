// @ts-check
/** Asks before a level is written down that is none in this unit, and one in the other. */
import { asked } from "./app.js";

/**
 * What meters show, in each unit.
 * @type {Record<string, [number, number]>}
 */
const shown = { "mmol/L": [0.6, 33.3], "mg/dL": [10, 600] };

/** @param {string} template @param {Record<string, string>} values */
function fill(template, values) { return template.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place); }

/** @param {string} unit @param {number} level */
function isShown(unit, level) { return level >= shown[unit][0] && level <= shown[unit][1]; }

/** @type {WeakSet<HTMLFormElement>} */
const sure = new WeakSet();

/**
 * What is asked of a level; null where nothing is.
 * @param {number} level @param {string} unit @param {Record<string, string>} words
 * @returns {{ text: string, unit: string } | null}
 */
function doubt(level, unit, words) {
  if (isShown(unit, level)) return null;
  const other = unit === "mg/dL" ? "mmol/L" : "mg/dL";
  const values = { level: String(level), unit, other };
  // Only in the other unit: who writes 101 where 5.6 is meant has looked at a meter of that unit.
  // A meter of mg/dL shows no decimals.
  if (isShown(other, level) && (other === "mmol/L" || Number.isInteger(level))) return { text: fill(words.other, values), unit: other };
  // What is none in either the gateway refuses, and says why.
  return null;
}

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const field = /** @type {HTMLInputElement | null} */ (form.querySelector("[data-level]"));
  own(form);
  const place = /** @type {HTMLElement | null} */ (form.querySelector(".level"));
  if (!field || !place || sure.has(form)) return;
  const chosen = /** @type {HTMLSelectElement | null} */ (form.querySelector("select[name='reading.unit']"));
  const unit = place.dataset.unit || chosen?.value || "";
  const level = Number(field.value.trim().replace(",", "."));
  const words = JSON.parse(place.dataset.asks || "{}");
  if (!shown[unit] || !(level > 0)) return;
  const question = doubt(level, unit, words);
  if (!question) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const answer = await asked(question.text, [[words.no, false], [words.yes, true]]);
  if (!answer) { field.focus(); return; }
  // The other unit is this reading's alone: the next one is in the usual unit again.
  const usual = form.dataset.members;
  if (question.unit !== unit) {
    if (chosen) chosen.value = question.unit;
    const members = JSON.parse(usual || "{}");
    members.reading.unit = question.unit;
    form.dataset.members = JSON.stringify(members);
  }
  sure.add(form);
  form.requestSubmit();
  sure.delete(form);
  form.dataset.members = usual;
}, true);

/**
 * A tag in words of one's own goes before one of the list.
 * @param {HTMLFormElement} form
 */
function own(form) {
  const words = /** @type {HTMLInputElement | null} */ (form.querySelector("#f-own-tag"));
  const list = /** @type {HTMLSelectElement | null} */ (form.querySelector("#f-tag"));
  const tag = words?.value.trim();
  if (!tag || !list) return;
  if (![...list.options].some(({ value }) => value === tag)) list.add(new Option(tag, tag));
  list.value = tag;
}

export {};
