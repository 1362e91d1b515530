// @ts-nocheck
/** Hands on what a microphone hears, as it comes: numbers of -1 to 1, one channel. */
/* global AudioWorkletProcessor, registerProcessor */
const size = 2048;

class Tap extends AudioWorkletProcessor {
  constructor() {
    super();
    this.block = new Float32Array(size);
    this.filled = 0;
    // What is left of the last block belongs to what was said.
    this.port.onmessage = () => { this.tell(); this.port.postMessage(null); };
  }

  tell() {
    if (this.filled > 0) this.port.postMessage(this.block.slice(0, this.filled));
    this.filled = 0;
  }

  process([input]) {
    for (const sample of input[0] || []) {
      this.block[this.filled] = sample;
      this.filled += 1;
      if (this.filled === size) this.tell();
    }
    return true;
  }
}
registerProcessor("tap", Tap);
