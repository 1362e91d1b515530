// @ts-check
/** Leads the browser to the identity provider, once the gateway has said where that is. */

document.addEventListener("carried-out", (event) => {
  const element = /** @type {HTMLElement} */ (event.target);
  if (!["account.begin-openid", "account.connect-openid"].includes(element.dataset.command || "")) return;
  const url = String(/** @type {CustomEvent} */ (event).detail.url || "");
  if (/^https?:\/\//.test(url)) location.assign(url);
});
export {};
