// @ts-check
/** A telephone that rings by itself, for a reason to leave: on this device alone, and without a connection. Nobody is told. */

/** @typedef {{ incoming: string, talking: string, name: string, answer: string, end: string, lines: { words: string, pause: number }[] }} Call */

/** How long it rings before whoever calls gives up, and how often, in milliseconds. */
const [patience, ringEvery] = [45_000, 3000];

/** @type {{ dialog: HTMLDialogElement, sound: AudioContext | null, timers: number[] } | null} */
let current = null;

function end() {
  if (!current) return;
  current.timers.forEach(clearTimeout);
  current.sound?.close();
  navigator.vibrate?.(0);
  if ("speechSynthesis" in window) speechSynthesis.cancel();
  current.dialog.remove();
  current = null;
}

/** @param {() => void} what @param {number} milliseconds */
function later(what, milliseconds) {
  current?.timers.push(window.setTimeout(what, milliseconds));
}

/** A second of two tones by turns, as telephones have them. */
function ring() {
  if (!current) return;
  navigator.vibrate?.([400, 200, 400]);
  const { sound } = current;
  if (sound) {
    const [tone, loudness] = [sound.createOscillator(), sound.createGain()];
    tone.connect(loudness).connect(sound.destination);
    loudness.gain.value = 0.5;
    for (let step = 0; step < 16; step += 1) tone.frequency.setValueAtTime(step % 2 ? 988 : 784, sound.currentTime + step / 16);
    tone.start();
    tone.stop(sound.currentTime + 1);
  }
  later(ring, ringEvery);
}

/** @param {Call} call @param {number} number */
function talk(call, number) {
  const line = call.lines[number];
  if (!current) return;
  if (!line) return end();
  document.dispatchEvent(new CustomEvent("spoken", { detail: line.words }));
  const goOn = () => later(() => talk(call, number + 1), line.pause);
  const language = document.documentElement.lang;
  const voice = "speechSynthesis" in window && speechSynthesis.getVoices().find((one) => one.lang.slice(0, 2) === language.slice(0, 2));
  // A device that cannot speak takes as long as somebody who does.
  if (!voice) return later(goOn, 80 * line.words.length);
  const sentence = new SpeechSynthesisUtterance(line.words);
  [sentence.voice, sentence.lang, sentence.rate] = [voice, voice.lang, 0.95];
  sentence.onend = sentence.onerror = goOn;
  speechSynthesis.speak(sentence);
}

/** @param {Call} call */
function begin(call) {
  if (current) return;
  const dialog = document.createElement("dialog");
  dialog.className = "matter call";
  const [state, name, keys] = ["p", "h1", "div"].map((tag) => document.createElement(tag));
  [state.className, state.textContent, name.textContent, keys.className] = ["soft", call.incoming, call.name, "keys"];
  const [answer, hangUp] = [call.answer, call.end].map((words, place) => {
    const key = document.createElement("button");
    [key.type, key.className, key.textContent] = ["button", place ? "key alarm" : "key first", words];
    return key;
  });
  answer.addEventListener("click", () => {
    if (!current) return;
    current.timers.splice(0).forEach(clearTimeout);
    current.sound?.suspend();
    navigator.vibrate?.(0);
    answer.remove();
    state.textContent = call.talking;
    later(() => talk(call, 0), 1000);
  });
  hangUp.addEventListener("click", end);
  keys.append(answer, hangUp);
  dialog.append(state, name, keys);
  dialog.addEventListener("close", end);
  document.body.append(dialog);
  dialog.showModal();
  current = { dialog, sound: "AudioContext" in window ? new AudioContext() : null, timers: [] };
  ring();
  later(end, patience);
}

document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-own-call]"));
  if (button) begin(JSON.parse(button.dataset.ownCall || "{}"));
});
// What matters more has come, such as a call for help.
document.addEventListener("refreshed", () => { if (!document.querySelector("[data-own-call]")) end(); });
export {};
