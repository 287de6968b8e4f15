// Usage: node tools/minify-component.mjs NODE_MODULES COMPONENT [TARGET]
// Makes the shipped verify.min.js and pith-badge.min.js: the modules of each in one file, minified by terser.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [modules, folder, target = folder] = process.argv.slice(2);
const { minify } = createRequire(resolve(modules, "x.js"))("terser");

const IMPORT = /^import \{[^}]*\} from "\.\/([\w-]+\.js)";\n/gm;
const FROM = /^export \{([^}]*)\} from "\.\/[\w-]+\.js";\n/gm;
const EXPORT = /^export (?=(?:(?:async )?function|class|const) (\w+))/gm;

const names = (list) => list.split(",").map((name) => name.trim()).filter(Boolean);

// All modules share one scope, which works since no import renames and no two modules have a name in common; terser
// refuses a name that stands twice. What is imported comes before what imports it.
const gather = (name, seen = new Set()) => {
  if (seen.has(name)) return [];
  seen.add(name);
  const code = readFileSync(join(folder, name), "utf8");
  const needed = [...code.matchAll(IMPORT)].flatMap(([, other]) => gather(other, seen));
  return [...needed, code];
};

const bundle = (name) => {
  const parts = gather(name);
  const entry = parts.at(-1);
  const exported = [
    ...[...entry.matchAll(FROM)].flatMap(([, list]) => names(list)),
    ...[...entry.matchAll(EXPORT)].map(([, one]) => one),
  ];
  const body = parts.map((code) => code.replace(IMPORT, "").replace(FROM, "").replace(EXPORT, "").replace(/^\/\*!.*\n/, ""));
  return `/*! MIT licence */\n${body.join("\n")}\nexport { ${exported.join(", ")} };\n`;
};

for (const name of ["verify", "pith-badge"]) {
  const code = bundle(`${name}.js`).replace(/(?<=const STYLE = `)[^`]*/, (style) => style.replace(/\n/g, ""));
  const { code: small } = await minify(code, {
    module: true,
    ecma: 2022,
    compress: { passes: 3, unsafe_arrows: true },
    format: { comments: /^!/ },
  });
  writeFileSync(join(target, `${name}.min.js`), `${small}\n`);
}
