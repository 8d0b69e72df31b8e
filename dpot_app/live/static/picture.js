/**
 * Pictures that follow a slider: figures as Plotly has them, drawn as SVG and on one canvas, and brought up to date
 * in place. Nothing that stands is taken away before the new stands, and what has not changed is not touched.
 */

import { paintCanvas } from "./canvas.js";
import { drawBars, makePalette, scaleOf } from "./colours.js";
import { easeCubicOut } from "./d3.js";
import { drawAnnotations, drawAxes, drawClips, drawGrid, drawHeading, drawShapes } from "./frame.js";
import { makeHover } from "./hoverbox.js";
import { drawLegend } from "./legend.js";
import { drawMarks } from "./marks.js";
import { makeExtents, reach } from "./ranges.js";
import { arrange } from "./scene.js";
import { UNTURNED, inSpace, turnedIn } from "./space.js";
import { decode, isList, sameEntries, settled } from "./spec.js";
import { SVG, makeRuler, part, set } from "./text.js";
import { makeTurning } from "./turning.js";
import { between } from "./tween.js";

export { can, decode, refused } from "./spec.js";

/**
 * Make a picture in an element.
 * @param {HTMLElement} element whose width it takes; its height is the layout's
 * @param {{text: string, background: string, grid: string, font: string, size: number, primary: string,
 *   faded?: string}} look colours of the theme (`faded`: of numbers and titles, where they differ from the text's),
 *   family of the letters, and their base size in pixels
 * @param {(context: CanvasRenderingContext2D, scene: object) => void} ground paints what lies under all that is painted
 * @returns {{show: Function, look: Function, resize: Function, destroy: Function, element: HTMLElement}}
 */
