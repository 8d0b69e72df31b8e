/** The legend under a picture: its rows, and which traces are put away. */

import { LARGER } from "./globe.js";
import { isAway, legendKey } from "./scene.js";
import { inSpace } from "./space.js";
import { SVG, children, round, set, write } from "./text.js";
import { symbolPath } from "./symbols.js";
import { dashes } from "./lines.js";

const KEY = 40;
const AFTER = 10;

/** Entries of a legend with their places, or null where there is none. */
export function legendOf(spec, { width, rule, look }) {
  const named = spec.data.filter((trace) => trace.visible !== false && listed(trace));
  const asked = spec.layout.showlegend ?? (named.length > 1 || spec.data.some((trace) => trace.showlegend === true));
  if (!asked || named.length === 0) return null;
  // From top to bottom as they lie in the picture, where one is filled down to the next.
  if (named.some((trace) => trace.fill === "tonexty")) named.reverse();
  const entries = named.map((trace) => {
    const whole = rule(trace.name ?? "", look.size).width;
    // A name that is longer than the picture is wide is set smaller.
    const size = look.size * Math.min(1, (width - KEY - 2) / whole);
    const label = rule(trace.name ?? "", size);
    return { trace, key: legendKey(trace, spec), label, size, width: KEY + label.width + AFTER };
  });
  const line = look.size * 1.3 + 4;
  const total = entries.reduce((sum, entry) => sum + entry.width, 0);
  const column = Math.max(...entries.map((entry) => entry.width));
  const columns = Math.max(1, Math.floor(width / column));
  const rows = total > width;
  let left = 0;
  entries.forEach((entry, place) => {
    entry.x = rows ? (place % columns) * column : left;
    entry.y = rows ? Math.floor(place / columns) * line : 0;
    left += entry.width;
  });
  return { entries, line, wide: rows ? width : total, height: entries.at(-1).y + line + 10 };
}

const words = ({ lines }) => lines.map((runs) => runs.map(({ text }) => text).join("")).join(" ");

function listed(trace) {
  if (trace.showlegend === false) return false;
  return ["heatmap", "contour", "surface"].includes(trace.type) ? trace.showlegend === true : true;
}

/** Draw it; `onToggle(key)` is told which entry was clicked. */
export function drawLegend(group, scene, hidden, onToggle) {
  const entries = scene.legend?.entries ?? [];
  const top = scene.height - (scene.legend?.height ?? 0) + 6;
  // In line with the panels where there is room for that.
  const left = scene.legend ? Math.max(0, Math.min(scene.plot.l, scene.width - scene.legend.wide)) : 0;
  const nodes = children(group, "g", entries.length);
  entries.forEach((entry, place) => {
    const node = nodes[place];
    const middle = top + entry.y + scene.legend.line / 2;
    const off = isAway(entry.trace, entry.key, hidden);
    set(node, { class: "legend-entry", opacity: off ? 0.45 : 1, style: "cursor:pointer", tabindex: 0 });
    set(node, { role: "button", "aria-pressed": !off, "aria-label": words(entry.label) });
    node.onclick = () => onToggle(entry.key);
    node.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      onToggle(entry.key);
    };
    drawKey(node, entry, left + entry.x, middle, scene.look, scene.layout.legend?.itemsizing === "constant");
    write(node.lastElementChild, entry.label, {
      x: left + entry.x + KEY,
      y: middle,
      size: round(entry.size),
      anchor: "start",
      colour: scene.look.text,
    });
  });
}

// A box that takes the click, what is filled, the line, the mark, and behind them the text.
function drawKey(node, { trace, width }, x, middle, look, constant) {
  if (node.childElementCount === 0) {
    for (const tag of ["rect", "path", "path", "path", "text"]) {
      node.append(document.createElementNS(SVG, tag));
    }
  }
  const [box, ground, line, mark] = node.children;
  set(box, { x: round(x), y: round(middle - 9), width: round(width - 4), height: 18, fill: "transparent" });
  const isBar = trace.type === "bar" || trace.type === "barpolar";
  const mode = isBar ? "" : (trace.mode ?? "lines");
  const fills = trace.fill && trace.fill !== "none";
  const style = trace.line ?? {};
  const drawn = mode.includes("lines") && (style.width ?? 2) > 0;
  const rise = fills ? -3 : 0;
  set(ground, {
    d: fills ? `M${round(x + 5)},${round(middle + rise)}h30v6h-30z` : "",
    fill: trace.fillcolor ?? "none",
  });
  set(line, {
    d: drawn ? `M${round(x + 5)},${round(middle + rise)}h30` : "",
    stroke: drawn ? (style.color ?? look.primary) : "none",
    "stroke-width": Math.min(style.width ?? 2, 10),
    "stroke-dasharray": dashes(style.dash, style.width ?? 2),
    fill: "none",
  });
  set(mark, keyMark(trace, isBar, mode, x + 20, middle, look, constant));
}

function keyMark(trace, isBar, mode, x, y, look, constant) {
  const { marker = {} } = trace;
  const one = (value, other) =>
    typeof value === "string" || typeof value === "number" ? value : (value?.[0] ?? other);
  if (isBar)
    return {
      d: `M${round(x - 6)},${round(y - 6)}h12v12h-12z`,
      fill: one(marker.color, look.primary),
      stroke: null,
      "stroke-width": null,
    };
  if (!mode.includes("markers")) return { d: "", fill: null, stroke: null, "stroke-width": null };
  const larger = inSpace(trace) ? LARGER : 1;
  const size = constant ? 16 : Math.max(2, Math.min(16, larger * one(marker.size, 6)));
  const symbol = one(marker.symbol, "circle");
  const colour =
    typeof marker.color === "string"
      ? marker.color
      : typeof marker.color?.[0] === "string"
        ? marker.color[0]
        : look.text;
  return symbolPath(symbol, size, x, y, colour, marker.line ?? {});
}
