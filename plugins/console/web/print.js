// @ts-check
/** Prints what is shown. */
document.addEventListener("click", (event) => {
  if (/** @type {Element} */ (event.target).closest("[data-print]")) window.print();
});
export {};
