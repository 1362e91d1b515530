// @ts-check
/** Makes a picture small and brings it to the gateway, in pieces; what the form sends then is its name. */
import { bring } from "./bring.js";

// What a family looks at; the rest would only fill the card of a small computer.
const longest = 1600;

/**
 * A picture as JPEG, its long side at most so many pixels; of one that moves the first picture. Where it was taken is not in it.
 * @param {File} file @returns {Promise<Blob>}
 */
async function small(file) {
  const picture = await load(file);
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.max(1, Math.round(picture.width * scale)), Math.max(1, Math.round(picture.height * scale))];
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return await new Promise((resolve, reject) => canvas.toBlob((blob) => blob ? resolve(blob) : reject(new Error("no picture")), "image/jpeg", 0.85));
}

/**
 * Never larger in memory than it is shown: a file of few bytes may say that it has any number of pixels.
 * @param {File} file
 */
async function load(file) {
  const full = await createImageBitmap(file, { resizeWidth: longest, resizeQuality: "medium" });
  if (full.height <= longest) return full;
  full.close();
  return await createImageBitmap(file, { resizeHeight: longest, resizeQuality: "medium" });
}

/** @param {HTMLElement} place */
function drop(place) {
  for (const one of place.querySelectorAll("input[type=hidden], img")) one.remove();
}

document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest?.("[data-drops-picture]");
  const place = /** @type {HTMLElement | null | undefined} */ (button?.closest("[data-brings-picture]"));
  if (!button || !place) return;
  drop(place);
  /** @type {HTMLElement} */ (button).hidden = true;
  place.querySelector("input")?.focus();
});

document.addEventListener("change", async (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  const place = /** @type {HTMLElement | null} */ (input.closest("[data-brings-picture]"));
  const file = input.files?.[0];
  if (!place || input.type !== "file" || !file) return;
  const words = JSON.parse(place.dataset.words || "{}");
  const told = place.querySelector("[role=status]");
  const submit = input.form?.querySelector("button:not([type])");
  /** @param {string} text */
  const tell = (text) => { if (told) told.textContent = text; };
  submit?.setAttribute("aria-disabled", "true");
  tell(words.bringing);
  try {
    /** @type {Blob} */
    let picture;
    try { picture = await small(file); } catch { input.value = ""; return tell(words.unshown); }
    const id = await bring("picture.add", place.dataset.bringsPicture || "", picture);
    const field = document.createElement("input");
    [field.type, field.name, field.value] = ["hidden", place.dataset.field || "", id];
    if ("single" in place.dataset) drop(place);
    else field.dataset.reads = "item";
    place.append(field);
    const shown = document.createElement("img");
    [shown.src, shown.alt, shown.className] = [`/picture/${id}`, "", "small"];
    place.append(shown);
    const without = /** @type {HTMLElement | null} */ (place.querySelector("[data-drops-picture]"));
    if (without) without.hidden = false;
    tell("");
  } catch (error) {
    tell(error instanceof Error && error.message !== "failed" ? error.message : words.failed);
  } finally {
    submit?.removeAttribute("aria-disabled");
    input.value = "";
  }
});
