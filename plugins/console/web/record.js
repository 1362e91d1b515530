// @ts-check
/** Records what somebody says, lets them listen to it, and sends it as a message; and plays what others said. */
import { demand, newID, notice, refresh, say } from "./app.js";
import { bring } from "./bring.js";

// As the gateway takes it: WAV, 16 bits, one channel.
const rate = 16_000;
const [leastSeconds, mostSeconds] = [0.3, 60];
/** Below this a microphone is off: nobody's room is as quiet. */
const silence = 0.001;

const isInTheRoom = document.body.dataset.voice === "room";

/** @typedef {"ready" | "asking" | "recording" | "recorded" | "sending"} Phase */
/**
 * Where each key of the recorder is shown.
 * @type {Record<string, Phase[]>}
 */
const shownIn = { start: ["ready"], stop: ["recording"], listen: ["recorded"], send: ["recorded"], drop: ["recorded"] };

/** @type {Phase} */
let phase = "ready";
/** What is told besides, by its name among the words of the page. */
let told = "";
/** What the gateway said of it. */
let refused = "";
/** Why nothing can be recorded here, by its name among the words; empty where it can. */
let hindrance = !window.isSecureContext ? "insecure" : !navigator.mediaDevices?.getUserMedia || !("AudioWorkletNode" in window) ? "none" : "";
/** What is being recorded: blocks of samples, of which `frames` are there, the last as loud as `level`, of 1.
 * @typedef {{ stream: MediaStream, context: AudioContext, node: AudioWorkletNode, blocks: Float32Array[], frames: number, level: number }} Taking */
/** @type {Taking | null} */
let taking = null;
/** What was recorded: the message that it is to be, and by which name the gateway has it, empty before.
 * @typedef {{ file: Blob, seconds: number, target: string, id: string }} Taken */
/** @type {Taken | null} */
let taken = null;

/** @returns {HTMLElement | null} */
function place() { return document.querySelector("[data-records]"); }

/** @param {string} name @param {Record<string, string>} [values] */
function word(name, values = {}) {
  const words = JSON.parse(place()?.dataset.words || "{}");
  return String(words[name] || "").replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
}

