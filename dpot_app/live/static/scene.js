/** The geometry of a picture: margins, panels, axes with their ticks, dials, legend and colour bars, all in pixels. */

import { axisName } from "./spec.js";
import { polarsOf } from "./places.js";
import { rangeOf } from "./ranges.js";
import { ticksOf } from "./ticks.js";
import { barsOf } from "./colours.js";
import { inSpace, sceneId } from "./space.js";
import { legendOf } from "./legend.js";

const BASE = { l: 0, r: 0, t: 12, b: 8, pad: 8 };
const GAP = 6;

/** Sizes of letters; on a page with large type all of them grow together. */
export const sizes = (look) => ({
  tick: look.size,
  title: (look.size * 14) / 12,
  legend: look.size,
  heading: (look.size * 16) / 12,
});

/**
 * @param {{data: object[], layout: object}} spec decoded
 * @param {{width: number, look: object, rule: Function, hidden: Set<string>, extents: Function}} around
 */
export function arrange(spec, around) {
  const { layout } = spec;
  const width = around.width;
  const height = layout.height ?? 450;
  const scene = {
    width,
    height,
    look: around.look,
    rule: around.rule,
    ink: around.look.faded ?? around.look.text,
    sizes: sizes(around.look),
    lookKey: JSON.stringify(around.look),
    layout,
  };
  scene.axes = namedAxes(spec, layout);
  const groups = matching(scene.axes);
  scene.legend = legendOf(spec, around);
  scene.bars = barsOf(spec, around);
  const base = { ...BASE, ...layout.margin };
  let margin = { ...base };
  // Labels need room, and the room left decides which labels there are: this settles in two or three rounds.
  for (let round = 0; round < 4; round += 1) {
    place(scene, spec, margin, groups, around);
    const next = roomFor(scene, base);
    const still = ["l", "r", "t", "b"].every((side) => Math.abs(next[side] - margin[side]) < 0.5);
    margin = next;
    if (still) break;
  }
  place(scene, spec, margin, groups, around);
  scene.polars = polarsOf(spec, scene);
  scene.spaces = [...new Set(spec.data.filter(inSpace).map(sceneId))];
  return scene;
}

function namedAxes(spec, layout) {
  const axes = new Map();
  const add = (id) => {
    if (axes.has(id)) return;
    const options = layout[axisName(id)] ?? {};
    axes.set(id, {
      id,
      letter: id[0],
      options,
      log: options.type === "log",
      visible: options.visible !== false,
      traces: [],
    });
  };
  for (const trace of spec.data) {
    if (trace.type === "barpolar" || trace.type === "scatterpolar" || inSpace(trace)) continue;
    for (const letter of "xy") {
      const id = trace[`${letter}axis`] ?? letter;
      add(id);
      axes.get(id).traces.push(trace);
    }
  }
  for (const axis of axes.values()) {
    const other = axis.letter === "x" ? "y" : "x";
    const named = axis.options.anchor;
    axis.cross =
      axes.get(named) ?? axes.get(other + axis.id.slice(1)) ?? [...axes.values()].find((a) => a.letter === other);
  }
  return axes;
}

// Axes that match share one range.
function matching(axes) {
  const root = (axis) => {
    const to = axes.get(axis.options.matches);
    return to && to !== axis ? root(to) : axis;
  };
  const groups = new Map();
  for (const axis of axes.values()) {
    const first = root(axis);
    if (!groups.has(first)) groups.set(first, []);
    groups.get(first).push(axis);
  }
  return [...groups.values()];
}

