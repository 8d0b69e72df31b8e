/** The traces of a picture as SVG: each has a group of its own, whose nodes stay as long as its kind does. */

import { contours } from "./d3.js";
import { at, isList } from "./spec.js";
import { barPlaces } from "./ranges.js";
import { colouring, opacityOf } from "./colours.js";
import { countOf, pointsOf } from "./places.js";
import { isShown } from "./scene.js";
import { dashes, fillPath, linePath } from "./lines.js";
import { symbolPath } from "./symbols.js";
import { SVG, children, part, round, set, write } from "./text.js";

// What lies under what, as in Plotly: contours, bars, then lines and marks.
const LAYERS = { contour: 0, bar: 1, scatter: 2, barpolar: 3, scatterpolar: 4 };

/** Draw all traces that are SVG. What neither changed nor moved is left alone. */
export function drawMarks(group, spec, scene, around) {
  const nodes = ordered(group, spec, around.groups);
  spec.data.forEach((trace, place) => {
    const node = nodes[place];
    const last = around.drawn[place];
    const before = trace.fill === "tonexty" ? lineBefore(spec, place) : null;
    const shown = isShown(trace, spec, around.hidden);
    const alone = trace.type !== "bar" || spec.layout.barmode === "overlay";
    const ground = groundOf(trace, scene);
    const same = last?.trace === trace && last.ground === ground && last.before === before && last.shown === shown;
    if (same && alone) return;
    around.drawn[place] = { trace, ground, before, shown };
    if (node.dataset.kind !== (trace.type ?? "scatter")) {
      node.textContent = "";
      node.dataset.kind = trace.type ?? "scatter";
    }
    set(node, { display: shown ? null : "none" });
    if (shown) DRAW[trace.type ?? "scatter"]?.(node, trace, scene, { ...around, spec, before });
  });
  giveWay(nodes, spec, scene, around.hidden);
}

/** All that a trace's look comes from other than itself, as a text. */
function groundOf(trace, scene) {
  const axes = ["x", "y"].map((letter) => scene.axes.get(trace[`${letter}axis`] ?? letter)?.key);
  const colours = trace.marker?.coloraxis ? JSON.stringify(scene.layout[trace.marker.coloraxis]) : "";
  return [scene.lookKey, ...axes, scene.polars.get(trace.subplot ?? "polar")?.key, colours].join("|");
}

function ordered(group, spec, groups) {
  const count = spec.data.length;
  while (groups.length > count) groups.pop().remove();
  while (groups.length < count) groups.push(document.createElementNS(SVG, "g"));
  const rank = (place) => LAYERS[spec.data[place].type ?? "scatter"] ?? 0;
  const order = groups.map((_, place) => place).sort((a, b) => rank(a) - rank(b) || a - b);
  order.forEach((place, index) => {
    if (group.children[index] !== groups[place]) group.insertBefore(groups[place], group.children[index] ?? null);
    if (groups[place].dataset.trace !== String(place)) groups[place].dataset.trace = place;
  });
  return groups;
}

function lineBefore(spec, place) {
  const { xaxis = "x", yaxis = "y" } = spec.data[place];
  return (
    spec.data
      .slice(0, place)
      .findLast(
        (trace) =>
          (trace.type ?? "scatter") === "scatter" && (trace.xaxis ?? "x") === xaxis && (trace.yaxis ?? "y") === yaxis,
      ) ?? null
  );
}

const clip = (trace, scene) =>
  trace.cliponaxis === false ? null : `url(#${scene.name}-${trace.xaxis ?? "x"}${trace.yaxis ?? "y"})`;

const DRAW = {
  bar: drawBarTrace,
  scatter: drawScatter,
  contour: drawContour,
  barpolar: drawDialBars,
  scatterpolar: drawScatter,
};

