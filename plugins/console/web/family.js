// @ts-check
/** Shows the code by which somebody is linked, and goes on by itself once they are. */

document.addEventListener("carried-out", (event) => {
  const element = /** @type {HTMLElement} */ (event.target);
  const place = document.getElementById("code");
  if (element.dataset.code === undefined || !place) return;
  const code = String(/** @type {CustomEvent} */ (event).detail.code || "");
  place.textContent = code.slice(0, 4) + " " + code.slice(4);
});
document.addEventListener("happened", (event) => {
  const type = /** @type {CustomEvent} */ (event).detail.type;
  if (type === "account.linked") location.assign("/");
});
export {};
