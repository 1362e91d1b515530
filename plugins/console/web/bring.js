// @ts-check
/** Brings a file to the gateway, in pieces; what is sent then is its name. */
import { newID } from "./app.js";

const pieceBytes = 192 * 1024;

/** @param {ArrayBuffer} bytes */
function base64(bytes) {
  let text = "";
  for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
  return btoa(text);
}

/**
 * @param {"picture.add" | "recording.add"} action @param {string} resident @param {Blob} file
 * @returns {Promise<string>} by which it is known there
 */
export async function bring(action, resident, file) {
  const upload = newID();
  for (let offset = 0; ; offset += pieceBytes) {
    const piece = file.slice(offset, offset + pieceBytes);
    const isLast = offset + piece.size >= file.size;
    const answer = await fetch("/api/v1/" + action.replace(".", "/"), {
      method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ resident, upload, offset, data: base64(await piece.arrayBuffer()), isLast }),
    });
    const content = await answer.json();
    if (!answer.ok) throw new Error(content.title || "failed");
    if (isLast) return content.id;
  }
}
