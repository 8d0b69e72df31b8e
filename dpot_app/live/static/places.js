/** Where things stand: dials, references of shapes and annotations, and the points of traces, in pixels. */

import { at, isList, number } from "./spec.js";

/** The dials of a picture: their middles, and how numbers and angles are read on them. */
export function polarsOf(spec, { plot }) {
  const found = new Map();
  for (const trace of spec.data) {
    if (trace.type !== "barpolar" && trace.type !== "scatterpolar") continue;
    const id = trace.subplot ?? "polar";
    if (!found.has(id)) found.set(id, dial(id, spec.layout[id] ?? {}, plot));
  }
  return found;
}

function dial(id, options, plot) {
  const { x = [0, 1], y = [0, 1] } = options.domain ?? {};
  const [w, h] = [(x[1] - x[0]) * plot.w, (y[1] - y[0]) * plot.h];
  const radius = Math.min(w, h) / 2;
  const [low, high] = options.radialaxis?.range ?? [0, 1];
  const angular = options.angularaxis ?? {};
  const way = angular.direction === "clockwise" ? -1 : 1;
  const turn = angular.rotation ?? (way < 0 ? 90 : 0);
  return {
    id,
    options,
    radius,
    key: JSON.stringify([options, plot]),
    cx: plot.l + x[0] * plot.w + w / 2,
    cy: plot.t + (1 - y[1]) * plot.h + h / 2,
    length: (r) => ((r - low) / (high - low)) * radius,
    // Radians from the right, counted as screens count: clockwise.
    angle: (theta) => (-(turn + way * theta) * Math.PI) / 180,
    half: (width) => (Math.abs(width) * Math.PI) / 360,
  };
}

/** Pixel of a coordinate with its reference: "paper", "x", "x domain"; `logs`: values are already logarithms. */
export function located(scene, letter, reference, value, logs = false) {
  const ref = reference ?? letter;
  const { plot } = scene;
  if (ref === "paper") return letter === "x" ? plot.l + value * plot.w : plot.t + (1 - value) * plot.h;
  if (ref === "container") return letter === "x" ? value * scene.width : (1 - value) * scene.height;
  const [id, kind] = ref.split(" ");
  const axis = scene.axes.get(id);
  if (!axis) return NaN;
  if (kind === "domain") return axis.ends[0] + value * (axis.ends[1] - axis.ends[0]);
  return logs ? axis.toPixel(value) : axis.pixel(value);
}

/** How many points a trace has. */
export const countOf = (trace) =>
  Math.min(...[trace.x, trace.y, trace.r, trace.theta].filter(isList).map((list) => list.length));

/** The pixel positions of a trace's points. */
export function pointsOf(trace, scene) {
  const count = countOf(trace);
  if (trace.type === "scatterpolar" || trace.type === "barpolar") {
    const polar = scene.polars.get(trace.subplot ?? "polar");
    return Array.from({ length: count }, (_, place) => {
      const [r, angle] = [polar.length(number(trace.r[place])), polar.angle(at(trace.theta, place))];
      return [polar.cx + r * Math.cos(angle), polar.cy + r * Math.sin(angle)];
    });
  }
  const x = scene.axes.get(trace.xaxis ?? "x").pixel;
  const y = scene.axes.get(trace.yaxis ?? "y").pixel;
  return Array.from({ length: count }, (_, place) => [
    x(trace.x ? trace.x[place] : place),
    y(trace.y ? trace.y[place] : place),
  ]);
}
