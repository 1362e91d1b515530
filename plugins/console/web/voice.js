// @ts-check
/** Takes what somebody says into a field, where the browser can hear words; of a number it asks which one was meant. */
import { asked, notice, say } from "./app.js";

/** @type {any} */
const Recognition = /** @type {any} */ (window).SpeechRecognition || /** @type {any} */ (window).webkitSpeechRecognition;

/** @type {Record<string, number>} */
const small = {
  zero: 0, oh: 0, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11, twelve: 12,
  thirteen: 13, fourteen: 14, fifteen: 15, sixteen: 16, seventeen: 17, eighteen: 18, nineteen: 19,
  twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, seventy: 70, eighty: 80, ninety: 90,
};
/** @type {Record<string, number>} */
const chinese = { 零: 0, 〇: 0, 一: 1, 二: 2, 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9 };

/**
 * A number in words or figures; null where there is none.
 * @param {string} text
 * @returns {number | null}
 */
export function numberIn(text) {
  const figures = text.match(/\d+(?:[.,]\d+)?/);
  if (figures) return Number(figures[0].replace(",", "."));
  const spoken = numberOfChinese(text);
  if (spoken !== null) return spoken;
  const [whole, fraction] = text.toLowerCase().split(/\bpoint\b/);
  const number = whole.split(/[^a-z]+/).filter((word) => word in small || word === "hundred");
  if (number.length === 0) return null;
  let value = 0;
  for (const word of number) value = word === "hundred" ? Math.max(1, value) * 100 : value + small[word];
  const digits = (fraction || "").split(/[^a-z]+/).filter((word) => word in small && small[word] < 10).map((word) => small[word]);
  return digits.length > 0 ? Number(`${value}.${digits.join("")}`) : value;
}

/** @param {string} text @returns {number | null} */
function numberOfChinese(text) {
  const match = text.match(/[零〇一二两三四五六七八九十百点]+/);
  if (!match || match[0] === "点") return null;
  const [whole, fraction] = match[0].split("点");
  let [value, digit] = [0, 0];
  for (const sign of whole) {
    if (sign === "百") { value += Math.max(1, digit) * 100; digit = 0; }
    else if (sign === "十") { value += Math.max(1, digit) * 10; digit = 0; }
    else digit = chinese[sign];
  }
  value += digit;
  const rest = [...(fraction || "")].map((sign) => chinese[sign]).filter((number) => number !== undefined).join("");
  return rest ? Number(`${value}.${rest}`) : value;
}

/**
 * Numbers that sound like another: thirteen and thirty. Whoever says one is asked which.
 * @param {number} number
 * @returns {number[]}
 */
export function alike(number) {
  const whole = Math.floor(number);
  const [hundreds, rest] = [Math.floor(whole / 100) * 100, whole % 100];
  if (rest >= 13 && rest <= 19) return [number, hundreds + (rest - 10) * 10 + (number - whole)];
  if (rest >= 30 && rest <= 90 && rest % 10 === 0) return [number, hundreds + 10 + rest / 10 + (number - whole)];
  return [number];
}

/**
 * The field, also where the page was shown anew meanwhile.
 * @param {string} id
 */
function fieldOf(id) { return /** @type {HTMLInputElement | HTMLTextAreaElement | null} */ (document.getElementById(id)); }

/** @param {string} id @param {string} heard */
async function take(id, heard) {
  let field = fieldOf(id);
  if (!field) return;
  const place = /** @type {HTMLElement | null} */ (field.closest("[data-asks]"));
  if (!place) {
    field.value = (field.value ? field.value.trimEnd() + " " : "") + heard;
  } else {
    const words = JSON.parse(place.dataset.asks || "{}");
    const number = numberIn(heard);
    if (number === null) return notice(words.unheard, { calm: true, seconds: 8, id: "unheard" });
    const answers = alike(number).map((one) => /** @type {[string, number]} */ ([String(Math.round(one * 10) / 10), one]));
    const answer = await asked(words.heard.replace("{words}", `“${heard}”`), [...answers, [words.no, NaN]]);
    field = fieldOf(id);
    if (!field) return;
    if (answer === null || Number.isNaN(answer)) return field.focus();
    field.value = String(Math.round(answer * 10) / 10);
  }
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}

document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button[data-voice]"));
  if (!button || !Recognition) return;
  const id = button.dataset.voice || "";
  const listening = new Recognition();
  listening.lang = document.documentElement.lang === "zh-Hans" ? "zh-CN" : "en-GB";
  listening.onresult = (/** @type {any} */ result) => take(id, String(result.results[0][0].transcript || ""));
  listening.onerror = () => notice(say("failed"), { calm: true, seconds: 6, id: "unheard" });
  listening.onend = () => button.removeAttribute("aria-pressed");
  button.setAttribute("aria-pressed", "true");
  listening.start();
});

function offer() {
  for (const button of document.querySelectorAll("button[data-voice]")) /** @type {HTMLElement} */ (button).hidden = !Recognition;
}
offer();
document.addEventListener("refreshed", offer);
