/** Colour scales, the bars that explain them, and heat maps on the canvas. */

import { interpolateRgb, rgb } from "./d3.js";
import { isList } from "./spec.js";
import { ticksOf } from "./ticks.js";
import { children, part, round, set, write } from "./text.js";

const SHADES = 1024;
const NAMED = {
  Viridis: [
    "#440154",
    "#482878",
    "#3e4989",
    "#31688e",
    "#26828e",
    "#1f9e89",
    "#35b779",
    "#6ece58",
    "#b5de2b",
    "#fde725",
  ],
  RdBu: [
    "rgb(103,0,31)",
    "rgb(178,24,43)",
    "rgb(214,96,77)",
    "rgb(244,165,130)",
    "rgb(253,219,199)",
    "rgb(247,247,247)",
    "rgb(209,229,240)",
    "rgb(146,197,222)",
    "rgb(67,147,195)",
    "rgb(33,102,172)",
    "rgb(5,48,97)",
  ],
};

/** Whether a scale is one that can be drawn. */
export const knowsScale = (scale) =>
  scale === undefined || isList(scale) || NAMED[scale.replace(/_r$/, "")] !== undefined;

/** `shade(share)` from 0 to 1, as d3 writes colours. */
function shades(scale = "Viridis", reversed = false) {
  const turned = typeof scale === "string" && scale.endsWith("_r") ? !reversed : reversed;
  const list =
    typeof scale === "string" ? NAMED[scale.replace(/_r$/, "")].map((c, i, all) => [i / (all.length - 1), c]) : scale;
  const stops = turned ? [...list].reverse().map(([where, colour]) => [1 - where, colour]) : list;
  const pieces = stops.slice(1).map(([to, colour], place) => {
    const [from, before] = stops[place];
    return { from, to, between: interpolateRgb(before, colour) };
  });
  return (share) => {
    const s = Math.max(0, Math.min(1, share));
    const { from, to, between } = pieces.find((piece) => s <= piece.to) ?? pieces.at(-1);
    return between(to > from ? (s - from) / (to - from) : 0);
  };
}

/** The scale of a trace's numbers: its ends and its colours; `values` are what is coloured. */
export function scaleOf(holder, values, layout, extents) {
  const axis = holder.coloraxis ? (layout[holder.coloraxis] ?? {}) : holder;
  // Values are looked through only for an end that is not given.
  const reach = (place) => (values ? extents(values, false) : [0, 1])[place];
  let low = axis.cmin ?? axis.zmin ?? reach(0);
  let high = axis.cmax ?? axis.zmax ?? reach(1);
  const middle = axis.cmid ?? axis.zmid;
  if (typeof middle === "number") {
    const half = Math.max(middle - low, high - middle);
    [low, high] = [middle - half, middle + half];
  }
  return { low, high, scale: axis.colorscale, reversed: axis.reversescale === true };
}

/** Remembers the tables of shades: one for each scale that is in use. */
export function makePalette() {
  const tables = new WeakMap();
  const named = new Map();
  return (scale, reversed) => {
    const known = typeof scale === "object" ? tables : named;
    const both = known.get(scale) ?? [];
    known.set(scale, both);
    return (both[Number(reversed)] ??= table(scale, reversed));
  };
}

function table(scale, reversed) {
  const shade = shades(scale, reversed);
  const texts = Array.from({ length: SHADES }, (_, place) => shade(place / (SHADES - 1)));
  const words = new Uint32Array(SHADES);
  const bytes = new Uint8Array(words.buffer);
  texts.forEach((text, place) => {
    const { r, g, b, opacity } = rgb(text);
    bytes.set([r, g, b, Math.round(255 * opacity)], 4 * place);
  });
  return { texts, words };
}

/** Place of a number in a table of shades. */
export const shadeAt = (value, { low, high }) =>
  Math.max(0, Math.min(SHADES - 1, Math.round(((value - low) / (high - low || 1)) * (SHADES - 1))));

