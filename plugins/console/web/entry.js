// @ts-check
/** Shows the secret questions of whoever forgot their password, each with a place for its answer. */

document.addEventListener("carried-out", (event) => {
  const form = /** @type {HTMLElement} */ (event.target);
  if (form.dataset.command !== "account.forgot") return;
  /** @type {string[]} */
  const questions = /** @type {CustomEvent} */ (event).detail.questions || [];
  const [place, none] = ["questions", "no-questions"].map((id) => document.getElementById(id));
  const asked = /** @type {HTMLInputElement} */ (document.getElementById("q-email"));
  /** @type {HTMLInputElement} */ (document.getElementById("a-email")).value = asked.value;
  place?.replaceChildren(...questions.map((question, index) => {
    const line = document.createElement("p");
    line.className = "field";
    const label = document.createElement("label");
    label.textContent = question;
    label.htmlFor = `a-${index}`;
    const input = document.createElement("input");
    Object.assign(input, { id: label.htmlFor, name: "answers", autocomplete: "off", required: true });
    input.dataset.reads = "item";
    line.append(label, input);
    return line;
  }));
  if (none) none.hidden = questions.length > 0;
  form.dataset.said = questions.length > 0 ? "answers" : "no-questions";
  const answers = document.getElementById("answers");
  if (answers) answers.hidden = questions.length === 0;
});
export {};
