// @ts-check
/** Turns the arrow with whoever looks, by the device's own compass where it has one, and shows what is before the camera. */

/** Which way the device looks, in degrees clockwise from north; null where it does not say. */
/** @type {number | null} */
let own = null;

function turn() {
  const compass = /** @type {HTMLElement | null} */ (document.querySelector(".compass"));
  if (!compass) return;
  const { bearing, heading } = compass.dataset;
  const looks = own ?? (heading ? Number(heading) : 0);
  const needle = /** @type {SVGElement | null} */ (compass.querySelector(".needle"));
  const rose = /** @type {SVGElement | null} */ (compass.querySelector(".rose"));
  if (needle && bearing) needle.style.transform = `rotate(${Number(bearing) - looks}deg)`;
  if (rose) rose.style.transform = `rotate(${-looks}deg)`;
  if (bearing) compass.dataset.turned = String(Math.round(Number(bearing) - looks));
}

/** @param {any} event */
function look(event) {
  const wasLost = own === null;
  if (typeof event.webkitCompassHeading === "number") own = event.webkitCompassHeading;
  else if (event.absolute && typeof event.alpha === "number") own = (360 - event.alpha + (screen.orientation?.angle || 0)) % 360;
  else return;
  turn();
  if (wasLost) place();
}

const orientation = /** @type {any} */ (window).DeviceOrientationEvent;
const asks = typeof orientation?.requestPermission === "function";
window.addEventListener("deviceorientationabsolute", look);
window.addEventListener("deviceorientation", look);

// The camera behind the arrow.

/** @type {MediaStream | null} */
let stream = null;
// One for as long as the page is there: the rest is put anew as somebody walks.
const video = document.createElement("video");
[video.muted, video.playsInline] = [true, true];
let hasCamera = false;

function place() {
  for (const button of document.querySelectorAll("[data-camera]")) /** @type {HTMLElement} */ (button).hidden = !hasCamera;
  for (const button of document.querySelectorAll("[data-compass]")) /** @type {HTMLElement} */ (button).hidden = !asks || own !== null;
  const compass = document.querySelector(".compass");
  if (!compass || !stream) return video.remove();
  if (video.parentElement !== compass) compass.prepend(video);
  if (video.srcObject !== stream) video.srcObject = stream;
  video.play().catch(() => { /* it is shown once the browser lets it */ });
}

async function toggle() {
  if (stream) {
    for (const track of stream.getTracks()) track.stop();
    stream = null;
  } else {
    try { stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } }); } catch { hasCamera = false; }
  }
  place();
}

document.addEventListener("click", async (event) => {
  const target = /** @type {Element} */ (event.target);
  if (target.closest("[data-camera]")) toggle();
  if (target.closest("[data-compass]")) {
    try { await orientation.requestPermission(); } catch { /* it was refused: the tracker's own direction stays */ }
  }
});
document.addEventListener("refreshed", () => { turn(); place(); });
turn();
(async () => {
  try { hasCamera = (await navigator.mediaDevices.enumerateDevices()).some(({ kind }) => kind === "videoinput"); } catch { hasCamera = false; }
  place();
})();
export {};
