/** From one specification to another: numbers glide, everything else is the new one's at once. */

import { interpolateRgb } from "./d3.js";
import { inSpace, radiusOf } from "./space.js";
import { axisName, isList } from "./spec.js";

const GLIDING = ["x", "y", "z", "surfacecolor", "r", "theta", "width"];

/**
 * `mix(share)`: the specification between two, both decoded. Parts that do not change are the same objects in all.
 */
export function between(from, to) {
  const traces = to.data.map((trace, place) => betweenTraces(from.data[place], trace, to.layout));
  const layout = betweenLayouts(from.layout, to.layout);
  return (share) => ({ data: traces.map((trace) => trace(share)), layout: layout(share) });
}

function betweenTraces(from, to, layout) {
  if (!from || from === to || (from.type ?? "scatter") !== (to.type ?? "scatter")) return () => to;
  // As in Plotly, a uid says which things are the same: a line whose pieces are others has nothing to glide from.
  if (from.uid !== to.uid) return () => to;
  const glides = {};
  for (const name of GLIDING) {
    if (inSpace(to) && name.length === 1) continue;
    const log = (name === "x" || name === "y") && layout[axisName(to[`${name}axis`] ?? name)]?.type === "log";
    glides[name] = betweenLists(from[name], to[name], log);
  }
  const marker = {
    size: betweenLists(from.marker?.size, to.marker?.size),
    color: betweenLists(from.marker?.color, to.marker?.color),
  };
  if (inSpace(to)) Object.assign(glides, betweenPlaces(from, to));
  const own = Object.entries(glides).filter(([, glide]) => glide);
  const marks = Object.entries(marker).filter(([, glide]) => glide);
  if (own.length + marks.length === 0) return () => to;
  return (share) => {
    const mixed = { ...to };
    for (const [name, glide] of own) mixed[name] = glide(share);
    if (marks.length) {
      mixed.marker = { ...to.marker };
      for (const [name, glide] of marks) mixed.marker[name] = glide(share);
    }
    return mixed;
  };
}

/** Places in space; what lies on a sphere stays on it, where the straight way would lead through it. */
function betweenPlaces(from, to) {
  const straight = { x: betweenLists(from.x, to.x), y: betweenLists(from.y, to.y), z: betweenLists(from.z, to.z) };
  const radii = [from, to].map(({ x, y, z }) => radiusOf(x, y, z));
  if (radii.some(Number.isNaN)) return straight;
  let [last, at] = [NaN, null];
  const glided = (share) => {
    if (share === last) return at;
    at = Object.fromEntries(["x", "y", "z"].map((name) => [name, straight[name]?.(share) ?? copied(to[name])]));
    last = share;
    drawOut(at.x, at.y, at.z, mix(...radii, share));
    return at;
  };
  return Object.fromEntries(["x", "y", "z"].map((name) => [name, (share) => glided(share)[name]]));
}

const copied = (list) => (isList(list[0]) ? Array.from(list, copied) : Float64Array.from(list));

/** Put points where the lines to them from the origin meet a sphere; what is in its middle stays. */
function drawOut(x, y, z, radius) {
  for (let place = 0; place < x.length; place += 1) {
    if (isList(x[place])) drawOut(x[place], y[place], z[place], radius);
    else {
      const longer = radius / (Math.hypot(x[place], y[place], z[place]) || radius);
      for (const list of [x, y, z]) list[place] *= longer;
    }
  }
}

/** `glide(share)` between lists of one length, or null where there is nothing to glide. */
function betweenLists(from, to, log = false) {
  if (from === to || !isList(from) || !isList(to) || from.length !== to.length || to.length === 0) return null;
  if (isList(to[0])) {
    const rows = Array.from(to, (row, place) => betweenLists(from[place], row) ?? (() => row));
    return (share) => rows.map((row) => row(share));
  }
  if (typeof to[0] === "string") return betweenColours(from, to);
  return (share) => {
    const mixed = new Float64Array(to.length);
    for (let place = 0; place < to.length; place += 1) mixed[place] = mix(from[place], to[place], share, log);
    return mixed;
  };
}

function mix(from, to, share, log) {
  if (typeof to !== "number") return NaN;
  if (typeof from !== "number" || !Number.isFinite(from) || !Number.isFinite(to)) return to;
  if (log && from > 0 && to > 0) return from * (to / from) ** share;
  return from + (to - from) * share;
}

function betweenColours(from, to) {
  if (!/^(#|rgb)/.test(to[0]) || typeof from[0] !== "string") return null;
  const pairs = to.map((colour, place) =>
    colour === from[place] ? () => colour : interpolateRgb(from[place], colour),
  );
  return (share) => pairs.map((pair) => pair(share));
}

const PLACED = { shapes: ["x0", "x1", "y0", "y1"], annotations: ["x", "y"] };

function betweenLayouts(from, to) {
  if (from === to) return () => to;
  const kinds = Object.keys(PLACED).filter(
    (kind) => to[kind]?.length && from[kind]?.length === to[kind].length && from[kind] !== to[kind],
  );
  if (kinds.length === 0) return () => to;
  return (share) => {
    const mixed = { ...to };
    for (const kind of kinds)
      mixed[kind] = to[kind].map((item, place) => betweenItems(from[kind][place], item, PLACED[kind], share, to));
    return mixed;
  };
}

function betweenItems(from, to, names, share, layout) {
  if (from === to) return to;
  const mixed = { ...to };
  for (const name of names) {
    const reference = to[`${name[0]}ref`] ?? name[0];
    // Shapes are placed by values, annotations on a logarithmic axis by logarithms already.
    const log = name.length === 2 && layout[axisName(reference)]?.type === "log";
    if (typeof to[name] === "number") mixed[name] = mix(from[name], to[name], share, log);
  }
  return mixed;
}
