/** Pictures in space, on the canvas: shaded surfaces, and marks before and behind them. */

import { scaleOf } from "./colours.js";
import { makeScreen, paintGrid } from "./raster.js";
import { flattened, radiusOf, seen, spaceOf } from "./space.js";
import { at } from "./spec.js";
import { symbolPath } from "./symbols.js";

// From over the reader's left shoulder: right, top, towards the reader.
const LAMP = unit([-0.5, 0.75, 1]);
const LIGHTING = { ambient: 0.8, diffuse: 0.8, specular: 0.05, roughness: 0.5 };
// Plotly draws marks in space larger than it says, and than there is room for: by three.
export const LARGER = 2.3;

/** Paint what lies in one scene of a layout. `store` keeps its pixels from one painting to the next. */
export function paintGlobe(context, traces, name, { scene, turn, palette, extents, store }) {
  const options = scene.layout[name];
  const space = spaceOf(options, scene.plot, turn);
  const surfaces = traces.filter((trace) => trace.type === "surface");
  const front = surfaces.length ? paintSurfaces(surfaces, space, context, scene, palette, extents, store) : null;
  const marks = traces.filter((trace) => trace.type === "scatter3d");
  const sorted = marks.flatMap((trace) => marksOf(trace, space, scene, front));
  // From the back to the front; what is behind a surface, before it is painted over.
  sorted.sort((one, other) => one.near - other.near);
  context.save();
  const { x, y, width, height } = space.area;
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  const outlines = new Map();
  for (const mark of sorted) if (mark.behind) paintMark(context, mark, outlines);
  if (front) context.drawImage(...front.place);
  for (const mark of sorted) if (!mark.behind) paintMark(context, mark, outlines);
  context.restore();
  return space;
}

function paintSurfaces(surfaces, space, context, scene, palette, extents, store) {
  const scale = context.getTransform().a;
  // Edges are smooth since each pixel is the mean of four, where pixels are large enough to be told apart.
  const fine = scale < 2 ? 2 * scale : scale;
  const grids = surfaces.map((trace) => gridOf(trace, space));
  const { left, top, right, bottom } = around(grids, space.area);
  const [width, height] = [Math.ceil((right - left) * fine), Math.ceil((bottom - top) * fine)];
  if (!(width > 0 && height > 0)) return null;
  const screen = makeScreen(width, height, store.screen);
  surfaces.forEach((trace, index) => {
    const grid = grids[index];
    for (let place = 0; place < grid.at.length; place += 3) {
      grid.at[place] = (grid.at[place] - left) * fine;
      grid.at[place + 1] = (grid.at[place + 1] - top) * fine;
    }
    const ends = scaleOf(trace, trace.surfacecolor ?? trace.z, scene.layout, extents);
    paintGrid(screen, grid, palette(ends.scale, ends.reversed).words, ends);
  });
  store.screen = screen;
  store.picture ??= document.createElement("canvas");
  if (store.picture.width !== width || store.picture.height !== height)
    Object.assign(store.picture, { width, height });
  store.picture.getContext("2d").putImageData(screen.image, 0, 0);
  const nearness = (x, y) => {
    const [column, row] = [Math.floor((x - left) * fine), Math.floor((y - top) * fine)];
    return column >= 0 && column < width && row >= 0 && row < height ? screen.near[row * width + column] : -Infinity;
  };
  return { place: [store.picture, left, top, width / fine, height / fine], nearness };
}

/** The part of an area that surfaces lie in, in whole pixels. */
function around(grids, { x, y, width, height }) {
  const box = { left: x + width, top: y + height, right: x, bottom: y };
  for (const { at: where } of grids) {
    for (let place = 0; place < where.length; place += 3) {
      if (where[place] < box.left) box.left = where[place];
      if (where[place] > box.right) box.right = where[place];
      if (where[place + 1] < box.top) box.top = where[place + 1];
      if (where[place + 1] > box.bottom) box.bottom = where[place + 1];
    }
  }
  return {
    left: Math.floor(Math.max(x, box.left)),
    top: Math.floor(Math.max(y, box.top)),
    right: Math.ceil(Math.min(x + width, box.right)),
    bottom: Math.ceil(Math.min(y + height, box.bottom)),
  };
}

