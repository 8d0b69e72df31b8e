/** What stands beside the mouse or the finger: the nearest mark's own words. */

import { cellWith, hasCorners } from "./cells.js";
import { format } from "./d3.js";
import { at, isList } from "./spec.js";
import { barPlaces, edges } from "./ranges.js";
import { countOf, pointsOf } from "./places.js";
import { isShown } from "./scene.js";
import { free } from "./ticks.js";

const NEAR = 20;

/**
 * The mark at a place of the picture: `{trace, place, x, y}`, or null.
 * @param {number} px pixels from the left
 * @param {number} py pixels from the top
 * @param {Function} remembered from `makeMemory`
 */
export function nearest(spec, scene, hidden, px, py, remembered) {
  let best = null;
  for (const trace of spec.data) {
    if (!hasWords(trace) || !isShown(trace, spec, hidden)) continue;
    const found = (FIND[trace.type ?? "scatter"] ?? (() => null))(trace, spec, scene, px, py, remembered);
    // What is drawn later lies on top, so that it wins where both are as near.
    if (found && found.away <= NEAR && (!best || found.away <= best.away)) best = { trace, ...found };
  }
  return best;
}

/** Remembers where the points of traces are, since the mouse asks for them with every move. */
export function makeMemory() {
  const known = new WeakMap();
  return (trace, scene) => {
    if (known.get(trace)?.scene !== scene) known.set(trace, { scene, points: pointsOf(trace, scene) });
    return known.get(trace).points;
  };
}

const hasWords = (trace) =>
  trace.hoverinfo !== "skip" &&
  trace.hoverinfo !== "none" &&
  Boolean(trace.hovertemplate ?? trace.text ?? trace.hovertext);

const FIND = {
  heatmap: cellAt,
  bar: barAt,
  scatter: pointAt,
  scattergl: pointAt,
  scatterpolar: pointAt,
  barpolar: wedgeAt,
};

function axesAt(trace, scene, px, py) {
  const x = scene.axes.get(trace.xaxis ?? "x");
  const y = scene.axes.get(trace.yaxis ?? "y");
  const slack = trace.cliponaxis === false ? NEAR : 3;
  const inside =
    px >= x.ends[0] - slack && px <= x.ends[1] + slack && py >= y.ends[1] - slack && py <= y.ends[0] + slack;
  return inside ? { x, y } : null;
}

const value = (axis, pixel) =>
  axis.range[0] + ((pixel - axis.ends[0]) / (axis.ends[1] - axis.ends[0])) * (axis.range[1] - axis.range[0]);

function cellAt(trace, spec, scene, px, py) {
  const axes = axesAt(trace, scene, px, py);
  if (!axes) return null;
  if (hasCorners(trace)) return corneredAt(trace, axes, value(axes.x, px), value(axes.y, py));
  const across = edges(trace.x, trace.z[0].length, axes.x.log);
  const down = edges(trace.y, trace.z.length, axes.y.log);
  const [column, row] = [slot(across, value(axes.x, px)), slot(down, value(axes.y, py))];
  if (column < 0 || row < 0) return null;
  const z = trace.z[row][column];
  if (trace.hoverongaps === false && !Number.isFinite(z)) return null;
  // Whatever is drawn on a map is nearer than the map itself.
  const middle = (list, place, axis) => axis.toPixel((list[place] + list[place + 1]) / 2);
  return { place: [row, column], x: middle(across, column, axes.x), y: middle(down, row, axes.y), away: NEAR - 1e-6 };
}

function corneredAt(trace, axes, east, north) {
  const place = cellWith(trace, east, north);
  if (!place) return null;
  const [row, column] = place;
  const middle = (table, axis) => axis.toPixel((table[row][column] + table[row + 1][column + 1]) / 2);
  return { place, x: middle(trace.x, axes.x), y: middle(trace.y, axes.y), away: NEAR - 1e-6 };
}

function slot(ends, where) {
  for (let place = 0; place + 1 < ends.length; place += 1) {
    if ((where - ends[place]) * (where - ends[place + 1]) <= 0) return place;
  }
  return -1;
}