function drawBarTrace(node, trace, scene, { spec }) {
  const x = scene.axes.get(trace.xaxis ?? "x");
  const y = scene.axes.get(trace.yaxis ?? "y");
  const placed = barPlaces(trace, spec.data, spec.layout);
  const foot = y.log ? y.ends[0] : y.toPixel(0);
  const count = countOf(trace);
  set(node, { "clip-path": clip(trace, scene), opacity: trace.opacity ?? null });
  const bars = children(node, "rect", count);
  for (let place = 0; place < count; place += 1) {
    const { middle, half } = placed(place);
    const [left, right] = [x.toPixel(middle - half), x.toPixel(middle + half)];
    const top = y.pixel(trace.y[place]);
    const tall = Number.isFinite(top) ? Math.abs(top - foot) : 0;
    set(bars[place], {
      x: round(Math.min(left, right)),
      y: round(Number.isFinite(top) ? Math.min(top, foot) : foot),
      width: round(Math.abs(right - left)),
      height: round(tall),
      fill: at(trace.marker?.color, place) ?? scene.look.primary,
      stroke: trace.marker?.line?.width ? at(trace.marker.line.color, place) : null,
      "stroke-width": at(trace.marker?.line?.width, place) ?? null,
    });
  }
}

function drawScatter(node, trace, scene, around) {
  const points = pointsOf(trace, scene);
  const mode = trace.mode ?? (points.length < 20 ? "lines+markers" : "lines");
  const cut = trace.type === "scatterpolar" ? null : clip(trace, scene);
  set(node, { "clip-path": cut, opacity: trace.opacity ?? null });
  drawLine(node, trace, points, mode, scene, around);
  if (trace.error_y) drawSpreads(part(node, "spreads", "path"), trace, points, scene);
  drawPoints(part(node, "points"), trace, mode.includes("markers") ? points : [], scene, around);
  drawTexts(part(node, "texts"), trace, mode.includes("text") && trace.text ? points : [], scene);
}

function drawLine(node, trace, points, mode, scene, { before }) {
  const style = trace.line ?? {};
  const fill = trace.fill && trace.fill !== "none";
  const y = scene.axes.get(trace.yaxis ?? "y");
  const ground = fill
    ? {
        fill: trace.fill,
        shape: style.shape,
        zero: y.log ? y.ends[0] : y.toPixel(0),
        before: before && pointsOf(before, scene),
      }
    : null;
  set(part(node, "fill", "path"), {
    d: fill ? fillPath(points, ground) : "",
    fill: trace.fillcolor ?? "none",
    stroke: "none",
  });
  const width = style.width ?? 2;
  set(part(node, "line", "path"), {
    d: mode.includes("lines") && width > 0 ? linePath(points, style.shape, trace.connectgaps) : "",
    fill: "none",
    stroke: style.color ?? trace.marker?.color ?? scene.look.primary,
    "stroke-width": width,
    "stroke-dasharray": dashes(style.dash, width),
    "stroke-miterlimit": 2,
  });
}

/** Bars as far up and down from points as `error_y` says; without an end where the axis ends before. */
function drawSpreads(node, trace, points, scene) {
  const { array, color, thickness = 2, width = 4 } = trace.error_y;
  const axis = scene.axes.get(trace.yaxis ?? "y");
  const paths = points.map(([x], place) => {
    const ends = [array[place], -array[place]].map((far) => axis.pixel(trace.y[place] + far));
    if (![x, ends[0]].every(Number.isFinite)) return "";
    const bar = `M${round(x)},${round(ends[0])}V${round(Number.isFinite(ends[1]) ? ends[1] : axis.ends[0])}`;
    return bar + ends.filter(Number.isFinite).map((y) => `M${round(x - width)},${round(y)}h${2 * width}`).join("");
  });
  const stroke = color ?? trace.marker?.color ?? trace.line?.color ?? scene.look.primary;
  set(node, { d: paths.join(""), stroke, "stroke-width": thickness, fill: "none" });
}

