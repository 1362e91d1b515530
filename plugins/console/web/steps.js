// @ts-check
/** One question of a form at a time: forward once it is answered, back at any time; all are sent together at the end. */

/** The number of the question that is shown. */
let step = 0;

/** @returns {{ form: HTMLFormElement, steps: HTMLElement[] } | null} */
function parts() {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-steps]"));
  return form && { form, steps: Array.from(form.querySelectorAll("[data-step]"), (one) => /** @type {HTMLElement} */ (one)) };
}

/** @param {boolean} [isMoved] whether somebody went there, and wants to answer */
function show(isMoved = false) {
  const found = parts();
  if (!found) return;
  const { form, steps } = found;
  steps.forEach((one, index) => { one.hidden = index !== step; });
  const isLast = step === steps.length - 1;
  for (const [name, isThere] of /** @type {[string, boolean][]} */ ([["back", step > 0], ["next", !isLast], ["end", isLast]])) {
    form.querySelector(`[data-step-${name}]`)?.toggleAttribute("hidden", !isThere);
  }
  const words = /** @type {HTMLElement | null} */ (form.querySelector("[data-step-words]"));
  if (words) words.textContent = (words.dataset.stepWords || "").replace("{n}", String(step + 1)).replace("{count}", String(steps.length));
  if (isMoved) /** @type {HTMLElement | null} */ (steps[step].querySelector("input"))?.focus();
}

/**
 * What is not answered yet on the question that is shown; null where all is.
 * @param {HTMLElement} one
 */
function open(one) {
  return /** @type {HTMLInputElement | null} */ (one.querySelector(":invalid:not(fieldset)"))
    || Array.from(one.querySelectorAll("input[type=text]"), (field) => /** @type {HTMLInputElement} */ (field)).find(({ value }) => !value.trim()) || null;
}

function next() {
  const found = parts();
  if (!found) return;
  const field = open(found.steps[step]);
  const fault = /** @type {HTMLElement | null} */ (found.form.querySelector(".fault"));
  if (fault) {
    fault.hidden = field === null;
    if (field) fault.textContent = field.validationMessage || found.form.querySelector(`label[for="${field.id}"]`)?.textContent || "";
  }
  if (field) return field.focus();
  step += 1;
  show(true);
}

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (target.closest("[data-step-next]")) next();
  if (target.closest("[data-step-back]")) { step -= 1; show(true); }
});
// Enter goes on, and sends nothing before the last question.
document.addEventListener("submit", (event) => {
  const found = parts();
  if (!found || event.target !== found.form || step === found.steps.length - 1) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  next();
}, true);
document.addEventListener("refreshed", () => show());
show();
export {};
