/** What a picture is made from: reading Plotly's dictionaries, and what of them this renderer does not draw. */

import { knowsScale } from "./colours.js";
import DRAWN from "./drawn.js";
import { inSpace, sceneId } from "./space.js";
import { knowsSymbol } from "./symbols.js";

const TYPED = {
  i1: Int8Array,
  u1: Uint8Array,
  i2: Int16Array,
  u2: Uint16Array,
  i4: Int32Array,
  u4: Uint32Array,
  f4: Float32Array,
  f8: Float64Array,
};
// The farthest corner of the box: from nearer by, parts of it would be behind the reader.
const CORNER = Math.sqrt(0.75);

/** The id of a subplot's axis as the layout names it: "x2" stands under "xaxis2". */
export const axisName = (id) => `${id[0]}axis${id.slice(1)}`;

/** Whether a value is an array of numbers or texts, typed or not. */
export const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);

/**
 * A specification with Plotly's encoded arrays (`bdata`) as typed arrays; tables become lists of rows.
 * What needs no decoding is shared with the original, which is not changed.
 * @param {{data: object[], layout: object}} spec
 * @returns {{data: object[], layout: object}}
 */
export function decode(spec) {
  return { data: (spec.data ?? []).map(decoded), layout: decoded(spec.layout ?? {}) };
}

function decoded(value) {
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (typeof value.bdata === "string") return fromBase64(value);
  if (Array.isArray(value)) {
    // Long lists hold plain values: only lists of dictionaries (annotations, shapes) and of lists are looked into.
    if (value.length === 0 || typeof value[0] !== "object" || value[0] === null) return value;
    return mapped(value, value.map(decoded));
  }
  const copy = {};
  let same = true;
  for (const name in value) {
    copy[name] = decoded(value[name]);
    same &&= copy[name] === value[name];
  }
  return same ? value : copy;
}

const mapped = (list, copy) => (copy.every((entry, place) => entry === list[place]) ? list : copy);

function fromBase64({ bdata, dtype, shape }) {
  const name = dtype.replace(/^[<|=]/, "");
  if (!TYPED[name]) throw new TypeError(`arrays of type ${dtype} are not known`);
  const text = atob(bdata);
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place += 1) bytes[place] = text.charCodeAt(place);
  const flat = new TYPED[name](bytes.buffer);
  if (!shape) return flat;
  const sizes = String(shape).split(",").map(Number);
  if (sizes.length === 1) return flat;
  if (sizes.length > 2) throw new TypeError(`arrays of shape ${shape} are not known`);
  return Array.from({ length: sizes[0] }, (_, row) => flat.subarray(row * sizes[1], (row + 1) * sizes[1]));
}

const isOneOf = (names, value) => names.includes(value ?? null);

/** Whether a specification can be drawn: see `refused`. */
export const can = (spec) => refused(spec) === "";

/**
 * Why a specification is not drawn, as a few words; "" where it is. This is the renderer's border: what Plotly would draw
 * otherwise than it does is refused here, and said where the picture would stand.
 * @param {{data: object[], layout: object}} spec
 * @returns {string}
 */
export function refused(spec) {
  const layout = spec.layout ?? {};
  if (!isOneOf(DRAWN.bars, layout.barmode)) return `bars of mode ${layout.barmode}`;
  for (const trace of spec.data ?? []) {
    const why = undrawn(trace) || (inSpace(trace) && !visible(trace, layout) && `a ${trace.type} seen in this way`);
    if (why) return why;
  }
  for (const name in layout) {
    const why = UNDRAWN[name.replace(/\d+$/, "")]?.(layout[name]);
    if (why) return `${why} (${name})`;
  }
  return "";
}

const axis = ({ type, side, overlaying }) =>
  (!isOneOf(DRAWN.axes, type) && `an axis of type ${type}`) ||
  ((side !== undefined || overlaying) && "an axis over another one");

/** By part of a layout: what of it is not drawn. */
const UNDRAWN = {
  xaxis: axis,
  yaxis: axis,
  polar: ({ radialaxis, angularaxis, sector }) =>
    (radialaxis?.visible !== false || angularaxis?.showticklabels !== false || sector) && "a dial with numbers",
  coloraxis: ({ cmax }) => typeof cmax !== "number" && "a shared scale of colours without an end",
  shapes: (shapes) => shapes.some(({ type = "rect" }) => !DRAWN.shapes.includes(type)) && "a shape that is no line or box",
  images: ({ length }) => length > 0 && "an image",
  updatemenus: (menus) => menus && "a menu",
  sliders: (sliders) => sliders && "a slider",
};

