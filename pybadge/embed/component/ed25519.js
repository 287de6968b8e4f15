/*! MIT licence */
// Strict Ed25519 [4.3].

import { hex } from "./forms.js";
import { FIELD, ORDER, SMALL_ORDER_Y } from "./rules.js";

/** The bytes of standard base64; null for every other text [4.4]. */
export const base64 = (text) => {
  try {
    const raw = atob(text);
    return btoa(raw) === text ? Uint8Array.from(raw, (character) => character.charCodeAt()) : null;
  } catch {
    return null;
  }
};

const integer = (bytes) => BigInt("0x" + hex(Uint8Array.from(bytes).reverse()));

/** Whether 32 bytes are the one encoding of something that is not of small order. */
export const isSoundPoint = (bytes) => {
  const y = integer(bytes) % 2n ** 255n;
  return y < FIELD && !SMALL_ORDER_Y.includes(y);
};

/** Whether key and signature pass every rule that needs no message: RFC 8032 leaves these to the caller. */
export const isStrict = (key, signature) =>
  key.length == 32 &&
  signature.length == 64 &&
  isSoundPoint(key) &&
  isSoundPoint(signature.subarray(0, 32)) &&
  integer(signature.subarray(32)) < ORDER;

/** Whether a signature holds; null where there is no Ed25519. */
export const holds = async (key, message, signature) => {
  if (!isStrict(key, signature)) return false;
  const { subtle } = crypto;
  const imported = await subtle.importKey("raw", key, "Ed25519", false, ["verify"]).catch(() => null);
  return imported && subtle.verify("Ed25519", imported, signature, message);
};
