// A picture as one SVG that stands alone: its title, what is drawn, and under it the caption and the promise.

import { SVG, legible } from "./text.js";

const EDGE = 16;
const PLAIN = ["class", "style", "tabindex", "role"];

/**
 * @param {{picture: object, look: object, title: string, foot: string[]}} shown see `pieces.js`
 * @param {number} pixels across, for what is painted and for those who draw it
 * @returns {Promise<{text: string, width: number, height: number, above: number, family: string}>} `above` the picture
 */
export async function sheet({ picture, look, title, foot }, pixels) {
  const { width, height, layers } = await picture.drawn.layers(pixels / (picture.width + 2 * EDGE));
  const wide = width + 2 * EDGE;
  const [large, small] = [look.size + 4, look.size - 1];
  const lines = [
    ...wrapped(title, `600 ${large}px ${look.font}`, width).map((text) => ({ text, size: large, colour: look.text })),
  ];
  const above = EDGE + lines.length * 1.4 * large + 8;
  const under = foot.map((text) => wrapped(text, `${small}px ${look.font}`, width)).filter((block) => block.length);
  const below = under.flat().length * 1.4 * small + under.length * 6;
  const high = Math.ceil(above + height + below + EDGE);
  const root = node("svg", { width: wide, height: high, viewBox: `0 0 ${wide} ${high}`, role: "img" });
  root.append(said("title", title || picture.plot.getAttribute("aria-label")), said("desc", foot.join(" ")));
  root.append(node("rect", { width: wide, height: high, fill: look.background }));
  const page = node("g", { "font-family": look.font });
  root.append(page);
  let y = EDGE;
  const write = ({ text, size, colour, weight }) => {
    y += 1.4 * size;
    const line = node("text", { x: EDGE, y: y - 0.4 * size, "font-size": size, fill: colour, "font-weight": weight });
    line.textContent = text;
    page.append(line);
  };
  for (const line of lines) write({ ...line, weight: 600 });
  for (const layer of layers) page.append(placed(layer, EDGE, above, width, height));
  y = above + height;
  for (const block of under) {
    y += 6;
    for (const text of block) write({ text, size: small, colour: look.faded, weight: 400 });
  }
  const text = legible(new XMLSerializer().serializeToString(root));
  return { text, width: wide, height: high, above, family: look.font };
}

/** A layer on the sheet: nothing of what the page needs it for comes along. */
function placed(layer, x, y, width, height) {
  if (layer instanceof HTMLCanvasElement) return node("image", { x, y, width, height, href: layer.toDataURL() });
  const copy = document.importNode(layer, true);
  for (const one of [copy, ...copy.querySelectorAll("*")]) {
    const drawn = layer.closest(".dpot-picture");
    if (drawn) haloed(one);
    for (const { name } of [...one.attributes]) {
      if (name.startsWith("aria-") || name.startsWith("data-") || (drawn && PLAIN.includes(name))) one.removeAttribute(name);
    }
  }
  for (const [name, value] of Object.entries({ x, y, width, height, overflow: "visible" })) copy.setAttribute(name, value);
  return copy;
}

/** Letters on a map have a shadow, which few programs draw: its first colour as an edge behind them. */
function haloed(one) {
  const [colour] = /#\w+|rgba?\([^)]*\)/.exec(one.style.textShadow ?? "") ?? [];
  if (!colour) return;
  const edge = { stroke: colour, "stroke-width": 2.5, "stroke-linejoin": "round", "paint-order": "stroke" };
  for (const [name, value] of Object.entries(edge)) one.setAttribute(name, value);
}

/** The sheet as a canvas of so many pixels across, in the letters of the page. */
export async function pixels({ text, width, height, family }, across) {
  const style = `<style>${await letters(family)}</style>`;
  const blob = new Blob([text.replace(/(<svg[^>]*>)/, (all) => all + style)], { type: "image/svg+xml" });
  const image = new Image(across, Math.round((across * height) / width));
  image.src = URL.createObjectURL(blob);
  try {
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    canvas.getContext("2d").drawImage(image, 0, 0, image.width, image.height);
    return canvas;
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

const held = new Map();

/** The rules that the page has its letters from, with the letters in them: an image sees nothing of the page. */
async function letters(family) {
  const first = family.split(",")[0].replaceAll(/["']/g, "").trim();
  const rules = [...document.styleSheets].flatMap((sheet_) => [...sheet_.cssRules])
    .filter((rule) => rule instanceof CSSFontFaceRule && rule.style.fontStyle !== "italic")
    .filter((rule) => rule.style.fontFamily.replaceAll(/["']/g, "") === first);
  const written = rules.map(async (rule) => {
    const [, address] = /url\(["']?([^"')]+)/.exec(rule.style.src) ?? [];
    const url = new URL(address, rule.parentStyleSheet.href ?? document.baseURI).href;
    if (!held.has(url)) held.set(url, fetch(url).then((answer) => answer.blob()).then(dataOf));
    return rule.cssText.replace(/url\(["']?[^"')]+["']?\)/, `url("${await held.get(url)}")`);
  });
  return (await Promise.all(written)).join("");
}

function dataOf(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

let pen;

/** A text in lines that are no wider than this. */
export function wrapped(text, font, width) {
  pen ??= document.createElement("canvas").getContext("2d");
  pen.font = font;
  const lines = [];
  for (const word of legible(text).split(/\s+/).filter(Boolean).flatMap((long) => pieces(long, width))) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && pen.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A word in pieces that are no wider than this, each of whole letters with their accents. */
function pieces(word, width) {
  if (pen.measureText(word).width <= width) return [word];
  const found = [""];
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    const longer = found.at(-1) + segment;
    if (found.at(-1) && pen.measureText(longer).width > width) found.push(segment);
    else found[found.length - 1] = longer;
  }
  return found;
}

function node(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value);
  return made;
}

function said(tag, text) {
  const made = node(tag, {});
  made.textContent = text;
  return made;
}
