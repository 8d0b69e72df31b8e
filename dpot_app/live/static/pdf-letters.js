// Run by `make vendor-pdf` (Node): the letters and signs that pictures may have, of the fonts that PDFs get.

import { readFile, writeFile } from "node:fs/promises";
import subset from "subset-font";

const range = (from, to) => String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, place) => from + place));
/** Latin with its accents, Greek, powers and indices, and what the app writes of mathematics. */
const LETTERS = range(0x20, 0x7e) + range(0xa0, 0x17f) + range(0x391, 0x3a1) + range(0x3a3, 0x3c9)
  + "⁰⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ₀₁₂₃₄₅₆₇₈₉₊₋₍₎–—‘’“”„†•…‰′″‖⟨⟩→←↑↓−√∞∫≈≠≤≥∂∆∏∑ℓ✓○●■□▲△▼◆";
/** What Source Sans lacks: marks of series, and a few signs. */
const SIGNS = "★✕◇✚⋯≲∣";
const FONTS = {
  regular: ["source-sans/TTF/SourceSans3-Regular.ttf", LETTERS],
  semibold: ["source-sans/TTF/SourceSans3-Semibold.ttf", LETTERS],
  signs: ["dejavu-fonts-ttf/ttf/DejaVuSans.ttf", SIGNS],
};
const SMALL = {
  targetFormat: "truetype", noHinting: true, noLayoutClosure: true, keepFeatures: [],
  dropTables: ["BASE", "DSIG", "GDEF", "GPOS", "GSUB", "STAT", "kern", "meta"],
};

for (const [name, [file, characters]] of Object.entries(FONTS)) {
  await writeFile(`${name}.ttf`, await subset(await readFile(`node_modules/${file}`), characters, SMALL));
}