function place(scene, spec, margin, groups, around) {
  const plot = {
    l: margin.l,
    t: margin.t,
    w: Math.max(10, scene.width - margin.l - margin.r),
    h: Math.max(10, scene.height - margin.t - margin.b),
  };
  Object.assign(scene, { plot, margin });
  for (const axis of scene.axes.values()) {
    const [from, to] = axis.options.domain ?? [0, 1];
    axis.whole =
      axis.letter === "x"
        ? [plot.l + from * plot.w, plot.l + to * plot.w]
        : [plot.t + (1 - from) * plot.h, plot.t + (1 - to) * plot.h];
    axis.ends = [...axis.whole];
    axis.length = Math.abs(axis.ends[1] - axis.ends[0]);
  }
  for (const group of groups) {
    const shown = group.flatMap((axis) => axis.traces).filter((trace) => isShown(trace, spec, around.hidden));
    const range = rangeOf(group[0], shown, spec, around.extents);
    for (const axis of group) axis.range = [...range];
  }
  constrain(scene.axes, groups);
  for (const axis of scene.axes.values()) {
    const [low, high] = axis.range;
    const scale = (axis.ends[1] - axis.ends[0]) / (high - low);
    axis.length = Math.abs(axis.ends[1] - axis.ends[0]);
    axis.toPixel = (value) => axis.ends[0] + (value - low) * scale;
    axis.pixel = axis.log
      ? (value) => (value > 0 ? axis.toPixel(Math.log10(value)) : NaN)
      : (value) => (value === null ? NaN : axis.toPixel(value));
    axis.labels = axis.visible && axis.options.showticklabels !== false;
    axis.key = [...axis.ends, ...axis.range, axis.log].join();
    axis.ticks = fitted(axis, scene);
  }
}

/** Whether a trace is drawn: `hidden` holds the keys of the legend that were clicked. */
export function isShown(trace, spec, hidden) {
  return trace.visible !== false && !isAway(trace, legendKey(trace, spec), hidden);
}

/** Whether a click on the legend has put a trace away, or has not yet brought one that begins away. */
export const isAway = (trace, key, hidden) => hidden.has(key) !== (trace.visible === "legendonly");

/** What a click on the legend puts away together. */
export const legendKey = (trace, spec) => trace.legendgroup || `${spec.data.indexOf(trace)}:${trace.name ?? ""}`;

// One unit is as long on a y axis as on its x axis (times scaleratio): the longer one is cut, or shows more.
function constrain(axes, groups) {
  const linked = [...axes.values()].filter((axis) => axes.has(axis.options.scaleanchor));
  const groupOf = (axis) => groups.find((group) => group.includes(axis));
  const least = new Map();
  const unit = (axis, ratio = 1) => axis.length / Math.abs(axis.range[1] - axis.range[0]) / ratio;
  const pairs = linked.map((axis) => ({
    axis,
    other: axes.get(axis.options.scaleanchor),
    ratio: axis.options.scaleratio ?? 1,
  }));
  for (const { axis, other, ratio } of pairs) {
    const own = Math.min(unit(axis, ratio), unit(other));
    const group = groupOf(other);
    least.set(group, Math.min(own, least.get(group) ?? Infinity));
  }
  for (const { axis, other, ratio } of pairs) {
    const pixels = least.get(groupOf(other));
    fit(axis, pixels * ratio);
    fit(other, pixels);
  }
}

function fit(axis, pixels) {
  const [low, high] = axis.range;
  if (axis.options.constrain !== "domain") {
    const extra = (axis.length / pixels - Math.abs(high - low)) / 2;
    const way = Math.sign(high - low);
    axis.range = [low - way * extra, high + way * extra];
    return;
  }
  const spare = axis.length - pixels * Math.abs(high - low);
  const share = { left: 0, bottom: 0, right: 1, top: 1 }[axis.options.constraintoward] ?? 0.5;
  const way = Math.sign(axis.whole[1] - axis.whole[0]);
  axis.ends = [axis.whole[0] + way * spare * share, axis.whole[1] - way * spare * (1 - share)];
}

/** Ticks with the width of their labels; as few as it takes that none touches the next. */
function fitted(axis, scene) {
  for (let fewer = 1; ; fewer += fewer < 4 ? 1 : fewer) {
    const ticks = ticksOf(axis, fewer).map((tick) => measured(tick, axis, scene));
    if (!axis.labels || ticks.length < 2 || fewer > 64 || apart(ticks, axis)) return ticks;
  }
}

function measured(tick, axis, { rule, sizes }) {
  const size = sizes.tick * (tick.scale ?? 1);
  const { width, height, lines } = rule(tick.text, size);
  return { ...tick, size, width, height, lines, pixel: axis.toPixel(tick.at) };
}