/** @param {number} seconds */
function clock(seconds) { return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`; }

function seconds() { return taking ? taking.frames / taking.context.sampleRate : taken ? taken.seconds : 0; }

/** Shows how far it has come; also on a page that was put anew meanwhile. */
function show() {
  const recorder = place();
  if (!recorder) return;
  recorder.hidden = hindrance !== "";
  const instead = document.getElementById("unrecorded");
  if (instead) {
    instead.hidden = hindrance === "";
    if (hindrance) instead.textContent = word(hindrance);
  }
  for (const key of recorder.querySelectorAll("[data-record]")) {
    const button = /** @type {HTMLElement} */ (key);
    button.hidden = !(shownIn[button.dataset.record || ""] || []).includes(phase);
  }
  const status = recorder.querySelector("[role=status]");
  const text = refused || (told ? word(told) : ["asking", "recording", "recorded", "sending"].includes(phase) ? word(phase) : "");
  if (status && status.textContent !== text) status.textContent = text;
  const time = recorder.querySelector("[data-time]");
  if (time) time.textContent = ["recording", "recorded"].includes(phase) ? clock(seconds()) : "";
  const level = /** @type {HTMLElement | null} */ (recorder.querySelector(".loudness"));
  if (level) {
    level.hidden = phase !== "recording";
    const bar = /** @type {HTMLElement | null} */ (level.firstElementChild);
    if (bar) bar.style.transform = `scaleX(${Math.min(1, Math.sqrt(taking?.level || 0))})`;
  }
}

/** @param {Phase} next @param {string} [words] @param {string} [focus] the key that is meant next */
function go(next, words = "", focus = "") {
  [phase, told, refused] = [next, words, ""];
  show();
  if (focus) /** @type {HTMLElement | null | undefined} */ (place()?.querySelector(`[data-record="${focus}"]`))?.focus({ preventScroll: true });
}

async function start() {
  if (phase !== "ready") return;
  hush();
  go("asking");
  /** @type {MediaStream | null} */
  let stream = null;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true } });
    const context = new AudioContext();
    await context.audioWorklet.addModule(new URL("tap.js", import.meta.url));
    const node = new AudioWorkletNode(context, "tap", { channelCount: 1, channelCountMode: "explicit" });
    /** @type {Taking} */
    const begun = { stream, context, node, blocks: [], frames: 0, level: 0 };
    node.port.onmessage = ({ data }) => hear(begun, data);
    // Nothing of it is heard: some browsers only work for what leads to a loudspeaker.
    const mute = new GainNode(context, { gain: 0 });
    context.createMediaStreamSource(stream).connect(node).connect(mute).connect(context.destination);
    await context.resume();
    taking = begun;
    for (const track of stream.getTracks()) track.addEventListener("ended", stop);
    go("recording", "", "stop");
  } catch (error) {
    for (const track of stream?.getTracks() || []) track.stop();
    const name = error instanceof DOMException ? error.name : "";
    hindrance = ["NotAllowedError", "SecurityError"].includes(name) ? "refused" : ["NotFoundError", "OverconstrainedError"].includes(name) ? "none" : "";
    go("ready", hindrance ? "" : "failed");
  }
}

/** @param {Taking} begun @param {Float32Array | null} block nothing behind the last one */
function hear(begun, block) {
  if (!block) return finish(begun);
  begun.blocks.push(block);
  begun.frames += block.length;
  begun.level = block.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  if (begun !== taking) return;
  show();
  if (seconds() >= mostSeconds) stop();
}

function stop() {
  if (!taking) return;
  const begun = taking;
  taking = null;
  for (const track of begun.stream.getTracks()) track.stop();
  go("asking");
  begun.node.port.postMessage("end");
}

/** @param {Taking} begun */
async function finish(begun) {
  const from = begun.context.sampleRate;
  await begun.context.close();
  const peak = begun.blocks.reduce((most, block) => block.reduce((more, sample) => Math.max(more, Math.abs(sample)), most), 0);
  if (begun.frames < leastSeconds * from) return go("ready", "short", "start");
  if (peak < silence) return go("ready", "silent", "start");
  const samples = await resampled(begun.blocks, begun.frames, from);
  taken = { file: wav(samples), seconds: samples.length / rate, target: newID(), id: "" };
  go("recorded", "", "send");
}

/** @param {Float32Array[]} blocks @param {number} frames @param {number} from */
async function resampled(blocks, frames, from) {
  const count = Math.min(mostSeconds * rate, Math.floor(frames * rate / from));
  const offline = new OfflineAudioContext(1, count, rate);
  const buffer = offline.createBuffer(1, frames, from);
  let offset = 0;
  for (const block of blocks) {
    buffer.copyToChannel(block, 0, offset);
    offset += block.length;
  }
  const source = new AudioBufferSourceNode(offline, { buffer });
  source.connect(offline.destination);
  source.start();
  return (await offline.startRendering()).getChannelData(0);
}

/** @param {Float32Array} samples */
function wav(samples) {
  const bytes = new DataView(new ArrayBuffer(44 + 2 * samples.length));
  /** @param {number} at @param {string} name */
  const letters = (at, name) => [...name].forEach((letter, index) => bytes.setUint8(at + index, letter.charCodeAt(0)));
  letters(0, "RIFF"); bytes.setUint32(4, 36 + 2 * samples.length, true); letters(8, "WAVEfmt ");
  bytes.setUint32(16, 16, true); bytes.setUint16(20, 1, true); bytes.setUint16(22, 1, true);
  bytes.setUint32(24, rate, true); bytes.setUint32(28, 2 * rate, true);
  bytes.setUint16(32, 2, true); bytes.setUint16(34, 16, true);
  letters(36, "data"); bytes.setUint32(40, 2 * samples.length, true);
  samples.forEach((sample, index) => bytes.setInt16(44 + 2 * index, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true));
  return new Blob([bytes.buffer], { type: "audio/wav" });
}

/** @param {Taken} message */
async function brought(message) {
  message.id = message.id || await bring("recording.add", place()?.dataset.records || "", message.file);
  return message.id;
}

async function deliver() {
  const [message, recorder] = [taken, place()];
  if (!message || !recorder || phase !== "recorded") return;
  hush();
  go("sending");
  try {
    const members = { ...JSON.parse(recorder.dataset.members || "{}"), target: message.target, recording: await brought(message) };
    const outcome = await demand("message.send", members);
    // What waits for a connection is sent as soon as there is one.
    if (outcome.done || outcome.isOffline) {
      taken = null;
      go("ready");
      if (outcome.done && recorder.dataset.then) return location.assign(recorder.dataset.then);
      notice(outcome.done ? say("saved") : outcome.words || "", { calm: true, seconds: 6, id: "saved" });
      return await refresh(true);
    }
    go("recorded");
    refused = outcome.words || "";
  } catch (error) {
    go("recorded", "failed");
    if (error instanceof Error && error.message !== "failed" && !(error instanceof TypeError)) refused = error.message;
  }
  show();
}

function drop() {
  hush();
  taken = null;
  go("ready", "", "start");
}

// What others said, and what is not sent yet.

const audio = new Audio();
/** By which key there is something to hear now; empty for none. */
let sounding = "";
audio.addEventListener("ended", hush);
audio.addEventListener("error", () => {
  if (sounding) notice(word("unheard") || say("failed"), { calm: true, seconds: 8, id: "unheard" });
  hush();
});

function hush() {
  sounding = "";
  audio.pause();
  mark();
}
function mark() {
  for (const key of document.querySelectorAll("[data-plays], [data-record=listen]")) {
    key.toggleAttribute("data-sounds", sounding !== "" && sounding === (key.getAttribute("data-plays") || "own"));
  }
}

/** @param {string} name @param {() => string} source @param {() => Promise<string>} identity */
async function play(name, source, identity) {
  if (sounding === name) return hush();
  if (isInTheRoom) {
    // The loudspeaker is the gateway's.
    try {
      const outcome = await demand("recording.play", { target: await identity() });
      if (!outcome.done) notice(outcome.words || say("failed"), { calm: true, seconds: 8, id: "unheard" });
    } catch { notice(say("failed"), { calm: true, seconds: 8, id: "unheard" }); }
    return;
  }
  hush();
  sounding = name;
  audio.src = source();
  audio.play().catch(() => { /* the error is told above */ });
  mark();
}

/**
 * Players of the browser's own that sound: while the page is put anew, they go on.
 * @type {Set<HTMLAudioElement>}
 */
const players = new Set();
document.addEventListener("play", ({ target }) => { if (target instanceof HTMLAudioElement) players.add(target); }, true);
document.addEventListener("pause", ({ target }) => {
  if (target instanceof HTMLAudioElement && target.isConnected) players.delete(target);
}, true);
function keepPlayers() {
  for (const old of players) {
    const fresh = old.isConnected ? null : document.querySelector(`audio[src="${old.getAttribute("src")}"]`);
    if (fresh && !old.paused) fresh.replaceWith(old);
    else if (!old.isConnected) players.delete(old);
  }
}

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return;
  const listens = /** @type {HTMLElement | null} */ (target.closest("[data-plays]"));
  const id = listens?.dataset.plays || "";
  if (listens) return play(id, () => `/recording/${id}`, async () => id);
  const key = /** @type {HTMLElement | null} */ (target.closest("[data-record]"));
  const own = taken;
  if (key?.dataset.record === "start") start();
  else if (key?.dataset.record === "stop") stop();
  else if (key?.dataset.record === "send") deliver();
  else if (key?.dataset.record === "drop") drop();
  else if (key?.dataset.record === "listen" && own) play("own", () => URL.createObjectURL(own.file), () => brought(own));
});
document.addEventListener("refreshed", () => {
  keepPlayers();
  mark();
  // Something that matters more took the page over.
  if (taking && !place()) stop(); else show();
});
window.addEventListener("pagehide", () => { if (taking) for (const track of taking.stream.getTracks()) track.stop(); });
show();
