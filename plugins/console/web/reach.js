// @ts-check
/** Says whether this browser trusts the pages. */
import { worker } from "./app.js";

let state = "unknown";
function show() {
  for (const element of document.querySelectorAll("[data-trust]")) {
    /** @type {HTMLElement} */ (element).hidden = /** @type {HTMLElement} */ (element).dataset.trust !== state;
  }
}

// Who goes on behind a warning has a secure context as well; but only where the certificate is trusted is a worker kept.
async function look() {
  if (!window.isSecureContext) state = "open";
  try {
    if (worker && await worker) state = "trusted";
  } catch (fault) {
    if (fault instanceof DOMException && fault.name === "SecurityError") state = "untrusted";
  }
  show();
}

document.addEventListener("refreshed", show);
look();
