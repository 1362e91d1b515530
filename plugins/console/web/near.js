// @ts-check
/** Says near which address a place is, on a page that shows it. */

/** The place that was asked for last, and what it is near. */
let asked = "";
let near = "";

/** Asks once for each place; where nobody knows addresses nothing is said. */
async function showAddress() {
  const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-near]"));
  if (!place?.dataset.near) return;
  if (place.dataset.near !== asked) {
    asked = place.dataset.near;
    near = "";
    try {
      const answer = await fetch("/api/v1/map/reverse?at=" + encodeURIComponent(asked), { credentials: "same-origin" });
      near = answer.ok ? (await answer.json()).place?.address || "" : "";
    } catch { /* the words and the map stay */ }
  }
  const line = /** @type {HTMLElement | null} */ (document.querySelector("[data-near]"));
  if (line && near && line.dataset.near === asked) line.textContent = (line.dataset.words || "").replace("{address}", near);
}
showAddress();
document.addEventListener("refreshed", showAddress);
export {};