function drawPoints(group, trace, points, scene, around) {
  const marker = trace.marker ?? {};
  const colours = colouring(marker, scene, around);
  const opacity = opacityOf(marker);
  set(group, { opacity: opacity === 1 ? null : opacity });
  const nodes = children(group, "path", points.length);
  points.forEach(([x, y], place) => {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return set(nodes[place], { d: "" });
    const { width, color } = marker.line ?? {};
    const outline = { width: at(width, place), color: at(color, place) };
    const size = at(marker.size, place) ?? 6;
    const angle = marker.angleref === "previous" && place ? heading(points[place - 1], [x, y]) : 0;
    return set(
      nodes[place],
      symbolPath(at(marker.symbol, place) ?? "circle", size, x, y, colours(place), outline, angle),
    );
  });
}

// Degrees by which an upright mark is turned to point from one place to the next.
const heading = ([x0, y0], [x1, y1]) =>
  Number.isFinite(x0) && Number.isFinite(y0) ? (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI + 90 : 0;

function drawTexts(group, trace, points, scene) {
  const nodes = children(group, "text", points.length);
  wordsOf(trace, points, scene).forEach(([measured, how], place) => write(nodes[place], measured, how));
}

/** The texts of a trace as `write` takes them: measured, and where and how they stand. */
function wordsOf(trace, points, scene) {
  const font = trace.textfont ?? {};
  return points.map(([x, y], place) => {
    const [up = "middle", side = "center"] = (at(trace.textposition, place) ?? "middle center").split(" ");
    const size = at(font.size, place) ?? scene.sizes.tick;
    const away = (trace.mode.includes("markers") ? (at(trace.marker?.size, place) ?? 6) / 2 : 0) + 3;
    const there = Number.isFinite(x) && Number.isFinite(y);
    return [scene.rule(there ? (at(trace.text, place) ?? "") : "", size), {
      x: (there ? x : 0) + ({ left: -away, right: away }[side] ?? 0),
      y: (there ? y : 0) + ({ top: -away, bottom: away }[up] ?? 0),
      size,
      anchor: { left: "end", right: "start" }[side] ?? "middle",
      align: { top: "bottom", bottom: "top" }[up] ?? "middle",
      colour: at(font.color, place) ?? scene.ink,
      shadow: font.shadow,
    }];
  });
}

/** Names that give way are not written over other words or a name before them, nor under marks of later traces. */
function giveWay(nodes, spec, scene, hidden) {
  const yields = ({ meta }) => meta === "gives way";
  if (!spec.data.some(yields)) return;
  const words = spec.data.map((trace) => {
    const written = (trace.type ?? "scatter") === "scatter" && trace.mode?.includes("text") && trace.text;
    return written && isShown(trace, spec, hidden) ? wordsOf(trace, pointsOf(trace, scene), scene).map(boxOf) : [];
  });
  const taken = words.filter((_, place) => !yields(spec.data[place])).flat();
  spec.data.forEach((trace, place) => {
    if (!yields(trace)) return;
    const texts = part(nodes[place], "texts").children;
    const later = spec.data.slice(place + 1).filter((one) => isShown(one, spec, hidden));
    const over = later.flatMap((one) => marksOf(one, scene));
    words[place].forEach((box, number) => {
      const free = !taken.some((other) => meet(box, other)) && !over.some((mark) => meet(box, mark));
      set(texts[number], { display: free ? null : "none" });
      if (free) taken.push(box);
    });
  });
}

/** The boxes of the marks of a trace that can be seen. */
function marksOf(trace, scene) {
  const marker = trace.marker ?? {};
  if ((trace.type ?? "scatter") !== "scatter" || !trace.mode?.includes("markers") || !opacityOf(marker)) return [];
  return pointsOf(trace, scene).map(([x, y], place) => {
    const half = (at(marker.size, place) ?? 6) / 2;
    return { left: x - half, top: y - half, right: x + half, bottom: y + half };
  });
}

function boxOf([{ width, height }, { x, y, anchor, align }]) {
  const left = x - { start: 0, middle: width / 2, end: width }[anchor];
  const top = y - { top: 0, middle: height / 2, bottom: height }[align];
  return { left, top, right: left + width, bottom: top + height };
}

const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function drawContour(node, trace, scene) {
  const x = scene.axes.get(trace.xaxis ?? "x");
  const y = scene.axes.get(trace.yaxis ?? "y");
  const [rows, columns] = [trace.z.length, trace.z[0].length];
  const across = Array.from({ length: columns }, (_, place) => x.pixel(trace.x ? trace.x[place] : place));
  const down = Array.from({ length: rows }, (_, place) => y.pixel(trace.y ? trace.y[place] : place));
  const { start, end, size } = trace.contours;
  const levels = [];
  for (let level = start; level <= end + 1e-9 * size; level += size) levels.push(level);
  const flat = new Float64Array(rows * columns);
  trace.z.forEach((line, row) => flat.set(line, row * columns));
  const paths = children(node, "path", levels.length);
  set(node, { "clip-path": clip(trace, scene) });
  levels.forEach((level, place) => {
    const shape = contours().size([columns, rows]).contour(flat, level);
    const style = trace.line ?? {};
    set(paths[place], {
      d: contourPath(shape.coordinates, across, down),
      fill: "none",
      stroke: style.color ?? scene.look.text,
      "stroke-width": style.width ?? 0.5,
      "stroke-dasharray": dashes(style.dash, style.width ?? 0.5),
    });
  });
}

// d3 counts in cells, whose middle is a half, and closes its rings along the border, where Plotly draws no line.
function contourPath(polygons, across, down) {
  const [wide, high] = [across.length, down.length];
  const onBorder = ([i, j]) => i <= 0.501 || j <= 0.501 || i >= wide - 0.501 || j >= high - 0.501;
  const pixel = (list, place) => {
    const c = Math.max(0, Math.min(list.length - 1, place - 0.5));
    const low = Math.min(Math.floor(c), list.length - 2);
    return list[low] + (c - low) * (list[low + 1] - list[low]);
  };
  const rings = polygons.flat().map((ring) =>
    ring.map((point, place) => {
      const gap = place > 0 && onBorder(point) && onBorder(ring[place - 1]);
      return { gap, where: [pixel(across, point[0]), pixel(down, point[1])] };
    }),
  );
  return rings
    .map((ring) => linePath(ring.flatMap(({ gap, where }) => (gap ? [[NaN, NaN], where] : [where]))))
    .join("");
}

function drawDialBars(node, trace, scene) {
  const polar = scene.polars.get(trace.subplot ?? "polar");
  const count = countOf(trace);
  const bars = children(node, "path", count);
  const foot = Math.max(0, polar.length(0));
  for (let place = 0; place < count; place += 1) {
    const middle = polar.angle(trace.theta[place]);
    const half = polar.half(at(trace.width, place) ?? 360 / count);
    const tip = Math.max(0, polar.length(trace.r[place]));
    set(bars[place], {
      // A bar without length is not even a line.
      d: round(tip) > round(foot) ? wedge(polar, foot, tip, middle - half, middle + half) : "",
      fill: at(trace.marker?.color, place) ?? scene.look.primary,
    });
  }
}

/** A piece of a ring. */
function wedge({ cx, cy }, inner, outer, from, to) {
  const point = (r, angle) => `${round(cx + r * Math.cos(angle))},${round(cy + r * Math.sin(angle))}`;
  const large = to - from > Math.PI ? 1 : 0;
  const [r, s] = [round(outer), round(inner)];
  const out = `M${point(outer, from)}A${r},${r} 0 ${large},1 ${point(outer, to)}`;
  return `${out}L${point(inner, to)}A${s},${s} 0 ${large},0 ${point(inner, from)}Z`;
}
