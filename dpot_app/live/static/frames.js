// Frames: what stands on the screen at every value of one setting, read line by line as the server computes them.

import { below } from "./root.js";

const ARRAYS = { f4: Float32Array, f8: Float64Array, i1: Int8Array, u1: Uint8Array, i2: Int16Array, u2: Uint16Array,
  i4: Int32Array, u4: Uint32Array };

/** A figure's dictionaries with its arrays as typed arrays; what is no array stays. */
export function decode(value) {
  if (Array.isArray(value)) return value.some(isObject) ? value.map(decode) : value;
  if (!isObject(value) || ArrayBuffer.isView(value)) return value;
  if (typeof value.bdata === "string") return array(value);
  if (typeof value.differences === "string") return table(value);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, decode(part)]));
}

/** Whether two values from JSON are equal: what Python draws again is mostly what stands there. */
export function same(one, other) {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && same(one[key], other[key]));
}

function isObject(value) {
  return value !== null && typeof value === "object";
}

function array({ bdata, dtype, shape }) {
  const text = atob(bdata);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const flat = new ARRAYS[dtype](bytes.buffer);
  if (!shape || !String(shape).includes(",")) return flat;
  const columns = Number(String(shape).split(",")[1]);
  return Array.from({ length: flat.length / columns }, (_, row) => flat.subarray(row * columns, (row + 1) * columns));
}

/** Rows of numbers from the differences between neighbours, as `differences` in frames.py writes them. */
function table({ differences, low, step, columns }) {
  const steps = new Int32Array(columns);
  return Array.from({ length: differences.length / columns }, (_, row) => {
    const numbers = new Float32Array(columns);
    let along = 0;
    for (let column = 0; column < columns; column += 1) {
      const number = differences.charCodeAt(row * columns + column) - 93;
      along += number % 2 ? -(number + 1) / 2 : number / 2;
      steps[column] += along;
      numbers[column] = low + step * steps[column];
    }
    return numbers;
  });
}

/** `value` with the changes put in: what did not change is the same object as before. */
export function changed(value, changes) {
  const fresh = new Set();
  const own = (part) => {
    if (fresh.has(part)) return part;
    const copy = Array.isArray(part) ? part.slice() : { ...part };
    fresh.add(copy);
    return copy;
  };
  const root = own(value);
  for (const [path, put] of changes) {
    let part = root;
    path.slice(0, -1).forEach((key) => { part = part[key] = own(part[key]); });
    part[path.at(-1)] = decode(put);
  }
  return root;
}

/** The screens of one setting, filled as they arrive. */
export class Frames {
  constructor(address, onFrame = () => {}) {
    this.screens = new Map();
    this.complete = false;
    this._first = null;
    this._onFrame = onFrame;
    this._stop = new AbortController();
    if (address) this.ready = this._read(address);
  }

  /** What stands at a place of the slider; undefined while it is not known, null where there is nothing. */
  get(place) {
    return this.screens.get(place);
  }

  add(line) {
    if (line.none) this.screens.set(line.place, null);
    else if (line.screen) this.screens.set(line.place, this._first = decode(line.screen));
    else this.screens.set(line.place, changed(this._first, line.changes));
    this._onFrame(line.place);
  }

  stop() {
    this._stop.abort();
  }

  async _read(address) {
    try {
      const answer = await fetch(below(address), { signal: this._stop.signal });
      if (!answer.ok) return;
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        const lines = (rest + value).split("\n");
        rest = lines.pop();
        for (const line of lines) if (line) this.add(JSON.parse(line));
      }
      this.complete = true;
    } catch (problem) {
      // A stream that was abandoned, or a server that went away: such values take the ordinary way.
      if (problem.name !== "AbortError" && !(problem instanceof TypeError)) throw problem;
    }
  }
}
