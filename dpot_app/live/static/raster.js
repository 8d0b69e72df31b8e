/** Surfaces pixel by pixel: what is nearer hides what is behind. */

import { shadeAt } from "./colours.js";

// Pixels on an edge belong to both of its sides: no gaps.
const EDGE = 1e-4;
const BITS = 16;
const WHOLE = 1 << BITS;

/** An empty screen of so many pixels: their colours, and how near what they show is. The old one is used again. */
export function makeScreen(width, height, old) {
  const count = width * height;
  const room = old?.near.length >= count ? old : { buffer: new ArrayBuffer(4 * count), near: new Float32Array(count) };
  const words = new Int32Array(room.buffer, 0, count).fill(0);
  room.near.fill(-Infinity, 0, count);
  const image = new ImageData(new Uint8ClampedArray(room.buffer, 0, 4 * count), width, height);
  return { width, height, image, words, near: room.near, buffer: room.buffer };
}

/**
 * Paint a grid of points as quadrilaterals.
 * @param {object} screen
 * @param {{rows: number, columns: number, at: Float64Array, values: Float64Array, light: Float64Array,
 *   shine: Float64Array, hidden: Uint8Array}} grid `at`: pixels and nearness; `light`: share of its colour that a point
 *   has; `shine`: of white on top of it, together at most 1; `hidden`: whether it is known to be behind others
 * @param {Uint32Array} words of the colour scale
 * @param {{low: number, high: number}} ends of the scale
 */
export function paintGrid(screen, grid, words, ends) {
  const { rows, columns, at, hidden } = grid;
  // The nearer half first: what lies behind it is then only looked at.
  for (const nearer of [true, false]) {
    for (let row = 0; row + 1 < rows; row += 1) {
      for (let column = 0; column + 1 < columns; column += 1) {
        const a = row * columns + column;
        const d = a + columns + 1;
        if (hidden[a] && hidden[a + 1] && hidden[a + columns] && hidden[d]) continue;
        if (at[3 * a + 2] + at[3 * d + 2] > 0 !== nearer) continue;
        paintTriangle(screen, grid, words, ends, a, a + 1, a + columns);
        paintTriangle(screen, grid, words, ends, a + 1, a + columns, d);
      }
    }
  }
}

// Written without lists: it runs seven thousand times for a picture, which has to be there within a frame.
function paintTriangle(screen, grid, words, ends, a, b, c) {
  const { at, values, light, shine } = grid;
  const { width, near, words: pixels } = screen;
  const ax = at[3 * a];
  const ay = at[3 * a + 1];
  const ux = at[3 * b] - ax;
  const uy = at[3 * b + 1] - ay;
  const vx = at[3 * c] - ax;
  const vy = at[3 * c + 1] - ay;
  const area = ux * vy - uy * vx;
  // Also where a number is missing.
  if (!(Math.abs(area) > 1e-9)) return;

  // The corners from the highest to the lowest.
  let topX = ax;
  let topY = ay;
  let midX = ax + ux;
  let midY = ay + uy;
  let lowX = ax + vx;
  let lowY = ay + vy;
  if (midY < topY) [topX, topY, midX, midY] = [midX, midY, topX, topY];
  if (lowY < midY) [midX, midY, lowX, lowY] = [lowX, lowY, midX, midY];
  if (midY < topY) [topX, topY, midX, midY] = [midX, midY, topX, topY];
  const first = Math.max(0, Math.ceil(topY - 0.5 - EDGE));
  const last = Math.min(screen.height - 1, Math.floor(lowY - 0.5 + EDGE));
  if (first > last) return;
  const long = (lowX - topX) / (lowY - topY);
  const upper = midY > topY ? (midX - topX) / (midY - topY) : 0;
  const lower = lowY > midY ? (lowX - midX) / (lowY - midY) : 0;

  // What changes evenly: how it grows to the right and down. Colours are counted in whole numbers, which is faster.
  const across = (u, v) => (u * vy - v * uy) / area;
  const down = (u, v) => (v * ux - u * vx) / area;
  const nearU = at[3 * b + 2] - at[3 * a + 2];
  const nearV = at[3 * c + 2] - at[3 * a + 2];
  const nearX = across(nearU, nearV);
  const nearY = down(nearU, nearV);
  const valueX = across(values[b] - values[a], values[c] - values[a]);
  const valueY = down(values[b] - values[a], values[c] - values[a]);
  const lightX = across(light[b] - light[a], light[c] - light[a]);
  const lightY = down(light[b] - light[a], light[c] - light[a]);
  const shineX = across(shine[b] - shine[a], shine[c] - shine[a]);
  const shineY = down(shine[b] - shine[a], shine[c] - shine[a]);
  const litStep = Math.round(WHOLE * lightX) | 0;
  const whiteStep = Math.round(255 * WHOLE * shineX) | 0;
  const even = valueX === 0 && valueY === 0;
  let word = words[shadeAt(values[a], ends)] | 0;

  for (let row = first; row <= last; row += 1) {
    const y = Math.max(topY, Math.min(lowY, row + 0.5));
    const one = topX + long * (y - topY);
    const other = y < midY ? topX + upper * (y - topY) : midX + lower * (y - midY);
    const start = Math.max(0, Math.ceil(Math.min(one, other) - 0.5 - EDGE));
    const end = Math.min(width - 1, Math.floor(Math.max(one, other) - 0.5 + EDGE));
    const dx = start + 0.5 - ax;
    const dy = row + 0.5 - ay;
    let here = at[3 * a + 2] + nearX * dx + nearY * dy;
    let lit = Math.round(WHOLE * (light[a] + lightX * dx + lightY * dy)) | 0;
    // Half a step more, for rounding.
    let white = Math.round(WHOLE * (255 * (shine[a] + shineX * dx + shineY * dy) + 0.5)) | 0;
    const to = row * width + end;
    for (let place = row * width + start; place <= to; place += 1) {
      if (here > near[place]) {
        near[place] = here;
        if (!even) {
          const right = place - row * width + 0.5 - ax;
          word = words[shadeAt(values[a] + valueX * right + valueY * dy, ends)] | 0;
        }
        // Red is the lowest byte.
        pixels[place] =
          (word & 0xff000000) |
          (((((word >>> 16) & 255) * lit + white) >> BITS) << 16) |
          (((((word >>> 8) & 255) * lit + white) >> BITS) << 8) |
          (((word & 255) * lit + white) >> BITS);
      }
      here += nearX;
      lit += litStep;
      white += whiteStep;
    }
  }
}
