/** What is many and small, painted on the one canvas under the lines: heat maps, clouds of points, space. */

import { hasCorners, paintCells } from "./cells.js";
import { colouring, opacityOf, scaleOf, shadeAt } from "./colours.js";
import { paintGlobe } from "./globe.js";
import { pointsOf } from "./places.js";
import { edges } from "./ranges.js";
import { isShown } from "./scene.js";
import { inSpace, sceneId } from "./space.js";
import { at, sameEntries } from "./spec.js";
import { symbolPath } from "./symbols.js";

const onCanvas = (trace) => trace.type === "heatmap" || trace.type === "scattergl" || inSpace(trace);

/**
 * Heat maps, clouds of points and what lies in space, all on one canvas, if any of them changed or was turned.
 * `scale`: pixels of the canvas to one of the page; `stage.ground(context, scene)` paints what lies under all of it.
 */
export function paintCanvas(stage, spec, scene, state, memory, fresh, scale = Math.max(1, globalThis.devicePixelRatio || 1)) {
  const traces = spec.data.filter((trace) => onCanvas(trace) && isShown(trace, spec, state.hidden));
  if (!fresh && stage.painted && stage.turn === state.turn && sameEntries(stage.painted, traces)) return;
  Object.assign(stage, { painted: traces, turn: state.turn });
  const [wide, high] = traces.length ? [Math.round(scene.width * scale), Math.round(scene.height * scale)] : [0, 0];
  if (stage.canvas.width !== wide || stage.canvas.height !== high) {
    Object.assign(stage.canvas, { width: wide, height: high });
    Object.assign(stage.canvas.style, { width: `${scene.width}px`, height: `${scene.height}px` });
  }
  if (traces.length === 0) return;
  const context = stage.canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, scene.width, scene.height);
  stage.ground?.(context, scene);
  traces.forEach((trace, place) => {
    memory.images[place] ??= {};
    if (trace.type === "heatmap")
      paintHeat(context, trace, scene, memory.palette, memory.extents, memory.images[place]);
    else if (trace.type === "scattergl") paintCloud(context, trace, scene, memory);
  });
  for (const id of scene.spaces) {
    const within = traces.filter((trace) => inSpace(trace) && sceneId(trace) === id);
    paintGlobe(context, within, id, { ...memory, scene, turn: state.turn, store: (memory.globes[id] ??= {}) });
  }
}

function paintCloud(context, trace, scene, memory) {
  const marker = trace.marker ?? {};
  const { width, color } = marker.line ?? {};
  const colours = colouring(marker, scene, memory);
  context.save();
  clipTo(context, scene.axes.get(trace.xaxis ?? "x"), scene.axes.get(trace.yaxis ?? "y"));
  context.globalAlpha = opacityOf(marker) * (trace.opacity ?? 1);
  pointsOf(trace, scene).forEach(([x, y], place) => {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    const outline = { width: at(width, place), color: at(color, place) };
    const symbol = at(marker.symbol, place) ?? "circle";
    const size = at(marker.size, place) ?? 6;
    const mark = symbolPath(symbol, size, x, y, colours(place), outline);
    // Most marks are circles, and reading an outline takes four times as long as drawing one.
    const path = symbol === "circle" ? circle(x, y, size / 2) : new Path2D(mark.d);
    if (mark.fill !== "none") {
      context.fillStyle = mark.fill;
      context.fill(path);
    }
    if (mark.stroke !== "none") {
      context.strokeStyle = mark.stroke;
      context.lineWidth = mark["stroke-width"];
      context.stroke(path);
    }
  });
  context.restore();
}

function circle(x, y, radius) {
  const path = new Path2D();
  path.arc(x, y, radius, 0, 2 * Math.PI);
  return path;
}

/**
 * Paint a heat map. Where its cells are of one size on the screen it is one small picture, stretched; else each cell
 * is a rectangle, or has its own corners.
 */
function paintHeat(context, trace, scene, palette, extents, store) {
  const x = scene.axes.get(trace.xaxis ?? "x");
  const y = scene.axes.get(trace.yaxis ?? "y");
  const ends = scaleOf(trace, trace.z, scene.layout, extents);
  const { words } = palette(ends.scale, ends.reversed);
  context.save();
  clipTo(context, x, y);
  context.globalAlpha = trace.opacity ?? 1;
  context.imageSmoothingEnabled = false;
  if (hasCorners(trace)) paintCells(context, trace, x, y, ends, words, store);
  else paintRows(context, trace, x, y, ends, words, store);
  context.restore();
}

function paintRows(context, trace, x, y, ends, words, store) {
  const [rows, columns] = [trace.z.length, trace.z[0].length];
  const across = edges(trace.x, columns, x.log).map(x.toPixel);
  const down = edges(trace.y, rows, y.log).map(y.toPixel);
  const image = small(trace.z, rows, columns, ends, words, store);
  if (even(across) && even(down)) {
    const [left, right, top, bottom] = [across[0], across.at(-1), down[0], down.at(-1)];
    context.translate(left, top);
    context.scale((right - left) / columns, (bottom - top) / rows);
    context.drawImage(image, 0, 0);
  } else {
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        context.drawImage(image, column, row, 1, 1, ...cell(across, column), ...cell(down, row));
      }
    }
  }
}

const cell = (ends, place) => ends.slice(place, place + 2);

function clipTo(context, x, y) {
  context.beginPath();
  context.rect(x.ends[0], y.ends[1], x.ends[1] - x.ends[0], y.ends[0] - y.ends[1]);
  context.clip();
}

function even(ends) {
  const step = (ends.at(-1) - ends[0]) / (ends.length - 1);
  return ends.every((end, place) => Math.abs(end - ends[0] - place * step) < 0.25);
}

function small(z, rows, columns, ends, words, store) {
  const key = `${ends.low}|${ends.high}`;
  if (store.z === z && store.words === words && store.key === key) return store.image;
  const image =
    store.image?.width === columns && store.image.height === rows ? store.image : document.createElement("canvas");
  if (image !== store.image) Object.assign(image, { width: columns, height: rows });
  const context = image.getContext("2d");
  const pixels = context.createImageData(columns, rows);
  const out = new Uint32Array(pixels.data.buffer);
  for (let row = 0; row < rows; row += 1) {
    const line = z[row];
    for (let column = 0; column < columns; column += 1) {
      const value = line[column];
      // What is no number is left transparent.
      if (typeof value === "number" && value === value) out[row * columns + column] = words[shadeAt(value, ends)];
    }
  }
  context.putImageData(pixels, 0, 0);
  return Object.assign(store, { z, words, key, image }).image;
}
