/** Where an axis is marked and how its numbers are written: Plotly's rules, so that both draw the same ticks. */

import { format } from "./d3.js";
import { isList } from "./spec.js";

const STEPS = [2, 5, 10];
const MINUS = "−";
const PREFIXES = { "-12": "p", "-9": "n", "-6": "μ", "-3": "m", 3: "k", 6: "M", 9: "B", 12: "T" };

/**
 * Ticks of an axis: `[{at, text, scale}]`, `at` on the axis's own scale (logarithms on a logarithmic one).
 * @param {{log: boolean, range: number[], length: number, letter: string, options: object}} axis
 * @param {number} fewer by which factor there are to be fewer of them, for want of room
 */
export function ticksOf(axis, fewer = 1) {
  const { options } = axis;
  if (isList(options.tickvals)) return given(axis, fewer);
  const [low, high] = [Math.min(...axis.range), Math.max(...axis.range)];
  if (!(high > low)) return [];
  const most = options.nticks || clamp(axis.length / (axis.letter === "y" ? 40 : 80), 4, 9) + 1;
  const rough = ((high - low) / most) * fewer;
  return axis.log ? logarithmic(axis, low, high, rough, fewer) : linear(axis, low, high, rough, fewer);
}

function given({ options, log, range }, fewer) {
  const [low, high] = [Math.min(...range), Math.max(...range)];
  const slack = 1e-6 * (high - low);
  const all = Array.from(options.tickvals, (value, place) => ({
    at: log ? Math.log10(value) : value,
    text: options.ticktext?.[place] ?? labelled(value, options),
  }));
  const inside = all.filter(({ at }) => at >= low - slack && at <= high + slack);
  return inside.filter((_, place) => place % Math.ceil(fewer) === 0);
}

function linear({ options }, low, high, rough, fewer) {
  const step = options.dtick ? options.dtick * Math.ceil(fewer) : rounded(rough);
  const start = options.dtick ? (options.tick0 ?? 0) : 0;
  const digits = Math.max(0, 2 - Math.floor(Math.log10(step) + 0.01));
  const exponent = thousands(low, high);
  return stepped(low, high, step, start).map((at) => ({
    at,
    text: options.tickformat ? labelled(at, options) : affixed(plainNumber(at, exponent, digits), options),
  }));
}

function rounded(rough) {
  const base = 10 ** Math.floor(Math.log10(rough));
  return base * (STEPS.find((step) => step > rough / base) ?? 10);
}

function stepped(low, high, step, start) {
  const slack = 1e-6 * (high - low);
  const found = [];
  const first = Math.ceil((low - slack - start) / step);
  for (let count = first; start + count * step <= high + slack && found.length < 1000; count += 1) {
    found.push(Number((start + count * step).toPrecision(12)));
  }
  return found;
}

function logarithmic({ options }, low, high, rough, fewer) {
  const span = high - low;
  if (typeof options.dtick === "number" || (!options.dtick && rough > 0.7)) {
    const step = (options.dtick ?? 1) * Math.ceil(options.dtick ? fewer : rough);
    return stepped(low, high, step, 0).map((at) => ({ at, ...power(at, options) }));
  }
  if (span < 1 && !options.dtick) {
    const [from, to] = [10 ** low, 10 ** high];
    const ticks = linear({ options }, from, to, ((to - from) / span) * rough, fewer);
    return ticks.filter(({ at }) => at > 0).map(({ at, text }) => ({ at: Math.log10(at), text }));
  }
  const digits = options.dtick === "D2" || rough > 0.3 ? [1, 2, 5] : [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const found = [];
  for (let decade = Math.floor(low); decade <= high; decade += 1) {
    for (const digit of digits) {
      const at = decade + Math.log10(digit);
      if (at < low - 1e-9 || at > high + 1e-9) continue;
      const named = digits.length === 3 || fewer === 1 || [1, 2, 5].includes(digit);
      found.push(digit === 1 ? { at, ...power(at, options) } : { at, text: named ? String(digit) : "", scale: 0.75 });
    }
  }
  return found;
}

function power(at, options) {
  if (options.tickformat) return { text: labelled(10 ** at, options) };
  const exponent = Math.round(at);
  if (options.exponentformat === "power" || Math.abs(exponent) > 12) {
    if (exponent === 0 || exponent === 1) return { text: String(10 ** exponent), scale: 1.25 };
    return { text: `10<sup>${exponent < 0 ? MINUS : ""}${Math.abs(exponent)}</sup>`, scale: 1.25 };
  }
  return { text: affixed(plainNumber(10 ** at, thousands(10 ** at, 10 ** at), 15), options) };
}

// Numbers are written out, as everywhere on the page; those beyond a few million or millionths with a prefix.
function thousands(low, high) {
  const exponent = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high))) + 0.01);
  if (Math.abs(exponent) <= 6) return 0;
  return clamp(3 * Math.round((exponent - 1) / 3), -12, 12);
}

function plainNumber(value, exponent, digits) {
  const scaled = value / 10 ** exponent;
  let text = Math.abs(scaled).toFixed(clamp(digits + exponent, 0, 15));
  if (text.includes(".")) text = text.replace(/\.?0+$/, "");
  if (text === "0") return "0";
  return `${value < 0 ? MINUS : ""}${grouped(text)}${PREFIXES[exponent] ?? ""}`;
}

/** Digits with a comma before every three of the whole part. */
const grouped = (text) => text.replace(/^\d{4,}/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));

function labelled(value, options) {
  const text = options.tickformat ? format(options.tickformat)(value) : free(value);
  return affixed(text, options);
}

const affixed = (text, { tickprefix = "", ticksuffix = "" }) => `${tickprefix}${text}${ticksuffix}`;

/** A number as it comes, without the noise of binary fractions. */
export function free(value) {
  if (typeof value !== "number") return String(value ?? "");
  const text = String(Number(Math.abs(value).toPrecision(7)));
  return `${value < 0 ? MINUS : ""}${grouped(text).replace("-", MINUS)}`;
}

export const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
