/*! MIT licence */
// Keys that the user trusts, from files that the user named [4.2].

import { base64, isSoundPoint } from "./ed25519.js";
import { hex, sha256 } from "./forms.js";
import { ALGORITHM, FIELD, FINGERPRINT_LENGTH, ORDER, PINNED } from "./rules.js";
import { fail, isObject, isText, parse } from "./strict-json.js";

const unreadable = (why = "not an Ed25519 public key") => fail("key.unreadable", why);

// All of these that are there must agree.
const ENCODINGS = ["public_key_b64", "public_key_base64", "public_key_hex", "public_key", "key"];
const FINGERPRINTS = ["public_key_fingerprint", "fingerprint"];

const fromHex = (text) =>
  /^[0-9a-f]{64}$/i.test(text) ? Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16)) : null;

// 32 bytes in hex, in base64, or in the PEM form of RFC 8410, whose first 12 bytes are always the same.
const fromText = (text) => {
  const pem = /^-----BEGIN PUBLIC KEY-----\s+([A-Za-z0-9+/=]{60})\s+-----END PUBLIC KEY-----$/.exec(text);
  if (!pem) return fromHex(text) ?? base64(text);
  const der = base64(pem[1]);
  return der && hex(der.subarray(0, 12)) == "302a300506032b6570032100" ? der.subarray(12) : null;
};

const facts = (bytes) => {
  let document;
  try {
    document = parse(bytes);
  } catch ({ message }) {
    return unreadable(message);
  }
  if (!isObject(document)) unreadable();
  const stated = isObject(document.public_key) ? { ...document, ...document.public_key } : document;
  const algorithm = "algorithm" in stated ? stated.algorithm : ALGORITHM;
  if (!isText(algorithm) || algorithm.toLowerCase() != ALGORITHM) fail("key.algorithm", `not a key of ${ALGORITHM}`);
  return stated;
};

/**
 * A key from the bytes of a file: the JSON of /pith-signing-key.json, PEM, 32 raw bytes, or their hex or base64 on a
 * line. Throws a PithError.
 */
export async function readKey(bytes) {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).replace(/^[\t-\r ]+/, "").trimEnd();
  let stated = {};
  let raw;
  if (bytes.length == 32) raw = bytes;
  else if (text.startsWith("{")) {
    stated = facts(new TextEncoder().encode(text));
    const texts = ENCODINGS.map((name) => stated[name]).filter(isText);
    const raws = texts.map((one) => fromText(one.trim()));
    if (raws.every((one) => one && hex(one) == hex(raws[0]))) raw = raws[0];
  } else raw = fromText(text);
  if (raw?.length != 32 || !isUsableKey(raw)) unreadable();
  const fingerprint = hex(await sha256(raw)).slice(0, FINGERPRINT_LENGTH);
  if (FINGERPRINTS.some((name) => isText(stated[name]) && stated[name] != fingerprint))
    fail("key.fingerprint", `the key's fingerprint is ${fingerprint}, the file states another`);
  const key_id = isText(stated.key_id) ? stated.key_id : null;
  const pinned = PINNED.find((key) => hex(base64(key.raw)) == hex(raw));
  if (pinned) return pinned;
  if (PINNED.some((key) => key.key_id == key_id)) fail("key.name_taken", `a pinned key has the name ${key_id}`);
  // The registry's name in the file is not taken over: it may be that of another.
  return { raw, key_id, registry: `key ${fingerprint.slice(0, 8)}` };
}

// --- the curve: a key must be a point of prime order, since others verify more than they should, or nothing

const mod = (value) => ((value % FIELD) + FIELD) % FIELD;
const power = (base, exponent) => {
  let result = 1n;
  for (let square = base; exponent; exponent >>= 1n, square = mod(square * square))
    if (exponent & 1n) result = mod(result * square);
  return result;
};
const inverse = (value) => power(value, FIELD - 2n);
const D = mod(-121665n * inverse(121666n));

// x of a point from y and its sign; null where no point has that y.
const xOf = (y, odd) => {
  const square = mod((y * y - 1n) * inverse(D * y * y + 1n));
  let x = power(square, (FIELD + 3n) / 8n);
  if (mod(x * x) != square) x = mod(x * power(2n, (FIELD - 1n) / 4n));
  if (mod(x * x) != square) return null;
  return (x & 1n) == odd ? x : mod(-x);
};

// RFC 8032, 5.1.4: X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z.
const add = ([x1, y1, z1, t1], [x2, y2, z2, t2]) => {
  const [a, b] = [mod((y1 - x1) * (y2 - x2)), mod((y1 + x1) * (y2 + x2))];
  const [c, d] = [mod(2n * t1 * t2 * D), mod(2n * z1 * z2)];
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
};

/** Whether 32 bytes are the one encoding of a point of prime order. */
export const isUsableKey = (raw) => {
  if (!isSoundPoint(raw)) return false;
  const bits = BigInt("0x" + hex(Uint8Array.from(raw).reverse()));
  const y = bits % 2n ** 255n;
  const x = xOf(y, bits >> 255n);
  if (x == null) return false;
  let [sum, point] = [[0n, 1n, 1n, 0n], [x, y, 1n, mod(x * y)]];
  for (let rest = ORDER; rest; rest >>= 1n, point = add(point, point)) if (rest & 1n) sum = add(sum, point);
  return sum[0] == 0n && sum[1] == sum[2];
};
