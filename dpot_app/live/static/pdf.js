// One picture as a PDF of one page: lines and shapes as such, letters that can be selected, what is painted as an image.
//
// This and what draws the PDF are loaded when a reader asks for one. What is drawn is the sheet that SVG files are.

import { jsPDF, regular, semibold, signs, svg2pdf } from "./pdf-vendor.js";
import { pixels } from "./sheet.js";
import { SVG, legible } from "./text.js";

/** Points across a page: 7 inches. */
const WIDE = 504;
/** Pixels across what is painted: 300 to the inch. */
const FINE = 2100;
/** Of its pixels belong together, so that little is painted where nothing is. */
const CELL = 12;
/** What the letters of pictures lack; see `pdf-letters.js`. */
const SIGNS = /[★✕◇✚⋯≲∣]/;
const [LETTERS, SIGNED] = ["Letters", "Signs"];

/**
 * @param {{text: string, width: number, height: number, family: string}} drawn see `sheet.js`
 * @param {{title: string, foot: string[]}} shown
 * @returns {Promise<Blob>}
 */
export async function pdf({ text, width, height, family }, { title, foot }) {
  const high = (WIDE * height) / width;
  const page = new jsPDF({
    unit: "pt", format: [WIDE, high], orientation: WIDE > high ? "l" : "p", compress: true, putOnlyUsedFonts: true,
  });
  for (const [file, letters, name, weight] of [
    ["regular.ttf", regular, LETTERS, 400],
    ["semibold.ttf", semibold, LETTERS, 600],
    ["semibold.ttf", semibold, LETTERS, 700],
    ["signs.ttf", signs, SIGNED, 400],
    ["signs.ttf", signs, SIGNED, 600],
  ]) {
    page.addFileToVFS(file, letters);
    page.addFont(file, name, "normal", weight);
  }
  page.setProperties({ title: legible(title), subject: legible(foot.join(" ")) });
  page.setLanguage("en");
  page.viewerPreferences({ DisplayDocTitle: true });
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.namespaceURI !== SVG || root.querySelector("parsererror")) throw new Error("the picture is no XML");
  page.setFont(LETTERS, "normal", 400);
  const { metadata } = page.getFont();
  const has = (letter) => SIGNS.test(letter) || metadata.characterToGlyph(letter.codePointAt(0)) > 0;
  const painted = await foreign(root, has, { width, height, family });
  for (const words of root.querySelectorAll("text")) prepare(words);
  root.append(...painted);
  await svg2pdf(root, page, { x: 0, y: 0, width: WIDE, height: high });
  return new Blob([bytes(page.output())], { type: "application/pdf" });
}

/**
 * Texts with letters that the PDF's own fonts lack are painted, in letters that this machine has: left out, they
 * would not be missed; and Arabic or Hebrew beside numbers would turn the numbers, too.
 */
async function foreign(root, has, { width, height, family }) {
  const all = [...root.querySelectorAll("text")];
  for (const words of all) words.normalize();
  for (const piece of texts(all)) piece.data = piece.data.normalize("NFC");
  const lacks = all.map((words) => ![...words.textContent].every((letter) => /\s/.test(letter) || has(letter)));
  if (!lacks.includes(true)) return [];
  const copy = root.cloneNode(true);
  copy.setAttribute("visibility", "hidden");
  for (const image of copy.querySelectorAll("image")) image.remove();
  [...copy.querySelectorAll("text")].forEach((words, place) => {
    if (lacks[place]) words.setAttribute("visibility", "visible");
    else words.textContent = "";
  });
  all.forEach((words, place) => { if (lacks[place]) words.remove(); });
  const text = new XMLSerializer().serializeToString(copy);
  const canvas = await pixels({ text, width, height, family }, FINE);
  return bands(canvas).map(([x, y, wide, high]) => {
    const part = Object.assign(document.createElement("canvas"), { width: wide, height: high });
    part.getContext("2d").drawImage(canvas, -x, -y);
    const image = root.ownerDocument.createElementNS(SVG, "image");
    const [left, top, across, down] = [x, y, wide, high].map((long) => (long * width) / FINE);
    const at = { x: left, y: top, width: across, height: down, href: part.toDataURL() };
    for (const [name, value] of Object.entries(at)) image.setAttribute(name, value);
    return image;
  });
}

