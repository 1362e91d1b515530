// @ts-check
/** Makes the alarm heard for ten seconds in the browser, once for each alarm. */
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