function gridOf(trace, space) {
  const [x, y, z] = [trace.x, trace.y, trace.z].map(flattened);
  const [rows, columns] = [trace.z.length, trace.z[0].length];
  const radius = radiusOf(x, y, z);
  const apart = (one, other) => Math.hypot(x[one] - x[other], y[one] - y[other], z[one] - z[other]);
  const round = !Number.isNaN(radius) && isFine(rows, columns, apart, radius / 2);
  const whole = round && isClosed(rows, columns, apart, radius / 1000);
  const hidden = new Uint8Array(x.length);
  const values = trace.surfacecolor ? flattened(trace.surfacecolor) : z;
  const [light, shine] = [new Float64Array(x.length), new Float64Array(x.length)];
  const lighting = { ...LIGHTING, ...trace.lighting };
  // Where it is lit most, a surface has its own colour, and what it mirrors on top.
  const brightest = Math.max(1, lighting.ambient + lighting.diffuse + lighting.specular);
  const { middles, lengths, right, top, viewer, away } = space;
  for (let place = 0; place < x.length; place += 1) {
    const upright = round
      ? [x[place] * lengths[0], y[place] * lengths[1], z[place] * lengths[2]]
      : across(place, rows, columns, x, y, z, lengths);
    if (whole) {
      const level = radius ** 2 - dot([x[place], y[place], z[place]], middles);
      hidden[place] = Number(dot(upright, viewer) < level / away);
    }
    const normal = unit([dot(upright, right), dot(upright, top), dot(upright, viewer)]);
    // Both sides of a surface are lit as they are seen.
    const way = Math.sign(normal[2]) || 1;
    const facing = Math.max(0, way * dot(normal, LAMP));
    light[place] = (lighting.ambient + lighting.diffuse * facing) / brightest;
    const mirrored = Math.max(0, 2 * facing * way * normal[2] - LAMP[2]);
    const highlight = lighting.specular * mirrored ** (2 / lighting.roughness ** 2);
    shine[place] = Math.min(1 - light[place], highlight);
  }
  return { rows, columns, at: seen(space, x, y, z), values, light, shine, hidden };
}

/** Whether rows of points go all the way round a ball, from pole to pole: nothing of its far side is to be seen then. */
function isClosed(rows, columns, apart, least) {
  const same = (one, other) => apart(one, other) < least;
  const last = columns * (rows - 1);
  for (let row = 0; row < rows; row += 1) if (!same(row * columns, (row + 1) * columns - 1)) return false;
  for (let column = 0; column < columns; column += 1) {
    if (!same(0, column) || !same(last, last + column)) return false;
  }
  return true;
}

/** Whether neighbours are so near that the surface between them is where they are: the corners of a box lie on a ball. */
function isFine(rows, columns, apart, most) {
  for (let place = 0; place < rows * columns; place += 1) {
    if (place % columns && apart(place, place - 1) > most) return false;
    if (place >= columns && apart(place, place - columns) > most) return false;
  }
  return true;
}

// Upright on a surface: on the way to the next column and on the way to the next row.
function across(place, rows, columns, x, y, z, lengths) {
  const [row, column] = [Math.floor(place / columns), place % columns];
  const along = place + (column + 1 < columns ? 1 : 0);
  const before = place - (column > 0 ? 1 : 0);
  const under = place + (row + 1 < rows ? columns : 0);
  const over = place - (row > 0 ? columns : 0);
  const way = (to, from) => [x, y, z].map((list, axis) => (list[to] - list[from]) / lengths[axis]);
  const [[a, b, c], [d, e, f]] = [way(along, before), way(under, over)];
  return [b * f - c * e, c * d - a * f, a * e - b * d];
}

function dot(one, other) {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

function unit(way) {
  const long = Math.hypot(...way) || 1;
  return way.map((part) => part / long);
}

function marksOf(trace, space, scene, front) {
  const marker = trace.marker ?? {};
  const where = seen(space, trace.x, trace.y, trace.z);
  return Array.from(trace.x, (_, place) => {
    const [x, y, near] = where.slice(3 * place, 3 * place + 3);
    const surface = front?.nearness(x, y) ?? -Infinity;
    // Beside all surfaces, what is in the back half is behind them.
    const behind = surface === -Infinity ? near < 0 : surface > near;
    const size = LARGER * (at(marker.size, place) ?? 8);
    const colour = at(marker.color, place) ?? scene.look.primary;
    const symbol = at(marker.symbol, place) ?? "circle";
    const alpha = (marker.opacity ?? 1) * (trace.opacity ?? 1);
    return { x, y, near, behind, size, colour, symbol, alpha, outline: marker.line };
  }).filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
}

function paintMark(context, { x, y, size, colour, symbol, alpha, outline }, outlines) {
  const { d, fill, stroke, "stroke-width": width } = symbolPath(symbol, size, 0, 0, colour, outline);
  if (!outlines.has(d)) outlines.set(d, new Path2D(d));
  const path = outlines.get(d);
  context.save();
  context.translate(x, y);
  context.globalAlpha = alpha;
  if (fill !== "none") {
    context.fillStyle = fill;
    context.fill(path);
  }
  if (stroke !== "none" && width > 0) {
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.stroke(path);
  }
  context.restore();
}
