/** Plotly's marks, drawn around a point: `size` is their diameter in pixels. */

import { round } from "./text.js";

const turn = (radius, count, start, every = 1) =>
  Array.from({ length: count }, (_, place) => {
    const angle = start + (place * every * 2 * Math.PI) / count;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
const polygon = (points) => `M${points.map(([x, y]) => `${round(x)},${round(y)}`).join("L")}Z`;
const UP = -Math.PI / 2;

const cross = (r) => {
  const [a, b] = [r * 0.4, r * 1.2];
  return `M${b},${a}H${a}V${b}H${-a}V${a}H${-b}V${-a}H${-a}V${-b}H${a}V${-a}H${b}Z`;
};
const turned = (r) => {
  const [a, b] = [(r * 0.8) / Math.SQRT2, (r * 0.8) / Math.SQRT2];
  const [n, m] = [`l${a},${a}`, `l${b},${-b}`];
  const [o, p] = [`l${-a},${-a}`, `l${-b},${b}`];
  return `M0,${a}${n}${m}${o}${m}${o}${p}${o}${p}${n}${p}${n}Z`;
};
const star = (r) => {
  const outer = turn(r * 1.4, 5, UP);
  const inner = turn(r * 1.4 * 0.382, 5, UP + Math.PI / 5);
  return polygon(outer.flatMap((point, place) => [point, inner[place]]));
};

const SHAPES = {
  circle: (r) => `M${r},0A${r},${r} 0 1,1 0,${-r}A${r},${r} 0 0,1 ${r},0Z`,
  square: (r) => `M${r},${r}H${-r}V${-r}H${r}Z`,
  diamond: (r) => `M${r * 1.3},0L0,${r * 1.3}L${-r * 1.3},0L0,${-r * 1.3}Z`,
  "diamond-tall": (r) => `M0,${r * 1.4}L${r * 0.7},0L0,${-r * 1.4}L${-r * 0.7},0Z`,
  "diamond-wide": (r) => `M0,${r * 0.7}L${r * 1.4},0L0,${-r * 0.7}L${-r * 1.4},0Z`,
  cross,
  x: turned,
  "triangle-up": (r) => `M${-r * 1.1547},${r / 2}H${r * 1.1547}L0,${-r}Z`,
  "triangle-down": (r) => `M${-r * 1.1547},${-r / 2}H${r * 1.1547}L0,${r}Z`,
  "triangle-left": (r) => `M${r / 2},${-r * 1.1547}V${r * 1.1547}L${-r},0Z`,
  "triangle-right": (r) => `M${-r / 2},${-r * 1.1547}V${r * 1.1547}L${r},0Z`,
  pentagon: (r) => polygon(turn(r, 5, UP)),
  hexagon: (r) => polygon(turn(r, 6, UP)),
  hexagon2: (r) => polygon(turn(r, 6, 0)),
  octagon: (r) => polygon(turn(r, 8, Math.PI / 8)),
  star,
  hourglass: (r) => `M${r},${r}H${-r}L${r},${-r}H${-r}Z`,
  bowtie: (r) => `M${r},${r}V${-r}L${-r},${r}V${-r}Z`,
  "line-ew": (r) => `M${r * 1.4},0H${-r * 1.4}`,
  "line-ns": (r) => `M0,${r * 1.4}V${-r * 1.4}`,
  "cross-thin": (r) => `M0,${r * 1.4}V${-r * 1.4}M${r * 1.4},0H${-r * 1.4}`,
  "x-thin": (r) => `M${r},${r}L${-r},${-r}M${r},${-r}L${-r},${r}`,
  // A head whose tip is the point; turned by the caller along the line that ends there.
  arrow: (r) => `M0,0L${-r},${2 * r}H${r}Z`,
};
const THIN = new Set(["line-ew", "line-ns", "cross-thin", "x-thin"]);

/** Whether a mark of that name can be drawn. */
export const knowsSymbol = (name) => SHAPES[parts(name).base] !== undefined;

function parts(name) {
  const open = /-open\b/.test(name);
  const dot = /-dot$/.test(name);
  return { base: name.replace(/-dot$/, "").replace(/-open$/, ""), open, dot };
}

/**
 * Attributes of a path that draws a mark.
 * @param {string} name Plotly's, with "-open" and "-dot"
 * @param {number} size diameter
 * @param {string} colour of the mark
 * @param {{color?: string, width?: number}} outline
 * @param {number} angle degrees, for marks that point somewhere
 */
export function symbolPath(name, size, x, y, colour, outline = {}, angle = 0) {
  const { base, open, dot } = parts(name);
  const r = round(size / 2);
  const thin = THIN.has(base);
  const hollow = open || thin;
  const width = outline.width ?? (hollow ? 1 : 0);
  const [left, top] = [round(x), round(y)];
  return {
    // Its place is part of its outline: browsers keep a layer's worth of books for every element with a transform.
    d: `M${left},${top}${shape(base, r)}${dot ? `M${left},${top}${shape("circle", 0.5)}` : ""}`,
    transform: angle ? `rotate(${round(angle)} ${left} ${top})` : null,
    fill: hollow ? "none" : colour,
    stroke: hollow ? (thin ? (outline.color ?? colour) : colour) : width ? (outline.color ?? "#444") : "none",
    "stroke-width": width,
  };
}

const drawn = new Map();

// The same few shapes are asked for thousands of times.
function shape(base, r) {
  const key = `${base}${r}`;
  if (!drawn.has(key)) {
    if (drawn.size > 2000) drawn.clear();
    drawn.set(key, relative(SHAPES[base](r)));
  }
  return drawn.get(key);
}

/** An outline around the origin, as steps from wherever the pen stands: what follows "Mx,y" to draw it there. */
function relative(outline) {
  let [x, y] = [0, 0];
  let start = [0, 0];
  const steps = Array.from(outline.matchAll(/([MLHVAlZ])([^MLHVAlZ]*)/g), ([, kind, rest]) => {
    const numbers = rest.match(/-?[\d.]+(?:e-?\d+)?/g)?.map(Number) ?? [];
    if (kind === "Z") {
      [x, y] = start;
      return "z";
    }
    const from = kind === "l" ? [0, 0] : [x, y];
    const to = { H: [numbers[0], y], V: [x, numbers[0]] }[kind] ?? numbers.slice(-2);
    const [across, down] = [to[0] - from[0], to[1] - from[1]];
    [x, y] = [x + across, y + down];
    if (kind === "M") start = [x, y];
    const along = `${round(across)},${round(down)}`;
    const [wide, high, turned, long, sweep] = numbers;
    if (kind === "A") return `a${round(wide)},${round(high)} ${turned} ${long},${sweep} ${along}`;
    return `${kind === "M" ? "m" : "l"}${along}`;
  });
  return steps.join("");
}