function barAt(trace, spec, scene, px, py) {
  const axes = axesAt(trace, scene, px, py);
  if (!axes) return null;
  const placed = barPlaces(trace, spec.data, spec.layout);
  let best = null;
  for (let place = 0; place < countOf(trace); place += 1) {
    const { middle, half } = placed(place);
    const [left, right] = [axes.x.toPixel(middle - half), axes.x.toPixel(middle + half)].sort((a, b) => a - b);
    const top = axes.y.pixel(trace.y[place]);
    // A bar answers over the whole height of its place, so that short ones can be met.
    const away = px >= left && px <= right ? NEAR / 2 : NEAR / 2 + Math.max(left - px, px - right);
    if (!best || away < best.away) best = { place, x: (left + right) / 2, y: top, away };
  }
  return best;
}

function pointAt(trace, spec, scene, px, py, remembered) {
  if (trace.type !== "scatterpolar" && !axesAt(trace, scene, px, py)) return null;
  const lineOnly = trace.mode === "lines";
  let best = null;
  remembered(trace, scene).forEach(([x, y], place) => {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    const radius = (at(trace.marker?.size, place) ?? 6) / 2;
    // Along a line the nearest x counts; its height then says which of several lines is meant.
    const away = lineOnly ? Math.abs(x - px) : Math.max(0, Math.hypot(x - px, y - py) - radius);
    if (!best || away < best.away) best = { place, x, y, away };
  });
  if (best && lineOnly) best.away = Math.max(0, Math.hypot(best.x - px, best.y - py) - 3);
  return best;
}

function wedgeAt(trace, spec, scene, px, py) {
  const polar = scene.polars.get(trace.subplot ?? "polar");
  const [dx, dy] = [px - polar.cx, py - polar.cy];
  const r = Math.hypot(dx, dy);
  if (r > polar.radius + 3 || r < 0.3 * polar.radius) return null;
  const angle = Math.atan2(dy, dx);
  let best = null;
  for (let place = 0; place < countOf(trace); place += 1) {
    const turn = Math.abs(wrapped(polar.angle(trace.theta[place]) - angle));
    if (!best || turn < best.turn) best = { place, turn, away: 1 };
  }
  if (!best) return null;
  const [where, long] = [polar.angle(trace.theta[best.place]), Math.max(0, polar.length(trace.r[best.place]))];
  return { ...best, x: polar.cx + long * Math.cos(where), y: polar.cy + long * Math.sin(where) };
}

const wrapped = (angle) => Math.atan2(Math.sin(angle), Math.cos(angle));

/** The words of a mark, `[text, extra]`, from its trace's template. */
export function words({ trace, place }, scene) {
  const pick = (list) => (isList(place) ? list?.[place[0]]?.[place[1]] : at(list, place));
  const event = {
    x: coordinate(trace.x, isList(place) ? place[1] : place),
    y: coordinate(trace.y, isList(place) ? place[0] : place),
    z: isList(place) ? pick(trace.z) : undefined,
    r: at(trace.r, place),
    theta: at(trace.theta, place),
    text: pick(trace.text),
    hovertext: pick(trace.hovertext),
    customdata: pick(trace.customdata),
    pointNumber: place,
    fullData: { name: trace.name ?? "" },
    xaxis: { title: { text: title(trace, scene, "x") } },
    yaxis: { title: { text: title(trace, scene, "y") } },
  };
  const template = at(trace.hovertemplate, place) ?? "%{text}<extra></extra>";
  const [, extra] = /<extra>(.*?)<\/extra>/s.exec(template) ?? [null, "%{fullData.name}"];
  return [fill(template.replace(/<extra>.*?<\/extra>/s, ""), event), fill(extra, event)];
}

// Without positions the count is the position.
const coordinate = (list, place) => (list ? list[place] : place);

const title = (trace, scene, letter) => scene.axes.get(trace[`${letter}axis`] ?? letter)?.options.title?.text ?? "";

const fill = (template, event) =>
  template.replace(/%\{([^}:|]+)(?:[:]([^}]*))?\}/g, (_, path, spec) => {
    const found = path
      .split(/[.[\]]+/)
      .filter(Boolean)
      .reduce((value, name) => value?.[name], event);
    if (found === undefined || found === null) return "";
    if (!spec || typeof found !== "number") return free(found);
    return format(spec)(found);
  });
