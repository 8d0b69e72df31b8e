/** Lines, and what they enclose, as paths through pixel positions. */

import { area, curveCatmullRom, curveLinear, curveStep, curveStepAfter, curveStepBefore, line } from "./d3.js";

const CURVES = {
  hv: curveStepAfter,
  vh: curveStepBefore,
  hvh: curveStep,
  spline: curveCatmullRom.alpha(0.5),
};
const DASHES = { dot: [1, 1], dash: [3, 3], longdash: [5, 5], dashdot: [3, 1, 1, 1], longdashdot: [5, 2, 1, 2] };
const isThere = ([x, y]) => Number.isFinite(x) && Number.isFinite(y);

/** `stroke-dasharray` of Plotly's named patterns, whose lengths are multiples of the width, at least 3 pixels. */
export function dashes(name, width) {
  if (!name || name === "solid") return null;
  const unit = Math.max(width, 3);
  return DASHES[name]
    ? DASHES[name].map((count) => count * unit).join(" ")
    : name.replace(/px/g, "").replace(/,/g, " ");
}

/** Path through points; a gap where one has no position, unless gaps are to be bridged. */
export function linePath(points, shape, bridged = false) {
  const through = bridged ? points.filter(isThere) : points;
  if (!CURVES[shape]) return straight(through, false);
  return line().defined(isThere).curve(CURVES[shape]).digits(2)(through) ?? "";
}

// Written by hand since curves of a thousand points are drawn sixty times a second.
function straight(points, closed) {
  let path = "";
  let pen = false;
  for (let place = 0; place < points.length; place += 1) {
    const [x, y] = points[place];
    if (Number.isFinite(x) && Number.isFinite(y)) {
      path += `${pen ? "L" : "M"}${Math.round(x * 100) / 100},${Math.round(y * 100) / 100}`;
      pen = true;
    } else {
      if (closed && pen) path += "Z";
      pen = false;
    }
  }
  return closed && pen ? `${path}Z` : path;
}

/** Path around what a trace fills: itself, down to a level, or to the line before it. */
export function fillPath(points, { fill, shape, zero, before }) {
  if (fill === "toself") return straight(points, true);
  if (fill === "tozeroy") {
    return (
      area()
        .x((point) => point[0])
        .y0(zero)
        .y1((point) => point[1])
        .defined(isThere)
        .curve(CURVES[shape] ?? curveLinear)
        .digits(2)(points) ?? ""
    );
  }
  const there = points.filter(isThere);
  const back = (before ?? []).filter(isThere).reverse();
  return there.length && back.length ? straight([...there, ...back], true) : "";
}
