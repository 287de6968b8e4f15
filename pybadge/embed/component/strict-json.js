/*! MIT licence */
// JSON read so strictly that two readers can't disagree on what a file says [6.1], and written canonically [2.3].

import { LENIENT_DEPTH, MAX_BYTES, MAX_DEPTH, MAX_INTEGER } from "./rules.js";

/** What is wrong with an input, with its stable word in `code`. */
export class PithError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export const fail = (code, message) => {
  throw new PithError(code, message);
};

export const isObject = (value) => value && typeof value == "object" && !Array.isArray(value) && !(value instanceof Number);
export const isText = (value) => typeof value == "string";
export const textOrNull = (value) => (isText(value) ? value : null);
export const objectOrEmpty = (value) => (isObject(value) ? value : {});
export const listOrEmpty = (value) => (Array.isArray(value) ? value : []);

// Brackets outside of strings are counted on the bytes, as pybadge does: before anything is parsed.
const isDeeperThan = (bytes, levels) => {
  let [brackets, depth, deepest, quoted] = [0, 0, 0, false];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    const bracket = byte | 32; // 123 for [ and {, 125 for ] and }
    if (byte == 92 && (bytes[at + 1] == 92 || bytes[at + 1] == 34)) at++;
    else if (byte == 34) quoted = !quoted;
    else if (bracket == 123 || bracket == 125) {
      brackets++;
      if (!quoted) depth += 124 - bracket;
      deepest = Math.max(deepest, depth);
    }
  }
  return brackets > 2 * levels && deepest > levels;
};

const LITERALS = { true: true, false: false, null: null };
const CONSTANTS = ["NaN", "Infinity", "-Infinity"];

// The value of a text. `lenient` takes what other readers take too; it only tells what a file is meant to be.
const read = (text, lenient) => {
  let at = 0;
  let half = false;
  const syntax = () => fail("json.syntax", `not JSON at character ${at + 1}`);
  const token = (form) => {
    form.lastIndex = at;
    const [found] = form.exec(text) ?? [""];
    at += found.length;
    return found;
  };
  const space = () => token(/[ \t\n\r]*/y);
  const string = () => {
    let end = at;
    let slashes;
    do {
      end = text.indexOf('"', end + 1);
      for (slashes = 0; text[end - 1 - slashes] == "\\"; ) slashes++;
    } while (slashes % 2);
    try {
      const value = JSON.parse(text.slice(at, end + 1));
      at = end + 1;
      // In the u mode a surrogate matches only where it is alone.
      half ||= /[\ud800-\udfff]/u.test(value);
      return value;
    } catch {
      return syntax();
    }
  };
  const number = () => {
    const digits = token(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y) || syntax();
    const value = Number(digits);
    if (/[.eE]/.test(digits)) {
      if (!isFinite(value) && !lenient) fail("json.number", "a number is too large");
      return Object(value); // which tells 1.0 from 1
    }
    if (Math.abs(value) > MAX_INTEGER && !lenient) fail("json.integer", "an integer is beyond 2^53");
    return value + 0; // -0 is 0
  };
  // Past the opening bracket: whether the value ends at once, and after each item: whether it ends there.
  const endsAtOnce = (bracket) => {
    at++;
    space();
    return take(bracket);
  };
  const ends = (bracket) => take(bracket) || !(take(",") || syntax());
  const take = (character) => {
    const there = text[at] == character;
    if (there) at++;
    return there;
  };
  const list = () => {
    const items = [];
    for (let end = endsAtOnce("]"); !end; end = ends("]")) items.push(value());
    return items;
  };
  const object = () => {
    const made = Object.create(null);
    let twice = false;
    for (let end = endsAtOnce("}"); !end; end = ends("}")) {
      space();
      const key = text[at] == '"' ? string() : syntax();
      space();
      take(":") || syntax();
      twice ||= key in made;
      made[key] = value();
    }
    if (twice && !lenient) fail("json.duplicate_key", "a key stands twice in one object");
    return made;
  };
  const value = () => {
    space();
    const start = text[at];
    let found;
    if (start == '"') found = string();
    else if (start == "[") found = list();
    else if (start == "{") found = object();
    else {
      const constant = CONSTANTS.find((name) => text.startsWith(name, at));
      if (constant && !lenient) fail("json.constant", `${constant} is not JSON`);
      const word = constant ?? Object.keys(LITERALS).find((name) => text.startsWith(name, at));
      if (word) at += word.length;
      found = word ? LITERALS[word] : number();
    }
    space();
    return found;
  };
  const found = value();
  if (at < text.length) syntax();
  if (half && !lenient) fail("json.surrogate", "a string holds half a surrogate pair");
  return found;
};

/**
 * Parse the bytes of a JSON text strictly. Objects have no prototype; a number with a point or an exponent becomes a
 * Number object. Throws a PithError.
 */
export function parse(bytes) {
  if (bytes.length > MAX_BYTES) fail("json.size", `larger than ${MAX_BYTES} bytes`);
  if (bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf) fail("json.encoding", "a byte order mark");
  if (isDeeperThan(bytes, MAX_DEPTH)) fail("json.depth", `nested deeper than ${MAX_DEPTH} levels`);
  return read(decode(bytes, true) ?? fail("json.encoding", "not UTF-8"));
}

const decode = (bytes, ignoreBOM) => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    return null;
  }
};

/** The value that a lenient reader takes the bytes for, null where it takes them for none [7.3]. */
export const leniently = (bytes) => {
  if (bytes.length > MAX_BYTES || isDeeperThan(bytes, LENIENT_DEPTH)) return null;
  try {
    return read(decode(bytes, false) ?? "", true);
  } catch {
    return null;
  }
};

// UTF-16 order, which is JavaScript's own, puts characters beyond U+FFFF before U+E000; keys are sorted by code point.
const byCodePoint = (a, b) => {
  let at = 0;
  while (at < a.length && a[at] == b[at]) at++;
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1);
};

// A number with a point or exponent, as Python writes it: 1.0, 1e+16, 1e-05.
const float = (value) => {
  if (Object.is(value, -0)) return "-0.0";
  const [digits, power] = value.toExponential().split("e");
  if (value && (power < -4 || power >= 16)) return `${digits}e${power[0]}${power.slice(1).padStart(2, "0")}`;
  return value + (Number.isInteger(value) ? ".0" : "");
};

/** The canonical text of a value from `parse`; its UTF-8 is what is hashed. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (value instanceof Number) return float(value.valueOf());
  if (!isObject(value)) return JSON.stringify(value);
  const pair = (key) => `${JSON.stringify(key)}:${canonical(value[key])}`;
  return `{${Object.keys(value).sort(byCodePoint).map(pair)}}`;
}