export function mount(element, look, ground) {
  const stage = { ...makeStage(element), ground };
  const state = {
    look,
    rule: makeRuler(look.font),
    hidden: new Set(),
    target: null,
    shown: null,
    scene: null,
    frame: 0,
    turn: UNTURNED,
    turning: 0,
    width: element.clientWidth,
  };
  const memory = { groups: [], drawn: [], images: [], globes: {}, extents: makeExtents(), palette: makePalette() };
  const hover = makeHover(stage, () => state);

  const paint = (spec) => {
    state.shown = spec;
    const { width } = state;
    // Where it is not to be seen, such as in a closed tab, there is nothing to draw on: resize() comes with the width.
    if (width === 0) return;
    const scene = sceneFor(spec, width, state, memory, stage.name);
    const fresh = scene !== state.scene;
    state.scene = scene;
    if (fresh) drawStill(stage, spec, scene, state, memory, toggle);
    turning.allow(scene.spaces.length > 0);
    drawLoose(stage, spec, scene);
    drawMarks(stage.marks, spec, scene, { ...memory, hidden: state.hidden });
    paintCanvas(stage, spec, scene, state, memory, fresh);
    hover.refresh();
  };

  const stop = () => {
    cancelAnimationFrame(state.frame);
    state.frame = 0;
  };

  const turnTo = (turn) => {
    state.turn = turn;
    state.turning ||= requestAnimationFrame(() => {
      state.turning = 0;
      if (state.scene) paintCanvas(stage, state.shown, state.scene, state, memory, false);
    });
  };
  const turning = makeTurning(element, {
    by: (right, down) => state.scene && turnTo(turnedIn(state.scene, state.turn, right, down)),
    home: () => turnTo(UNTURNED),
  });

  const glide = (to, duration) => {
    const mix = between(state.shown, to);
    let start = null;
    const step = (now) => {
      start ??= now;
      const share = Math.min(1, (now - start) / duration);
      state.frame = share < 1 ? requestAnimationFrame(step) : 0;
      paint(share < 1 ? mix(easeCubicOut(share)) : to);
    };
    state.frame = requestAnimationFrame(step);
  };

  const again = () => {
    if (!state.target) return;
    stop();
    state.scene = null;
    paint(state.target);
  };

  const toggle = (key) => {
    if (!state.hidden.delete(key)) state.hidden.add(key);
    again();
  };

  // Letters that arrive after the first drawing are wider or narrower than those that stood in for them.
  const lettersCame = () => {
    state.rule = makeRuler(state.look.font);
    again();
  };
  document.fonts.addEventListener("loadingdone", lettersCame);

  return {
    element,
    /**
     * Draw a specification, at once or over `duration` milliseconds from what stands on the screen.
     * @param {{data: object[], layout: object}} spec
     */
    show(spec, { duration = 0 } = {}) {
      state.target = settled(decode(spec), state.target);
      stop();
      if (duration > 0 && state.shown && state.scene) glide(state.target, duration);
      else paint(state.target);
    },
    /** Take other colours, letters or sizes. */
    look(next) {
      if (next.font !== state.look.font) state.rule = makeRuler(next.font);
      state.look = next;
      again();
    },
    /** Where a place of the screen lies on the first panel, as shares of its width and height; null outside. */
    at(clientX, clientY) {
      const [x, y] = ["x", "y"].map((id) => state.scene?.axes.get(id)?.ends);
      if (!x || !y) return null;
      const { left, top } = stage.root.getBoundingClientRect();
      const place = [(clientX - left - x[0]) / (x[1] - x[0]), (clientY - top - y[0]) / (y[1] - y[0])];
      return place.every((share) => share >= 0 && share <= 1) ? place : null;
    },
    /** What is seen of the first panel: the ranges of its axes, `[[low, high], [low, high]]`. */
    ranges: () => ["x", "y"].map((id) => state.scene.axes.get(id).range),
    /** Paint the canvas again: its ground has changed. */
    repaint() {
      if (state.scene) paintCanvas(stage, state.shown, state.scene, state, memory, true);
    },
    /**
     * Where a place of the screen lies on the first dial: its angle as the dial counts, how far out it is as a share of
     * the radius, and how many pixels it is from a place of the dial; null where there is no dial.
     */
    turn(clientX, clientY) {
      const polar = state.scene?.polars.values().next().value;
      if (!polar) return null;
      const { left, top } = stage.root.getBoundingClientRect();
      const [dx, dy] = [clientX - left - polar.cx, clientY - top - polar.cy];
      // What `angle` of a dial does, undone: it is linear in its argument.
      const [zero, one] = [polar.angle(0), polar.angle(1)];
      const theta = (Math.atan2(dy, dx) - zero) / (one - zero);
      const away = Math.hypot(dx, dy);
      const from = (angle, r) => {
        const [there, out] = [polar.angle(angle), polar.length(r)];
        return Math.hypot(dx - out * Math.cos(there), dy - out * Math.sin(there));
      };
      return { theta: ((theta % 360) + 360) % 360, out: away / polar.radius, from };
    },
    /** What stands there, for a file: its size, and its layers from back to front; the painted one that much finer. */
    layers(scale) {
      const canvas = document.createElement("canvas");
      const images = { ...memory, images: [], globes: {} };
      paintCanvas({ canvas, ground }, state.shown, state.scene, state, images, true, scale);
      const painted = canvas.width ? [canvas] : [];
      return { width: state.scene.width, height: state.scene.height, layers: [stage.under, ...painted, stage.over] };
    },
    /** Take the element's width again. */
    resize() {
      // Not read with every drawing: the page would be laid out for it before it is drawn.
      state.width = element.clientWidth;
      if (state.width !== state.scene?.width) again();
    },
    /** Take the picture away. */
    destroy() {
      stop();
      cancelAnimationFrame(state.turning);
      turning.destroy();
      hover.destroy();
      document.fonts.removeEventListener("loadingdone", lettersCame);
      stage.root.remove();
    },
  };
}

function makeStage(element) {
  const root = document.createElement("div");
  const [under, over] = ["under", "over"].map(() => document.createElementNS(SVG, "svg"));
  const canvas = document.createElement("canvas");
  root.className = "dpot-picture";
  root.style.cssText = "position:relative;width:100%";
  // What is around it has the words for those who do not see it; only the legend is for keys.
  under.setAttribute("aria-hidden", "true");
  canvas.setAttribute("aria-hidden", "true");
  for (const layer of [under, canvas, over]) {
    layer.style.cssText = "position:absolute;left:0;top:0;display:block;overflow:visible;user-select:none";
    root.append(layer);
  }
  element.append(root);
  const parts = {
    grid: part(under, "grid"),
    below: part(under, "below"),
    defs: part(over, "defs", "defs"),
    marks: part(over, "marks"),
  };
  for (const name of ["above", "axes", "bars", "legend", "notes"]) parts[name] = part(over, name);
  const heading = part(over, "heading", "text");
  for (const one of [...over.children]) if (one !== parts.legend) one.setAttribute("aria-hidden", "true");
  return {
    root,
    under,
    canvas,
    over,
    heading,
    // Gradients and clip paths are found by their names in the whole document.
    name: `dpot-${Math.random().toString(36).slice(2)}`,
    ...parts,
  };
}

