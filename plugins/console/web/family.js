// @ts-check
/** Shows the code by which somebody is linked, and goes on by itself once they are. */

let code = "";
function show() {
  const place = document.getElementById("code");
  if (place && code) place.textContent = code.slice(0, 4) + " " + code.slice(4);
}
/** How many see somebody, as the page says it. */
function linked() { return Number(/** @type {HTMLElement | null} */ (document.querySelector("[data-linked]"))?.dataset.linked); }
const before = linked();

document.addEventListener("carried-out", (event) => {
  const element = /** @type {HTMLElement} */ (event.target);
  if (element.dataset.code === undefined) return;
  code = String(/** @type {CustomEvent} */ (event).detail.code || "");
  show();
});
document.addEventListener("refreshed", () => {
  show();
  if (linked() > before) location.assign("/");
});
export {};
