/*! MIT licence */
// Hashes, the forms of texts, and Pith Numbers.

import {
  ALPHABET,
  FULL_LENGTH,
  LONGEST_NUMBER,
  LONGEST_RUN,
  LOWERED,
  MARKS,
  SHORT_LENGTHS,
  WHITE_SPACE,
} from "./rules.js";
import { canonical, fail } from "./strict-json.js";

/** SHA-256 of some bytes. */
export const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
/** SHA-256 of a text's UTF-8. */
export const digestOf = (text) => sha256(new TextEncoder().encode(text));
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** SHA-256 of a text's UTF-8: 64 hex digits. */
export const hashOf = async (text) => hex(await digestOf(text));

// --- title and abstract [3]

const WORD = RegExp(`[^${WHITE_SPACE}]+`, "g");
const CASED = RegExp(`[${LOWERED}]+`, "g");
const UNCOMPOSABLE = RegExp(`[^${LOWERED}]`, "u");
const LONG_RUN = RegExp(`[${MARKS}]{${LONGEST_RUN + 1}}`);

// Every character by itself: JavaScript has a rule of its own only for a sigma at the end of a word.
const lower = (text) =>
  text
    .split("Σ")
    .map((part) => part.toLowerCase())
    .join("σ");

/** The form of a title or abstract that is hashed: white space to one blank, none at the ends, lower case. */
export const textForm = (text) => (text.match(WORD) ?? []).join(" ").replace(CASED, lower);

/** Whether a text has a hash, as it stands or composed: the way as a remark, null where it doesn't. */
export const matchingForm = async (text, hash) => {
  if ((await hashOf(textForm(text))) == hash) return "";
  if (UNCOMPOSABLE.test(text) || LONG_RUN.test(text)) return null;
  const composed = text.normalize("NFC");
  return composed != text && (await hashOf(textForm(composed))) == hash ? ", in Unicode's form NFC" : null;
};

// --- numbers [1]

const BLANKS = " \t\r\n";

/** Read a Pith Number in any of its forms: {suffix, year, full}. Throws a PithError. */
export function parseNumber(text) {
  let [start, end] = [0, text.length];
  while (start < end && BLANKS.includes(text[start])) start++;
  while (start < end && BLANKS.includes(text[end - 1])) end--;
  const stripped = text.slice(start, end);
  if (!stripped) fail("number.empty", "a Pith Number is missing");
  if (stripped.length > 2 * LONGEST_NUMBER || [...stripped].length > LONGEST_NUMBER)
    fail("number.length", "not a Pith Number: too long");
  const parts = stripped.split(":");
  const malformed = () => fail("number.malformed", "not of the form pith:2024:XR2U… or XR2U…");
  if (parts.length > 3 || parts.includes("") || (parts.length > 1 && !/^pith$/i.test(parts[0]))) malformed();
  const suffix = parts.at(-1);
  // Of ASCII alone: other letters have capitals among A-Z.
  if (!RegExp(`^[${ALPHABET}${ALPHABET.toLowerCase()}]*$`).test(suffix))
    fail("number.character", "not a Pith Number: only A-Z and 2-7 occur");
  if (![FULL_LENGTH, ...SHORT_LENGTHS].includes(suffix.length)) fail("number.length", "not as long as a number");
  const year = parts.length > 2 ? parts[1] : null;
  if (year != null && !/^[0-9]{4}$/.test(year)) malformed();
  return {
    suffix: suffix.toUpperCase(),
    year: year == null ? null : Number(year),
    full: suffix.length == FULL_LENGTH,
  };
}

export const parsedOrNull = (text) => {
  try {
    return parseNumber(text);
  } catch {
    return null;
  }
};

const suffixOf = (digest) => {
  const bits = Array.from(digest, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.slice(0, 5 * FULL_LENGTH).replace(/.{5}/g, (five) => ALPHABET[parseInt(five, 2)]);
};
export const numberText = ({ suffix, year }) => `pith:${year == null ? "" : `${year}:`}${suffix}`;
export const short = ({ suffix }) => `pith:${suffix.slice(0, SHORT_LENGTHS[0])}`;
export const derive = (record, digest) => ({ suffix: suffixOf(digest), year: Number(record.metadata.submitted_at.slice(0, 4)) });

/** The number of a canonical record from `parse`, whose schema is the caller's to check. */
export const numberOf = async (record) => numberText(derive(record, await digestOf(canonical(record))));