/** Geometry of the colour bars that are shown. */
export function barsOf(spec, { rule, look, extents, width }) {
  const holders = new Map();
  for (const trace of spec.data) {
    const holder = trace.type === "heatmap" ? trace : trace.marker;
    const values = trace.type === "heatmap" ? trace.z : trace.marker?.color;
    if (!holder || !isList(values) || typeof values[0] === "string" || trace.visible === false) continue;
    const axis = holder.coloraxis ? spec.layout[holder.coloraxis] : holder;
    const shown =
      axis?.showscale ?? (trace.type === "heatmap" || Boolean(holder.coloraxis) || Boolean(holder.colorbar));
    const id = holder.coloraxis ?? `trace ${spec.data.indexOf(trace)}`;
    if (shown && axis && !holders.has(id))
      holders.set(
        id,
        barOf(id, axis, scaleOf(holder, values, spec.layout, extents), rule, look, Boolean(holder.coloraxis), width),
      );
  }
  return [...holders.values()];
}

function barOf(id, { colorbar = {} }, ends, rule, look, shared, width) {
  const vertical = colorbar.orientation !== "h";
  const tickSize = ((colorbar.tickfont?.size ?? 12) * look.size) / 12;
  const titleSize = ((shared ? 14 : 12) * look.size) / 12;
  const title = colorbar.title?.text ? rule(colorbar.title.text, titleSize) : null;
  const thickness = colorbar.thickness ?? (shared ? 16 : 30);
  const bar = { id, colorbar, ends, vertical, tickSize, titleSize, title, thickness, shared };
  bar.label = (text) => rule(text, tickSize);
  const guess = ticks(bar, 200).map((tick) => bar.label(tick.text).width);
  bar.widest = Math.max(10, ...guess);
  // Beside the bar only where that leaves the better half to the bar.
  const beside = title && (colorbar.title.side ?? "right") === "right" && !vertical && title.width < 0.35 * width;
  Object.assign(bar, { beside, pad: colorbar.ypad ?? 10, inset: colorbar.xpad ?? (shared ? 24 : 10) });
  bar.room = vertical ? 12 + thickness + 6 + Math.max(bar.widest, (title?.width ?? 0) - thickness) + 8 : 0;
  bar.under = thickness + 3 + tickSize * 1.3 + (title && !beside ? title.height + 4 : 0);
  return bar;
}

function ticks(bar, length) {
  const { colorbar, ends, vertical } = bar;
  const axis = { letter: vertical ? "y" : "x", log: false, range: [ends.low, ends.high], length, options: colorbar };
  if (vertical) return ticksOf(axis);
  for (let fewer = 1; ; fewer += 1) {
    const found = ticksOf(axis, fewer);
    const width = found.map((tick) => bar.label(tick.text).width);
    const at = found.map((tick) => ((tick.at - ends.low) / (ends.high - ends.low)) * length);
    if (fewer > 20 || at.every((x, i) => i === 0 || x - at[i - 1] > (width[i] + width[i - 1]) / 2 + 3)) return found;
  }
}

/** Rectangle of a bar of colours in the picture. */
export function barBox(bar, { plot, height }) {
  const { colorbar, thickness, vertical, under } = bar;
  const share = colorbar.len ?? (bar.shared ? 0.75 : 1);
  if (vertical) {
    const long = share * plot.h;
    const middle = plot.t + (1 - (colorbar.y ?? (bar.shared ? 0.5745 : 0.5))) * plot.h;
    const top = Math.max(plot.t, middle - long / 2) + (bar.title ? bar.title.height + 4 : 0);
    const bottom = Math.min(plot.t + plot.h, middle + long / 2);
    return { x: plot.l + 1.02 * plot.w + 10, y: top, width: thickness, height: bottom - top };
  }
  const long = share * plot.w - 2 * bar.inset;
  const beside = bar.beside ? bar.title.width + 6 : 0;
  const left = plot.l + (colorbar.x ?? 0.5) * plot.w - long / 2;
  const line =
    colorbar.yref === "container" ? (1 - (colorbar.y ?? 0)) * height : plot.t + (1 - (colorbar.y ?? 1.02)) * plot.h;
  const top = (colorbar.yanchor ?? "bottom") === "top" ? line + bar.pad : line - (bar.pad - 4) - under;
  const above = bar.title && !bar.beside && colorbar.title.side === "top" ? bar.title.height + 4 : 0;
  return { x: left + beside, y: top + above, width: long - beside, height: thickness };
}

