/** What stands around the data: grid, axes, their numbers and titles, shapes and annotations. */

import { located } from "./places.js";
import { outward } from "./scene.js";
import { inSpace } from "./space.js";
import { dashes } from "./lines.js";
import { children, part, round, set, write } from "./text.js";

/** Grid and zero lines, under everything. */
export function drawGrid(group, scene) {
  const axes = [...scene.axes.values()];
  const nodes = children(group, "path", axes.length * 2);
  axes.forEach((axis, place) => {
    const { options, cross } = axis;
    const color = options.gridcolor ?? scene.look.grid;
    const shown = axis.visible && (options.showgrid ?? axis.letter === "y");
    const zero = axis.visible && (options.zeroline ?? axis.letter === "y") && !axis.log && crosses(axis.range);
    const lines = axis.ticks.filter((tick) => !(zero && tick.at === 0));
    set(nodes[2 * place], {
      d: shown ? lines.map((tick) => across(axis, cross, tick.pixel)).join("") : "",
      stroke: color,
      "stroke-width": 1,
      fill: "none",
    });
    set(nodes[2 * place + 1], {
      d: zero ? across(axis, cross, axis.toPixel(0)) : "",
      stroke: options.zerolinecolor ?? scene.look.grid,
      "stroke-width": 1,
      fill: "none",
    });
  });
}

const crosses = ([low, high]) => (low <= 0 && high >= 0) || (high <= 0 && low >= 0);

function across(axis, cross, pixel) {
  const [from, to] = cross.ends.map(round);
  // Lines of one pixel are sharp on a half.
  const sharp = Math.floor(pixel) + 0.5;
  return axis.letter === "x" ? `M${sharp},${from}V${to}` : `M${from},${sharp}H${to}`;
}

/** Rectangles that cut what lies outside of a panel. */
export function drawClips(defs, scene, spec) {
  const pairs = new Set(
    spec.data.filter((t) => !t.type?.includes("polar") && !inSpace(t)).map((t) => `${t.xaxis ?? "x"} ${t.yaxis ?? "y"}`),
  );
  const nodes = children(defs, "clipPath", pairs.size);
  [...pairs].forEach((pair, place) => {
    const [x, y] = pair.split(" ").map((id) => scene.axes.get(id));
    set(nodes[place], { id: `${scene.name}-${pair.replace(" ", "")}` });
    const [rect] = children(nodes[place], "rect", 1);
    set(rect, {
      x: round(x.ends[0]),
      y: round(y.ends[1]),
      width: round(x.ends[1] - x.ends[0]),
      height: round(y.ends[0] - y.ends[1]),
    });
  });
}

/** Numbers and titles of the axes, and the rims of dials. */
export function drawAxes(group, scene) {
  const axes = [...scene.axes.values()];
  const nodes = children(part(group, "axes"), "g", axes.length);
  axes.forEach((axis, place) => drawAxis(nodes[place], axis, scene));
  const polars = [...scene.polars.values()];
  const rims = children(part(group, "dials"), "circle", polars.length);
  polars.forEach(({ cx, cy, radius, options }, place) => {
    const angular = options.angularaxis ?? {};
    const shown = angular.visible !== false && angular.showline !== false;
    set(rims[place], {
      cx: round(cx),
      cy: round(cy),
      r: round(radius),
      fill: "none",
      stroke: shown ? (angular.linecolor ?? scene.look.grid) : "none",
    });
  });
}

function drawAxis(node, axis, scene) {
  node.dataset.axis = axis.id;
  const out = outward(axis, scene);
  const edge = axis.cross.ends[0];
  const ticks = axis.labels ? axis.ticks : [];
  const labels = children(part(node, "ticks"), "text", ticks.length);
  ticks.forEach((tick, place) => {
    const how = { size: round(tick.size), colour: axis.options.tickfont?.color ?? scene.ink };
    if (axis.letter === "x")
      write(labels[place], tick, { ...how, x: tick.pixel, y: edge + out.pad + 1.5, align: "top" });
    else write(labels[place], tick, { ...how, x: edge - out.pad - 1, y: tick.pixel, anchor: "end" });
  });
  const title = part(node, "title", "text");
  const how = {
    size: round(out.title?.size ?? scene.sizes.title),
    colour: axis.options.title?.font?.color ?? scene.ink,
  };
  const middle = (axis.ends[0] + axis.ends[1]) / 2;
  if (!out.title) write(title, { lines: [[]] }, { ...how, x: 0, y: 0 });
  else if (axis.letter === "x")
    write(title, out.title, { ...how, ...within(middle, edge + out.titleAt, out.title, scene) });
  else write(title, out.title, { ...how, ...standing(edge - out.titleAt, middle, out.title, scene), angle: -90 });
}

