// @ts-check
/** Goes on by itself once somebody is linked who was not before. */

/** How many see somebody, as the page says it. */
function linked() { return Number(/** @type {HTMLElement | null} */ (document.querySelector("[data-linked]"))?.dataset.linked); }
const before = linked();

let isGoing = false;
document.addEventListener("refreshed", () => {
  // Once: to set out again would break off the way that was begun.
  if (isGoing || linked() <= before) return;
  isGoing = true;
  location.assign("/");
});
export {};
