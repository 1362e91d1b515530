// @ts-check
/** Makes the alarm heard for ten seconds in the browser, once for each alarm, and says near which address it is. */
import { notice, say } from "./app.js";

const id = new URLSearchParams(location.search).get("id") || "";

function wasHeard() {
  try {
    const heard = sessionStorage.getItem("heard") === id;
    sessionStorage.setItem("heard", id);
    return heard;
  } catch { return false; }
}

async function ring() {
  const audio = new AudioContext();
  if (audio.state !== "running") await Promise.race([audio.resume(), new Promise((done) => setTimeout(done, 300))]);
  if (audio.state !== "running") {
    await audio.close();
    return notice(say("listen"), { id: "listen", button: [say("listen"), ring] });
  }
  // Three rising tones and a pause, as IEC 60601-1-8 has them for what is urgent; low enough for old ears.
  const volume = audio.createGain();
  volume.gain.value = 0.4;
  volume.connect(audio.destination);
  for (let start = 0; start < 10; start += 1.25) {
    [523, 659, 784].forEach((frequency, index) => {
      const tone = audio.createOscillator();
      tone.type = "triangle";
      tone.frequency.value = frequency;
      tone.connect(volume);
      tone.start(audio.currentTime + start + index * 0.25);
      tone.stop(audio.currentTime + start + index * 0.25 + 0.2);
    });
  }
  setTimeout(() => audio.close(), 10500);
}

if (document.body.classList.contains("alarm") && !wasHeard()) ring();

/** The place that was asked for last, and what it is near. */
let asked = "";
let near = "";

/** Asks once for each place; where nobody knows addresses nothing is said. */
async function showAddress() {
  const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-near]"));
  if (!place?.dataset.near) return;
  if (place.dataset.near !== asked) {
    asked = place.dataset.near;
    near = "";
    try {
      const answer = await fetch("/api/v1/map/reverse?at=" + encodeURIComponent(asked), { credentials: "same-origin" });
      near = answer.ok ? (await answer.json()).place?.address || "" : "";
    } catch { /* the words and the map stay */ }
  }
  const line = /** @type {HTMLElement | null} */ (document.querySelector("[data-near]"));
  if (line && near && line.dataset.near === asked) line.textContent = (line.dataset.words || "").replace("{address}", near);
}
showAddress();
document.addEventListener("refreshed", showAddress);