// A title longer than its axis stays inside the picture.
function within(x, y, { width }, scene) {
  return { x: Math.max(width / 2, Math.min(scene.width - width / 2, x)), y };
}

function standing(x, y, { width, height }, scene) {
  return {
    x: Math.max(height / 2, x),
    y: Math.max(width / 2, Math.min(scene.plot.t + scene.plot.h + 8 - width / 2, y)),
  };
}

/** Shapes of one layer: lines and rectangles. */
export function drawShapes(group, spec, scene, layer) {
  const shapes = (spec.layout.shapes ?? []).filter(
    (shape) => shape.visible !== false && ((shape.layer ?? "above") === "above") === (layer === "above"),
  );
  const nodes = children(group, "path", shapes.length);
  shapes.forEach((shape, place) => {
    const [x0, x1] = [located(scene, "x", shape.xref, shape.x0), located(scene, "x", shape.xref, shape.x1)];
    const [y0, y1] = [located(scene, "y", shape.yref, shape.y0), located(scene, "y", shape.yref, shape.y1)];
    const there = [x0, x1, y0, y1].every(Number.isFinite);
    const { color, width = 2, dash } = shape.line ?? {};
    set(nodes[place], {
      d: there ? outline(shape.type, round(x0), round(y0), round(x1), round(y1)) : "",
      stroke: width ? (color ?? scene.ink) : "none",
      "stroke-width": width,
      "stroke-dasharray": dashes(dash, width),
      fill: shape.type === "line" ? "none" : (shape.fillcolor ?? "none"),
      opacity: shape.opacity ?? null,
      "clip-path": clipOf(shape, scene),
    });
  });
}

const outline = (type, x0, y0, x1, y1) =>
  type === "line" ? `M${x0},${y0}L${x1},${y1}` : `M${x0},${y0}H${x1}V${y1}H${x0}Z`;

// What is placed by values is cut where the panel ends.
function clipOf(shape, scene) {
  const [x, y] = [shape.xref ?? "x", shape.yref ?? "y"].map((ref) => ref.split(" ")[0]);
  return scene.axes.has(x) && scene.axes.has(y) ? `url(#${scene.name}-${x}${y})` : null;
}

/** Annotations: text at a place, with an arrow to it if it has one. */
export function drawAnnotations(group, spec, scene) {
  const notes = (spec.layout.annotations ?? []).filter((note) => note.visible !== false);
  const nodes = children(group, "g", notes.length);
  const placed = notes.map((note) => placeNote(note, scene));
  separate(placed, scene);
  placed.forEach((place, index) => drawNote(nodes[index], place, scene));
}

function placeNote(note, scene) {
  const size = Math.max(note.font?.size ?? 0, scene.sizes.tick);
  const measured = scene.rule(note.text, size);
  const head = {
    x: located(scene, "x", note.xref, note.x, true) + (note.xshift ?? 0),
    y: located(scene, "y", note.yref, note.y, true) - (note.yshift ?? 0),
  };
  const arrow = note.showarrow ?? true;
  const [x, y] = arrow ? [head.x + (note.ax ?? -10), head.y + (note.ay ?? -30)] : [head.x, head.y];
  const across = anchor(note.xanchor, note.xref ?? "x", note.x, arrow, ["left", "center", "right"]);
  const up = anchor(note.yanchor, note.yref ?? "y", 1 - note.y, arrow, ["top", "middle", "bottom"]);
  const left = x - { left: 0, center: measured.width / 2, right: measured.width }[across];
  const top = y - { top: 0, middle: measured.height / 2, bottom: measured.height }[up];
  return { note, size, measured, head, arrow, left, top, across, up };
}

function anchor(given, reference, share, arrow, [first, middle, last]) {
  if (given && given !== "auto") return given;
  const isShare = reference === "paper" || reference.endsWith(" domain");
  if (arrow || !isShare) return middle;
  return share <= 1 / 3 ? first : share >= 2 / 3 ? last : middle;
}

// Titles of panels that would run into each other or out of the picture are set smaller, all of them alike.
function separate(placed, scene) {
  const titles = placed.filter(({ note }) => note.xref === "paper" && note.yref === "paper");
  const room = Math.min(1, ...titles.map((one) => titleRoom(one, titles, scene) / one.measured.width));
  // In steps, so that letters keep their size while a number in them changes.
  const share = Math.floor(10 * room) / 10;
  for (const one of placed) {
    const fits = titles.includes(one) ? share : Math.min(1, scene.width / one.measured.width);
    if (fits < 1) shrink(one, fits, scene);
    one.left = Math.max(0, Math.min(scene.width - one.measured.width, one.left));
    one.top = Math.max(0, Math.min(scene.height - one.measured.height, one.top));
  }
}