function undrawn(trace) {
  const kind = trace.type ?? "scatter";
  if (!DRAWN.traces.includes(kind)) return `a trace of type ${kind}`;
  const odd = DRAWN.unread.find((name) => trace[name] !== undefined);
  if (odd) return `${odd} of a ${kind}`;
  if (trace.error_y && !isSpread(trace.error_y, kind)) return `error_y of a ${kind} in this way`;
  if (trace.orientation === "h" || trace.marker?.pattern) return "bars that lie or have a pattern";
  if (!isOneOf(DRAWN.fills, trace.fill)) return `fill ${trace.fill}`;
  if (!isOneOf(DRAWN.lines, trace.line?.shape)) return `a line of shape ${trace.line.shape}`;
  if (kind === "contour" && (trace.contours?.coloring ?? "fill") !== "none") return "a contour that is filled";
  const symbols = isList(trace.marker?.symbol) ? trace.marker.symbol : [trace.marker?.symbol ?? "circle"];
  const symbol = [...new Set(symbols)].find((name) => typeof name !== "string" || !knowsSymbol(name));
  if (symbol !== undefined) return `the mark ${symbol}`;
  if (kind === "scattergl" && trace.mode !== "markers") return "a scattergl that is no marks";
  if (![trace, trace.marker ?? {}].every((holder) => knowsScale(holder.colorscale))) return "colours of another scale";
  if (isList(trace.x?.[0]) && !inSpace(trace) && !isCorners(trace)) return "corners of cells that are not one more than cells";
  return [trace.x, trace.y, trace.r, trace.theta].every(isNumbers) ? "" : "names in place of numbers";
}

/** Bars up and down from points, as long to both sides. */
const isSpread = ({ type = "data", array, arrayminus, symmetric = true }, kind) =>
  kind === "scatter" && type === "data" && isList(array) && !arrayminus && symmetric;

/** Tables of where the corners of a map's cells are: one row and one column more than there are cells. */
const isCorners = ({ type, x, y, z }) =>
  type === "heatmap" && [x, y].every((table) => table?.length === z.length + 1 && table[0].length === z[0].length + 1);

/** Whether a trace can be seen in space; numbers beside it are not drawn. */
function visible(trace, layout) {
  const scene = layout[sceneId(trace)];
  const only = (kind, held = {}) => Object.keys(held).every((name) => DRAWN.space[kind].includes(name));
  const { aspectmode, camera, xaxis, yaxis, zaxis } = scene ?? {};
  const { x = 1.25, y = 1.25, z = 1.25 } = camera?.eye ?? {};
  return (
    only(trace.type, trace) &&
    ["skip", "none"].includes(trace.hoverinfo) &&
    only("scene", scene) &&
    aspectmode === "cube" &&
    [xaxis, yaxis, zaxis].every(
      (axis) => only("axis", axis) && axis?.visible === false && axis.range?.every(Number.isFinite),
    ) &&
    only("camera", camera) &&
    (camera?.projection?.type === "orthographic" || Math.hypot(x, y, z) > CORNER) &&
    (trace.type === "surface" ? isGrid(trace) && only("lighting", trace.lighting) : isCloud(trace, only))
  );
}

function isGrid({ x, y, z, surfacecolor, showscale }) {
  const lists = [x, y, z, ...(surfacecolor ? [surfacecolor] : [])].map(decoded);
  const [rows, columns] = [lists[0]?.length, lists[0]?.[0]?.length];
  return (
    showscale === false &&
    rows > 1 &&
    columns > 1 &&
    lists.every((list) => list?.length === rows && list.every((row) => row.length === columns && isWhole(row)))
  );
}

function isCloud({ mode, marker = {}, x, y, z }, only) {
  const colours = isList(marker.color) ? [...marker.color] : [marker.color ?? ""];
  return (
    mode === "markers" &&
    only("marker", marker) &&
    colours.every((colour) => typeof colour === "string") &&
    [x, y, z].map(decoded).every((list) => isList(list) && isWhole(list))
  );
}

const isWhole = (list) => ArrayBuffer.isView(list) || list.every(Number.isFinite);

const isNumbers = (list) => list === undefined || !Array.isArray(list) || !list.some((v) => typeof v === "string");

/**
 * The next specification with the last one's arrays and parts wherever they hold the same, so that what has not
 * changed is known by identity from then on.
 */
export function settled(next, last) {
  if (!last) return next;
  const data = next.data.map((trace, place) => kept(trace, last.data[place]));
  return { data, layout: kept(next.layout, last.layout) };
}

function kept(next, last) {
  if (next === last || last === null || last === undefined || typeof next !== "object" || next === null) return next;
  if (typeof last !== "object") return next;
  if (isList(next)) return keptList(next, last);
  const copy = {};
  let same = Object.keys(next).length === Object.keys(last).length;
  for (const name in next) {
    copy[name] = kept(next[name], last[name]);
    same &&= Object.is(copy[name], last[name]);
  }
  return same ? last : copy;
}

function keptList(next, last) {
  if (!isList(last) || next.length !== last.length || next.constructor !== last.constructor) return next;
  if (typeof next[0] !== "object") {
    for (let place = 0; place < next.length; place += 1) if (!Object.is(next[place], last[place])) return next;
    return last;
  }
  const copy = Array.from(next, (entry, place) => kept(entry, last[place]));
  return copy.every((entry, place) => Object.is(entry, last[place])) ? last : copy;
}

/** Entry of a value that may be one for all or a list. */
export const at = (value, place) => (isList(value) ? value[place] : value);

/** A number, or NaN for what is none: null is a gap, not zero. */
export const number = (value) => (typeof value === "number" ? value : NaN);

/** Whether two lists hold the very same things. */
export const sameEntries = (one, other) =>
  one.length === other.length && one.every((entry, place) => entry === other[place]);
