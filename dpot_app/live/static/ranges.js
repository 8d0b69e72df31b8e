/** What part of each axis is shown: as the layout says, or as the traces need it. */

import { at, isList } from "./spec.js";

/** Middle of a bar and half its width for every bar of a trace, among the bars that share its axes. */
export function barPlaces(trace, data, layout) {
  const group = data.filter((other) => other.type === "bar" && sameAxes(other, trace) && other.visible !== false);
  const gap = layout.bargap ?? 0.2;
  const side = (layout.barmode ?? "group") === "group" && group.length > 1;
  const room = closest(group) * (1 - gap);
  const each = side ? room / group.length : room;
  const shift = side ? (group.indexOf(trace) - (group.length - 1) / 2) * each : 0;
  const inner = side ? each * (1 - (layout.bargroupgap ?? 0)) : each;
  return (place) => {
    const middle = trace.x[place] + (isList(trace.offset) || trace.offset === undefined ? shift : trace.offset);
    return { middle, half: (at(trace.width, place) ?? inner) / 2 };
  };
}

const sameAxes = (one, other) =>
  (one.xaxis ?? "x") === (other.xaxis ?? "x") && (one.yaxis ?? "y") === (other.yaxis ?? "y");

function closest(group) {
  const places = [...new Set(group.flatMap((trace) => [...(trace.x ?? [])]))].sort((a, b) => a - b);
  let least = Infinity;
  for (let place = 1; place < places.length; place += 1) least = Math.min(least, places[place] - places[place - 1]);
  return Number.isFinite(least) ? least : 1;
}

/** Edges of the cells of a heat map along an axis, one more than there are cells. */
export function edges(centres, count, log) {
  const c = Array.from({ length: count }, (_, place) => {
    const value = centres ? centres[place] : place;
    return log ? Math.log10(value) : value;
  });
  if (centres && centres.length === count + 1) return Array.from(centres, (v) => (log ? Math.log10(v) : v));
  if (count === 1) return [c[0] - 0.5, c[0] + 0.5];
  const found = [c[0] - (c[1] - c[0]) / 2];
  for (let place = 1; place < count; place += 1) found.push((c[place - 1] + c[place]) / 2);
  found.push(c[count - 1] + (c[count - 1] - c[count - 2]) / 2);
  return found;
}

/** Remembers the smallest and largest number of lists; `log` looks at logarithms of positive ones. */
export function makeExtents() {
  const known = new WeakMap();
  return (list, log) => {
    if (!list) return null;
    const both = known.get(list) ?? {};
    if (!known.has(list)) known.set(list, both);
    return (both[log ? "log" : "linear"] ??= extent(list, log));
  };
}

function extent(list, log) {
  let [low, high] = [Infinity, -Infinity];
  for (const entry of list) {
    if (isList(entry)) {
      const inner = extent(entry, log);
      if (inner[0] < low) low = inner[0];
      if (inner[1] > high) high = inner[1];
    } else if (typeof entry === "number" && (log ? entry > 0 : entry === entry)) {
      if (entry < low) low = entry;
      if (entry > high) high = entry;
    }
  }
  return log ? [Math.log10(low), Math.log10(high)] : [low, high];
}

/**
 * The range of an axis, or of several that match: `[low, high]` on its own scale, turned round where it is reversed.
 * @param {object} axis with `options`, `log`, `letter`, `length` in pixels
 * @param {object[]} traces that lie on it
 */
export function rangeOf(axis, traces, spec, extents) {
  const { options } = axis;
  const reversed = options.autorange === "reversed";
  if (isList(options.range) && options.range.every((end) => typeof end === "number") && !reversed) {
    return [...options.range];
  }
  const spans = traces.map((trace) => span(trace, axis, spec, extents)).filter((s) => s && s.low <= s.high);
  const range = spans.length ? padded(spans, axis, options.rangemode) : axis.log ? [0, 1] : [-1, 6];
  return reversed ? range.reverse() : range;
}

// Plotly's room around the data: markers and 5 percent, except along lines, cells and the feet of bars.
function padded(spans, axis, mode) {
  const length = Math.max(axis.length, 20);
  const low = Math.min(...spans.map((s) => s.low));
  const high = Math.max(...spans.map((s) => s.high));
  if (low === high)
    return mode === "tozero" && !axis.log ? [Math.min(0, low), Math.max(0, high) || 1] : [low - 1, high + 1];
  const pad = (s, end) => (s[end] ? s.pixels + 0.05 * length : 0);
  const toZero = (value) => !axis.log && value === 0 && (mode === "tozero" || spans.some((s) => s.zero));
  let [best, found] = [0, [low, high]];
  const least = mode === "tozero" && !axis.log ? Math.min(0, low) : low;
  for (const from of spans) {
    for (const to of spans) {
      const start = mode === "tozero" && !axis.log && low > 0 ? 0 : from.low;
      const [before, after] = [
        toZero(start) || (start === 0 && mode === "tozero") ? 0 : pad(from, "padLow"),
        pad(to, "padHigh"),
      ];
      const unit = (to.high - start) / Math.max(length - before - after, length / 10);
      if (unit > best) [best, found] = [unit, [start - unit * before, to.high + unit * after]];
    }
  }
  return [Math.min(found[0], least), Math.max(found[1], high)];
}

/** The smallest and the largest number of a trace on an axis, with its bars of spread. */
export function reach(trace, { letter, log }, extents) {
  const found = extents(trace[letter], log);
  const far = letter === "y" && trace.error_y?.array;
  if (!found || !far) return found;
  const [down, up] = [-1, 1].map((way) => extent(Array.from(trace.y, (y, place) => y + way * far[place]), log));
  return [Math.min(found[0], down[0]), Math.max(found[1], up[1])];
}

function span(trace, axis, spec, extents) {
  const across = axis.letter === "x";
  if (trace.type === "heatmap" || trace.type === "contour") {
    const count = across ? trace.z[0].length : trace.z.length;
    const ends = edges(trace[axis.letter], count, axis.log);
    return { low: Math.min(ends[0], ends.at(-1)), high: Math.max(ends[0], ends.at(-1)), pixels: 0 };
  }
  const found = reach(trace, axis, extents);
  if (!found) return null;
  const [low, high] = found;
  if (trace.type === "bar") {
    if (!across)
      return {
        low: Math.min(0, low),
        high: Math.max(0, high),
        padLow: low < 0,
        padHigh: high > 0,
        pixels: 0,
        zero: true,
      };
    const half = barPlaces(trace, spec.data, spec.layout);
    const ends = Array.from(trace.x, (_, place) => half(place));
    return {
      low: Math.min(...ends.map((e) => e.middle - e.half)),
      high: Math.max(...ends.map((e) => e.middle + e.half)),
      pixels: 0,
    };
  }
  const mode = trace.mode ?? "lines";
  const marks = mode.includes("markers");
  const size = isList(trace.marker?.size) ? Math.max(...trace.marker.size) : (trace.marker?.size ?? 6);
  const pads = !across || marks || mode.includes("text");
  const wide = pads && !(across && (trace.fill === "tonexty" || trace.fill === "tozeroy"));
  const zero = !across && trace.fill === "tozeroy";
  const both = zero ? [Math.min(0, low), Math.max(0, high)] : [low, high];
  return {
    low: both[0],
    high: both[1],
    padLow: wide,
    padHigh: wide,
    pixels: marks ? Math.max(size / 1.6, 3) : 0,
    zero,
  };
}