function apart(ticks, axis) {
  const across = axis.letter === "x";
  const named = ticks.filter((tick) => tick.text !== "").sort((a, b) => a.pixel - b.pixel);
  return named.every((tick, place) => {
    if (place === 0) return true;
    const last = named[place - 1];
    const need = across ? (tick.width + last.width) / 2 + GAP : 0.4 * (tick.height + last.height);
    return tick.pixel - last.pixel >= need;
  });
}

/** Where labels and title of an axis stand, measured outwards from its panel. */
export function outward(axis, scene) {
  const { sizes } = scene;
  const { pad } = scene.margin;
  const named = axis.labels ? axis.ticks : [];
  const title = titleOf(axis, scene);
  const across = axis.letter === "x";
  const deep = named.length ? Math.max(...named.map((tick) => (across ? tick.height : tick.width))) : 0;
  const labels = pad + (across ? 1.5 : 1) + (across ? 0 : deep);
  const titleAt = across ? pad + deep + (deep ? 2 : 9) + sizes.title : labels + 9 + sizes.title;
  const most = title ? titleAt + title.height / 2 + 1 : deep ? (across ? pad + deep + 3 : labels + 2) : 0;
  return { pad, deep, labels, title, titleAt, most };
}

/** The title of an axis, smaller where it would not fit beside its neighbour's or into the picture. */
function titleOf(axis, { rule, sizes, width, plot }) {
  const text = axis.options.title?.text;
  if (!axis.visible || !text) return null;
  const [from, to] = axis.options.domain ?? [0, 1];
  // Titles of both axes would meet in the corner if each took the whole side.
  const whole = axis.letter === "x" ? width - 4 : plot.t + plot.h + 4;
  const room = to - from > 0.99 ? whole : Math.abs(axis.whole[1] - axis.whole[0]);
  const { width: long } = rule(text, sizes.title);
  const size = long > room ? (sizes.title * room) / long : sizes.title;
  return { ...rule(text, size), size };
}

function roomFor(scene, base) {
  const { plot } = scene;
  const need = { ...base };
  const more = (side, pixels) => {
    if (pixels > need[side]) need[side] = pixels;
  };
  for (const axis of scene.axes.values()) {
    const cross = axis.cross?.ends ?? [plot.l, plot.l + plot.w];
    const { most } = outward(axis, scene);
    if (axis.letter === "y") {
      more("l", most - (Math.min(...cross) - plot.l));
      if (axis.labels) overhang(axis, more, plot.t, plot.t + plot.h, "t", "b", "height");
    } else {
      const under = Math.max(...cross);
      more("b", most - (plot.t + plot.h - under));
      if (axis.labels) overhang(axis, more, plot.l, plot.l + plot.w, "l", "r", "width");
    }
  }
  for (const bar of scene.bars) roomForBar(bar, scene, need, more);
  if (scene.legend) need.b += scene.legend.height;
  return need;
}

// Half of an outer label hangs over the end of its axis.
function overhang(axis, more, start, end, before, after, measure) {
  for (const tick of axis.ticks) {
    const half = measure === "width" ? tick.width / 2 : tick.height / 2.6;
    more(before, half - (tick.pixel - start));
    more(after, half - (end - tick.pixel));
  }
}

// A bar beside the panels, one under the axes at the edge of the picture, or one at a share of the panels' height.
function roomForBar(bar, scene, need, more) {
  if (bar.vertical) more("r", 0.02 * scene.plot.w + bar.room);
  else if (bar.colorbar.yref === "container") more("b", deepest(scene) + bar.under + 18);
  else if (bar.colorbar.yanchor === "top") {
    const share = Math.max(0, -(bar.colorbar.y ?? 0));
    more("b", share * scene.plot.h + bar.pad + bar.under + 4);
  }
}

function deepest(scene) {
  const { plot } = scene;
  const under = [...scene.axes.values()]
    .filter((axis) => axis.letter === "x")
    .map((axis) => {
      const { most } = outward(axis, scene);
      return most ? most - (plot.t + plot.h - axis.cross.ends[0]) : 0;
    });
  return Math.max(0, ...under);
}
