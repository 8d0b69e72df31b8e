/** Cells of a map whose corners lie anywhere, as a city's do in Mercator's projection: `x` and `y` are tables of them. */

import { makeScreen, paintGrid } from "./raster.js";
import { isList } from "./spec.js";

/** Whether a heat map says where the corners of its cells are, not the middles of its rows and columns. */
export const hasCorners = (trace) => isList(trace.x?.[0]);

/** Paint them pixel by pixel: see-through cells whose edges were smooth would leave lines between them. */
export function paintCells(context, trace, x, y, ends, words, store) {
  const fine = context.getTransform().a;
  const [left, top] = [x.ends[0], y.ends[1]];
  const [width, height] = [x.ends[1] - left, y.ends[0] - top].map((long) => Math.ceil(long * fine));
  const screen = makeScreen(width, height, store.screen);
  paintGrid(screen, gridOf(trace, x, y, left, top, fine), words, ends);
  store.screen = screen;
  store.picture ??= document.createElement("canvas");
  Object.assign(store.picture, { width, height });
  store.picture.getContext("2d").putImageData(screen.image, 0, 0);
  context.drawImage(store.picture, left, top, width / fine, height / fine);
}

/** As `paintGrid` takes it: each cell has four corners of its own, since its colour is that of no neighbour. */
function gridOf({ x: across, y: down, z }, x, y, left, top, fine) {
  const [rows, columns] = [2 * z.length, 2 * z[0].length];
  const count = rows * columns;
  const [at, values] = [new Float64Array(3 * count), new Float64Array(count)];
  const [light, shine, hidden] = [new Float64Array(count).fill(1), new Float64Array(count), new Uint8Array(count)];
  for (let place = 0; place < count; place += 1) {
    const [row, column] = [Math.floor(place / columns), place % columns];
    const [i, j] = [(row + 1) >> 1, (column + 1) >> 1];
    at[3 * place] = (x.toPixel(across[i][j]) - left) * fine;
    at[3 * place + 1] = (y.toPixel(down[i][j]) - top) * fine;
    values[place] = z[row >> 1][column >> 1] ?? NaN;
    hidden[place] = Number(Number.isNaN(values[place]));
  }
  return { rows, columns, at, values, light, shine, hidden };
}

/** Row and column of the cell that a place on the axes lies in; null where there is none. */
export function cellWith({ x, y, z }, east, north) {
  const side = (i, j, k, l) => (x[k][l] - x[i][j]) * (north - y[i][j]) - (y[k][l] - y[i][j]) * (east - x[i][j]);
  for (let i = 0; i < z.length; i += 1) {
    for (let j = 0; j < z[i].length; j += 1) {
      const sides = [side(i, j, i, j + 1), side(i, j + 1, i + 1, j + 1), side(i + 1, j + 1, i + 1, j), side(i + 1, j, i, j)];
      if (sides.every((one) => one >= 0) || sides.every((one) => one <= 0)) return [i, j];
    }
  }
  return null;
}
