#!/usr/bin/env node
/*! MIT licence */
// pith-verify FILE: prints the report as one line of JSON; the exit code is that of `pybadge verify`.

import { webcrypto } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { parseArgs } from "node:util";
import { readKey } from "./keys.js";
import { EXIT_CODES, MAX_BYTES } from "./rules.js";
import { PithError, outcome, unread, verify } from "./verify.js";

const USAGE = `usage: pith-verify FILE [--asked NUMBER] [--key FILE]...

Verify the record of a Pith Number in a file, offline, and print the report as a line of JSON.

  --asked NUMBER  the number that was wanted
  --key FILE      a key to trust besides the pinned one: its JSON document, PEM, hex or base64

Exit code: 0 verified, 1 invalid, 2 not a record or not to be read, 3 not checked, 70 the program failed.
`;

// At most one byte more than a record has.
const read = (path) => {
  let file;
  try {
    file = openSync(path);
    if (fstatSync(file).isDirectory()) throw new Error("is a folder");
    const bytes = new Uint8Array(MAX_BYTES + 1);
    let length = 0;
    for (let got = 1; got; length += got) got = readSync(file, bytes, length, bytes.length - length, null);
    if (length > MAX_BYTES) throw new PithError("json.size", `${path}: larger than ${MAX_BYTES} bytes`);
    return bytes.subarray(0, length);
  } catch (error) {
    if (error instanceof PithError) throw error;
    throw new PithError("file.unreadable", `${path}: ${error.message}`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
};

const ascii = (text) => text.replace(/[^\0-\x7f]/g, (unit) => "\\u" + unit.charCodeAt().toString(16).padStart(4, "0"));

const options = { asked: { type: "string" }, key: { type: "string", multiple: true }, help: { type: "boolean", short: "h" } };

const asked = () => {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch ({ message }) {
    throw new PithError("usage", message);
  }
};

const run = async () => {
  const { values, positionals } = asked();
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (positionals.length != 1) throw new PithError("usage", "name one file; see pith-verify --help");
  const [input] = positionals;
  const keys = [];
  for (const path of values.key ?? []) keys.push(await readKey(read(path)));
  let report;
  try {
    report = await verify(read(input), { asked: values.asked, keys, input });
  } catch (error) {
    // Of the file alone; a number that makes no sense is a fault of the call.
    if (!/^(file|json)\./.test(error.code)) throw error;
    report = unread("unreadable", outcome("parse", "not_checked", error.code, error.message), input);
  }
  process.stdout.write(ascii(JSON.stringify(report)) + "\n");
  return EXIT_CODES[report.verdict];
};

globalThis.crypto ??= webcrypto; // in Node 18
// Node 20 warns that its Ed25519 is new; that says nothing of the record.
process.removeAllListeners("warning");
// A reader that went away is no fault of the record.
process.stdout.on("error", () => process.exit(141));
try {
  process.exitCode = await run();
} catch (error) {
  const known = error instanceof PithError;
  process.stderr.write(`pith-verify: ${known ? error.message : error.stack}\n`);
  process.exitCode = known ? EXIT_CODES.unreadable : EXIT_CODES.failed;
}