/** The geometry, made anew only when something that it comes from has changed. */
function sceneFor(spec, width, state, memory, name) {
  const { scene, hidden, look, rule } = state;
  const ends = endsOf(spec, memory.extents);
  const still = stillOf(spec, memory);
  if (scene && scene.width === width && scene.still === still && scene.endsKey === ends) return scene;
  const made = arrange(spec, { width, look, rule, hidden, extents: memory.extents });
  return Object.assign(made, { name, still, endsKey: ends });
}

/** What the geometry takes from the specification other than numbers of the data, as one text. */
function stillOf({ data, layout }, memory) {
  const rest = Object.entries(layout).filter(([name]) => !LOOSE.has(name));
  const parts = rest.flat();
  const constant = layout.legend?.itemsizing === "constant";
  const styles = data.map((trace) => styleOf(trace, constant || trace.showlegend === false));
  const { last } = memory;
  if (last && sameEntries(last.parts, parts) && sameEntries(last.styles, styles)) return last.text;
  memory.last = { parts, styles, text: JSON.stringify([rest, styles]) };
  return memory.last.text;
}

// What moves without anything else making room for it.
const LOOSE = new Set(["template", "title", "shapes", "annotations"]);
const DATA = new Set(["x", "y", "z", "surfacecolor", "r", "theta", "text", "hovertext", "customdata",
  "hovertemplate", "width", "array"]);

/**
 * What axes, legend and colour bars take from a trace; of a list its first entry, which the legend shows, other than
 * of colours on a scale, and of sizes where they are all alike in the legend.
 */
const styleOf = (trace, constant) =>
  JSON.stringify(trace, (name, value) => {
    if (DATA.has(name) && (isList(value) || name === "hovertemplate")) return undefined;
    if (isList(value) && typeof value[0] === "number" && (name === "color" || (name === "size" && constant))) return 0;
    return isList(value) && name !== "colorscale" && !isList(value[0]) ? [value[0]] : value;
  });

/** Ends of the data where axes or colours follow them. */
function endsOf({ data, layout }, extents) {
  const found = [];
  for (const trace of data) {
    if (inSpace(trace)) continue;
    for (const letter of "xy") {
      const axis = layout[`${letter}axis${(trace[`${letter}axis`] ?? letter).slice(1)}`];
      if (!trace[letter] || axis?.range) continue;
      found.push(...reach(trace, { letter, log: axis?.type === "log" }, extents));
      if (isList(trace.marker?.size)) found.push(...extents(trace.marker.size, false));
    }
    if (isList(trace.marker?.color) && typeof trace.marker.color[0] === "number") {
      const { low, high } = scaleOf(trace.marker, trace.marker.color, layout, extents);
      found.push(low, high);
    }
    if (trace.type === "heatmap") {
      const { low, high } = scaleOf(trace, trace.z, layout, extents);
      found.push(low, high, trace.z.length, trace.z[0].length);
    }
  }
  return found.join();
}

function drawStill(stage, spec, scene, state, memory, toggle) {
  const { width, height } = scene;
  stage.root.style.height = `${height}px`;
  for (const layer of [stage.under, stage.over]) set(layer, { width, height, viewBox: `0 0 ${width} ${height}` });
  set(stage.over, { "font-family": state.look.font });
  drawGrid(stage.grid, scene);
  drawClips(stage.defs, scene, spec);
  drawAxes(stage.axes, scene);
  drawBars(stage.bars, scene, memory.palette);
  drawLegend(stage.legend, scene, state.hidden, toggle);
}

/** What follows the slider although it is no data: shapes, annotations, the title. */
function drawLoose(stage, spec, scene) {
  const { shapes, annotations, title } = spec.layout;
  const last = stage.loose;
  if (
    last &&
    last.scene === scene &&
    last.shapes === shapes &&
    last.annotations === annotations &&
    last.title === title
  )
    return;
  stage.loose = { scene, shapes, annotations, title };
  drawShapes(stage.below, spec, scene, "below");
  drawShapes(stage.above, spec, scene, "above");
  drawAnnotations(stage.notes, spec, scene);
  drawHeading(stage.heading, spec, scene);
}
