/** Text as Plotly writes it: a little HTML, several lines, and its width before it is drawn. */

const ENTITIES = { amp: "&", lt: "<", gt: ">", nbsp: "\u00a0", quot: '"', times: "×", mu: "μ", plusmn: "±" };
const LINE_HEIGHT = 1.3;
export const SVG = "http://www.w3.org/2000/svg";
const WRITTEN = Symbol("attributes that stand on a node");

/**
 * Lines of runs: `[[{text, bold, italic, shift}]]`; `shift` is "sub", "sup" or undefined.
 * @param {string} html
 */
export function parse(html) {
  const lines = [[]];
  const open = [];
  for (const part of String(html ?? "").split(/(<[^<>]*>)/)) {
    const tag = /^<(\/?)\s*([a-z]+)[^>]*>$/i.exec(part);
    if (!tag) {
      if (part) lines.at(-1).push(run(part, open));
    } else if (tag[2].toLowerCase() === "br") lines.push([]);
    else if (tag[1]) open.splice(open.lastIndexOf(tag[2].toLowerCase()), 1);
    else open.push(tag[2].toLowerCase());
  }
  return lines;
}

function run(text, open) {
  const plain = text.replace(/&(#?\w+);/g, (all, name) => {
    if (name[0] === "#") return String.fromCodePoint(Number(name[1] === "x" ? `0${name.slice(1)}` : name.slice(1)));
    return ENTITIES[name] ?? all;
  });
  const shift = open.findLast((tag) => tag === "sub" || tag === "sup");
  return { text: plain, bold: open.includes("b"), italic: open.includes("i") || open.includes("em"), shift };
}

/**
 * Measures text of one font family: `ruler(html, size) -> {width, height, lines}`. What was measured is remembered.
 * @param {string} family
 */
export function makeRuler(family) {
  const context = document.createElement("canvas").getContext("2d");
  const known = new Map();
  return (html, size) => {
    const key = `${size}|${html}`;
    if (!known.has(key)) {
      if (known.size > 5000) known.clear();
      const lines = parse(html);
      const width = Math.max(...lines.map((line) => lineWidth(context, line, size, family)));
      known.set(key, { width, height: lines.length * LINE_HEIGHT * size, lines });
    }
    return known.get(key);
  };
}

function lineWidth(context, line, size, family) {
  let width = 0;
  for (const { text, bold, italic, shift } of line) {
    context.font = `${italic ? "italic " : ""}${bold ? "bold " : ""}${shift ? 0.7 * size : size}px ${family}`;
    width += context.measureText(text).width;
  }
  return width;
}

/**
 * Write lines into an SVG text node. `y` is the middle, the top or the bottom of the whole block.
 * @param {SVGTextElement} node
 * @param {{lines: object[]}} measured by a ruler
 * @param {{x: number, y: number, size: number, anchor?: "start"|"middle"|"end", align?: "top"|"middle"|"bottom",
 *          colour: string, angle?: number, shadow?: string}} how
 */
export function write(node, measured, { x, y, size, anchor = "middle", align = "middle", colour, angle, shadow }) {
  const count = measured.lines.length;
  const above = { top: 0, middle: count / 2, bottom: count }[align] * LINE_HEIGHT * size;
  // A line's letters stand in the middle of its height; this is where their baseline is then.
  const first = y - above + (LINE_HEIGHT / 2 + 0.35) * size;
  set(node, {
    x: round(x),
    y: round(first),
    "font-size": size,
    "text-anchor": anchor,
    fill: colour,
    transform: angle ? `rotate(${angle} ${round(x)} ${round(y)})` : null,
    style: shadow ? `text-shadow:${shadow}` : null,
  });
  const runs = `${size}|${JSON.stringify(measured.lines)}`;
  const at = `${runs}|${count > 1 ? round(x) : ""}`;
  if (node[WRITTEN].runs === at) return;
  node[WRITTEN].runs = at;
  if (count === 1 && measured.lines[0].every((part) => !part.bold && !part.italic && !part.shift)) {
    say(node, measured.lines[0].map((part) => part.text).join(""));
    return;
  }
  node.textContent = "";
  let back = 0;
  measured.lines.forEach((line, row) => {
    back = writeLine(node, line, row, round(x), size, back);
  });
}

// `back` leads from the last subscript to the line that it stands on; the one that is left over is returned.
function writeLine(node, line, row, x, size, back) {
  line.forEach(({ text, bold, italic, shift }, place) => {
    const span = document.createElementNS(SVG, "tspan");
    const rise = { sub: 0.3 * 0.7 * size, sup: -0.6 * 0.7 * size }[shift] ?? 0;
    const down = (place === 0 && row ? LINE_HEIGHT * size : 0) + rise + back;
    back = -rise;
    if (place === 0 && row) span.setAttribute("x", x);
    if (down) span.setAttribute("dy", round(down));
    if (shift) span.setAttribute("font-size", round(0.7 * size));
    if (bold) span.setAttribute("font-weight", "bold");
    if (italic) span.setAttribute("font-style", "italic");
    span.textContent = text;
    node.append(span);
  });
  return back;
}

/** Two digits after the point: finer than any screen, and half the length. */
export const round = (value) => Math.round(value * 100) / 100;

// Codes that XML has no place for and halves of letters, marks that turn the direction of what follows them, numbers
// too, and signs without width.
const HIDDEN = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\p{Cs}\ufffe\uffff\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** A text from anywhere as files can have it: what is left stands where and as it is written. */
export const legible = (text) => text.replace(HIDDEN, "");

/** Put a text into a node in place of the one that it had. */
export function say(node, text) {
  const { firstChild } = node;
  // New words in the old text node: parts of the page that wait for new nodes have nothing to look at.
  if (firstChild?.nodeType === Node.TEXT_NODE && firstChild === node.lastChild) firstChild.data = text;
  else node.textContent = text;
}

/** Set attributes that differ from what the node has; null takes one away. The node keeps its place and identity. */
export function set(node, attributes) {
  const written = (node[WRITTEN] ??= {});
  for (const name in attributes) {
    const value = attributes[name];
    if (written[name] === value) continue;
    written[name] = value;
    if (value === null || value === undefined) node.removeAttribute(name);
    else node.setAttribute(name, value);
  }
  return node;
}

/** The children of a node, of one kind and so many: the ones that are there stay, by their place. */
export function children(parent, tag, count) {
  while (parent.childElementCount > count) parent.lastElementChild.remove();
  while (parent.childElementCount < count) parent.append(document.createElementNS(SVG, tag));
  return parent.children;
}

/** The child that stands for a part of the picture, made when it is asked for first. */
export function part(parent, name, tag = "g") {
  for (const child of parent.children) if (child.dataset.part === name) return child;
  const child = document.createElementNS(SVG, tag);
  child.dataset.part = name;
  parent.append(child);
  return child;
}
