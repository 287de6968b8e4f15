// Usage: node tools/minify-component.mjs NODE_MODULES IN.js OUT.js
// Makes the shipped pith-badge.min.js: terser, after the line breaks of the style sheet are taken out.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [modules, source, target] = process.argv.slice(2);
const { minify } = createRequire(resolve(modules, "x.js"))("terser");
const code = readFileSync(source, "utf8").replace(/(?<=const STYLE = `)[^`]*/, (style) => style.replace(/\n/g, ""));
const { code: small } = await minify(code, {
  module: true,
  ecma: 2022,
  compress: { passes: 3, unsafe_arrows: true },
  format: { comments: /^!/ },
});
writeFileSync(target, `${small}\n`);