/** Draw the bars; their gradient is a few dozen stops. */
export function drawBars(group, scene, palette) {
  const nodes = children(group, "g", scene.bars.length);
  scene.bars.forEach((bar, place) => drawBar(nodes[place], bar, scene, palette, `${scene.name}-bar${place}`));
}

function drawBar(node, bar, scene, palette, id) {
  const box = barBox(bar, scene);
  const { texts } = palette(bar.ends.scale, bar.ends.reversed);
  const gradient = part(node, "gradient", "linearGradient");
  set(gradient, { id, x1: 0, x2: bar.vertical ? 0 : 1, y1: bar.vertical ? 1 : 0, y2: 0 });
  const stops = children(gradient, "stop", 33);
  for (let place = 0; place < 33; place += 1) {
    set(stops[place], { offset: round(place / 32), "stop-color": texts[Math.round((place / 32) * (SHADES - 1))] });
  }
  set(part(node, "bar", "rect"), {
    x: round(box.x),
    y: round(box.y),
    width: round(box.width),
    height: round(box.height),
    fill: `url(#${id})`,
  });
  const marks = ticks(bar, bar.vertical ? box.height : box.width);
  const { low, high } = bar.ends;
  const labels = children(part(node, "labels"), "text", marks.length);
  marks.forEach((tick, place) => {
    const share = (tick.at - low) / (high - low || 1);
    const where = bar.vertical
      ? { x: box.x + box.width + 6, y: box.y + (1 - share) * box.height, anchor: "start" }
      : { x: box.x + share * box.width, y: box.y + box.height + 3 + 0.65 * bar.tickSize };
    const measured = bar.label(tick.text);
    if (!bar.vertical) where.x = Math.max(measured.width / 2, Math.min(scene.width - measured.width / 2, where.x));
    write(labels[place], measured, { ...where, size: bar.tickSize, colour: scene.ink });
  });
  drawTitle(part(node, "title", "text"), bar, box, scene);
}

function drawTitle(node, bar, box, { ink }) {
  if (!bar.title) return write(node, { lines: [[]] }, { x: 0, y: 0, size: bar.titleSize, colour: ink });
  const how = { size: bar.titleSize, colour: ink };
  if (bar.beside) return write(node, bar.title, { ...how, x: box.x - 6, y: box.y + box.height / 2, anchor: "end" });
  if (bar.vertical) return write(node, bar.title, { ...how, x: box.x, y: box.y - 4, anchor: "start", align: "bottom" });
  const above = bar.colorbar.title.side === "top";
  const y = above ? box.y - 2 : box.y + box.height + 3 + 1.3 * bar.tickSize;
  return write(node, bar.title, { ...how, x: box.x + box.width / 2, y, align: above ? "bottom" : "top" });
}

/** The colour of every mark of a trace. */
export function colouring(marker, scene, { palette, extents }) {
  const { color } = marker;
  if (!isList(color)) return () => color ?? scene.look.primary;
  if (typeof color[0] === "string") return (place) => color[place];
  const ends = scaleOf(marker, color, scene.layout, extents);
  const { texts } = palette(ends.scale, ends.reversed);
  return (place) => texts[shadeAt(color[place], ends)];
}

/** Opacity of a trace's marks: those of many sizes may cover each other. */
export const opacityOf = (marker) => marker.opacity ?? (isList(marker.size) ? 0.7 : 1);