/** Where something is painted: rows that hang together, as wide as what is in them. `[x, y, width, height]` in pixels. */
function bands(canvas) {
  const [wide, high] = [canvas.width, canvas.height].map((long) => Math.ceil(long / CELL));
  const cells = Object.assign(document.createElement("canvas"), { width: wide, height: high }).getContext("2d");
  cells.imageSmoothingQuality = "high";
  cells.drawImage(canvas, 0, 0, canvas.width / CELL, canvas.height / CELL);
  const { data } = cells.getImageData(0, 0, wide, high);
  const found = [];
  for (let row = 0, open; row < high; row += 1) {
    const there = Array.from({ length: wide }, (_, column) => column).filter((column) => data[4 * (row * wide + column) + 3]);
    if (!there.length) open = undefined;
    else if (!open) found.push(open = { top: row, bottom: row, left: there[0], right: there.at(-1) });
    else Object.assign(open, { bottom: row, left: Math.min(open.left, there[0]), right: Math.max(open.right, there.at(-1)) });
  }
  // A cell more on each side: what covers little of a cell may not be seen in it.
  return found.map(({ top, bottom, left, right }) => {
    const [x, y] = [left - 1, top - 1].map((cell) => CELL * Math.max(0, cell));
    const ends = [Math.min(canvas.width, CELL * (right + 2)), Math.min(canvas.height, CELL * (bottom + 2))];
    return [x, y, ends[0] - x, ends[1] - y];
  });
}

function texts(nodes) {
  return nodes.flatMap((words) => {
    const walker = document.createTreeWalker(words, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    return found;
  });
}

/** Letters as the PDF can have them: signs from their own font, an edge behind them as letters of its own. */
function prepare(words) {
  for (const one of [words, ...words.querySelectorAll("*")]) {
    one.style.fontFamily = "";
    one.setAttribute("font-family", LETTERS);
  }
  for (const piece of texts([words]).filter(({ data }) => SIGNS.test(data))) {
    piece.replaceWith(...piece.data.split(new RegExp(`(${SIGNS.source})`)).filter(Boolean).map((part) => {
      const span = words.ownerDocument.createElementNS(SVG, "tspan");
      span.textContent = part;
      if (SIGNS.test(part)) span.setAttribute("font-family", SIGNED);
      return span;
    }));
  }
  if (!/stroke/.test(words.getAttribute("paint-order") ?? words.style.paintOrder)) return;
  const edge = words.cloneNode(true);
  const inner = words.cloneNode(true);
  inner.removeAttribute("stroke");
  inner.style.stroke = "none";
  words.replaceWith(edge, inner);
}

/**
 * The file, a character a byte, as bytes. In what it says of itself a lone carriage return would be read as a line feed:
 * half of "č" or "不" would be half of another letter. It is escaped, and what stands behind it has another place.
 */
function bytes(file) {
  const table = Number(/startxref\n(\d+)\n%%EOF\s*$/.exec(file)[1]);
  const end = file.slice(table);
  const places = [...end.matchAll(/^(\d{10}) 00000 n/gm)].map(([, place]) => Number(place));
  const from = places[Number(/\/Info (\d+)/.exec(end)[1]) - 1];
  const to = Math.min(table, ...places.filter((place) => place > from));
  const said = file.slice(from, to).replaceAll("\r", "\\r");
  const more = said.length - (to - from);
  const moved = end
    .replaceAll(/^\d{10}(?= 00000 n)/gm, (place) => String(Number(place) + (place > from ? more : 0)).padStart(10, "0"))
    .replace(/(?<=startxref\n)\d+/, table + more);
  return Uint8Array.from(file.slice(0, from) + said + file.slice(to, table) + moved, (one) => one.charCodeAt(0));
}