const middleOf = ({ left, measured }) => left + measured.width / 2;

function titleRoom(one, titles, scene) {
  const level = titles.filter((other) => {
    const apart = other.top + other.measured.height - one.top - one.measured.height;
    return other !== one && Math.abs(apart) < one.size;
  });
  // Half of it has to fit between its middle and the edge of the picture, or it would be pushed towards the next.
  const edge = level.length ? 2 * Math.min(middleOf(one), scene.width - middleOf(one)) : scene.width;
  const next = level.map((other) => Math.abs(middleOf(other) - middleOf(one)) - 4);
  return Math.max(20, Math.min(scene.width, edge, panelWidth(one.note, scene), ...next));
}

function shrink(one, share, scene) {
  const [middle, bottom] = [middleOf(one), one.top + one.measured.height];
  const across = { left: 0, center: 0.5, right: 1 }[one.across];
  const kept = one.left + across * one.measured.width;
  one.size *= share;
  one.measured = scene.rule(one.note.text, one.size);
  one.left = across === 0.5 ? middle - one.measured.width / 2 : kept - across * one.measured.width;
  one.top = one.up === "middle" ? bottom - (one.measured.height * (1 + 1 / share)) / 2 : bottom - one.measured.height;
}

// A title over the middle of a panel is no wider than that, so that it leaves the next panel's numbers alone.
function panelWidth({ x }, scene) {
  const under = [...scene.axes.values()].find(
    ({ letter, options: { domain } }) => letter === "x" && domain && Math.abs((domain[0] + domain[1]) / 2 - x) < 1e-6,
  );
  if (!under || scene.axes.size < 3) return scene.width;
  const [from, to] = under.whole;
  const numbers = [...scene.axes.values()].filter(
    (axis) => axis.letter === "y" && axis.labels && axis.cross.ends[0] > to,
  );
  const over = numbers.map((axis) => to + 4 - (axis.cross.ends[0] - outward(axis, scene).labels));
  return to - from - 2 * Math.max(0, ...over);
}

function drawNote(node, { note, size, measured, head, arrow, left, top }, scene) {
  const there = Number.isFinite(left) && Number.isFinite(top);
  const color = note.font?.color ?? scene.ink;
  set(node, { display: there ? null : "none", opacity: note.opacity ?? null });
  if (!there) return;
  const box = { x: round(left - 2), y: round(top), width: round(measured.width + 4), height: round(measured.height) };
  set(part(node, "ground", "rect"), { ...box, fill: note.bgcolor ?? "none", stroke: note.bordercolor ?? "none" });
  const [cx, cy] = [left + measured.width / 2, top + measured.height / 2];
  set(part(node, "arrow", "path"), {
    d: arrow ? arrowPath(cx, cy, head, measured) : "",
    stroke: note.arrowcolor ?? color,
    fill: note.arrowcolor ?? color,
    "stroke-width": note.arrowwidth ?? 1,
  });
  const way = { left: { x: left, anchor: "start" }, right: { x: left + measured.width, anchor: "end" } }[note.align];
  write(part(node, "text", "text"), measured, {
    x: cx,
    ...way,
    y: cy,
    size: round(size),
    colour: color,
    angle: note.textangle || undefined,
    shadow: note.font?.shadow,
  });
}

function arrowPath(cx, cy, { x, y }, { width, height }) {
  const [dx, dy] = [x - cx, y - cy];
  // The line begins at the rim of the text.
  const share = Math.min(1, 1 / Math.max(Math.abs(dx) / (width / 2 + 2), Math.abs(dy) / (height / 2), 1));
  const long = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / long, dy / long];
  const side = (turn) => `${round(x - 8 * ux + turn * 3 * uy)},${round(y - 8 * uy - turn * 3 * ux)}`;
  const tip = `${round(x)},${round(y)}`;
  return `M${round(cx + share * dx)},${round(cy + share * dy)}L${tip}M${tip}L${side(1)}L${side(-1)}Z`;
}

/** The title of the whole picture, where it has one of its own. */
export function drawHeading(node, spec, scene) {
  const text = typeof spec.layout.title === "string" ? spec.layout.title : (spec.layout.title?.text ?? "");
  const size = scene.sizes.heading;
  write(node, scene.rule(text, size), { x: 0, y: 4, size, anchor: "start", align: "top", colour: scene.ink });
}
