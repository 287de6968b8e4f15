// Prints, as JSON, how many times as long the verifier takes on ten times the input: {name: ratio}, the least of a few.
import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto; // in Node 18
const [folder, most] = process.argv.slice(2);
const { parse, parseNumber, textForm, verify } = await import(`${folder}/verify.js`);
const encoder = new TextEncoder();
const LARGE = 1_000_000; // bytes, so that a record with them has less than 1 MiB

const fill = (unit, length) => unit.repeat(length / encoder.encode(unit).length);
const RECORD = JSON.parse(process.argv[4]);
const record = (change) => (text) => encoder.encode(JSON.stringify({ ...RECORD, ...change(text) }));
const json = (before, unit, after) => [parse, (length) => encoder.encode(before + fill(unit, length) + after)];
const text = (unit, after = "") => [textForm, (length) => fill(unit, length) + after];
const served = (unit, change) => [verify, (length) => record(change)(fill(unit, length))];

const CASES = {
  "long string": json('"', "a", '"'),
  "string of escapes": json('"', "\\u0041", '"'),
  "string of backslashes": json('"', "\\\\", '"'),
  "string of quotes": json('"', '\\"', '"'),
  "string without end": json('"', '\\"', ""),
  "only backslashes": json('"', "\\", ""),
  "only quotes": json("", '"', ""),
  "only blanks": json("", " ", ""),
  "only brackets": json("", "[", ""),
  "flat brackets": json("[", "[],", "[]]"),
  "many numbers": json("[", "1.5e1,", "1]"),
  "a long integer": json("", "9", ""),
  "a long fraction": json("0.", "9", ""),
  "a long exponent": json("1e", "0", "1"),
  "the same key": json("{", '"a":1,', '"a":1}'),
  "a number of blanks": [parseNumber, (length) => "A" + fill(" ", length) + "A"],
  "a number of colons": [parseNumber, (length) => fill(":", length)],
  "a number of pairs": [parseNumber, (length) => fill("\u{1f600}", length)],
  "blanks in a text": text(" "),
  "blanks and letters": text("a  "),
  "blanks before a letter": text(" \u3000", "a"),
  "capitals": text("A"),
  "sigmas": text("ΑΣ "),
  "pairs": text("\u{10400}"),
  "title of marks": served("\u0301\u0327", (title) => ({ paper: { title } })),
  "title of marks and letters": served("o\u0301\u0327", (title) => ({ paper: { title } })),
  "title of pairs": served("\u{1f600}", (title) => ({ paper: { title } })),
  "excerpt": served("é", (abstract_excerpt) => ({ paper: { abstract_excerpt } })),
  "number": served("pith:", (pith_number) => ({ pith_number, short_pith_number: pith_number })),
  "signature": served("A", (signature_b64) => ({ receipt: { ...RECORD.receipt, signature_b64 } })),
  "aliases": served("[", (text) => ({
    aliases: [...text].slice(0, text.length / 50).map(() => ({ alias_kind: "arxiv", alias_value: RECORD.canonical_record.source.id })),
  })),
  "snapshot": served("[", (text) => ({
    graph_snapshot: {
      claims: { snapshot_sha256: "", items: [Object.fromEntries([...text].slice(0, text.length / 50).map((_, at) => ["k".repeat(20) + at, at]))] },
    },
  })),
  "categories": served("[", (text) => ({
    canonical_record: {
      ...RECORD.canonical_record,
      metadata: { ...RECORD.canonical_record.metadata, cross_cats_sorted: [...text].slice(0, text.length / 20).map(() => "aaaaaaaaa.AAAAAAA") },
    },
  })),
};

const cost = async (call, input, rounds) => {
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const { user } = process.cpuUsage();
    try {
      await call(input);
    } catch (error) {
      if (!error.code) throw error;
    }
    least = Math.min(least, process.cpuUsage().user - user);
  }
  return Math.max(least, 100);
};

const ratios = {};
for (const [name, [call, make]] of Object.entries(CASES)) {
  const [small, large] = [make(LARGE / 10), make(LARGE)];
  let least = Infinity;
  await cost(call, large, 2); // the compiler's own work
  for (let attempt = 0; attempt < 6 && least > most; attempt++) {
    const before = await cost(call, small, 8);
    least = Math.min(least, (await cost(call, large, 3)) / before);
  }
  ratios[name] = least;
}
console.log(JSON.stringify(ratios));
