// Particles of a picture: they rain from a mark and stay where they fell, or walk to where a plan takes them and back.
//
// A trace with `meta.particles` has their places at rest in x and y, and others in `customdata`: "rain" lies at rest
// where it fell, is not seen until it is asked for, and comes from there; a "walk" goes there. Frames have both, so that
// particles follow a slider wherever they are on their way.

import { interpolateRgb } from "./d3.js";
import { still } from "./stage.js";

// Milliseconds that the rain takes, the share of them in which one drop after the other sets out, and a way and back.
const FALL = 1600;
const LATER = 0.6;
const ROUND = 8000;
// Shares of a round in which a walk rests at either end.
const REST = 0.12;

const smooth = (share) => share * share * (3 - 2 * share);
const held = (share) => Math.max(0, Math.min(1, share));

/** Where a walk is after a share of its round, 0 at home and 1 where it goes. */
export function wayAt(share) {
  const there = held((Math.min(share, 1 - share) - REST / 2) / (0.5 - REST));
  return smooth(there);
}

/** Pictures beside each other walk in step. */
const clock = { share: 0, playing: false, pictures: new Set(), last: undefined };

/** Names of the pictures on which it has rained. */
const rained = new Set();

function tick(now) {
  if (!clock.playing) return;
  clock.share = (clock.share + (clock.last === undefined ? 0 : now - clock.last) / ROUND) % 1;
  clock.last = now;
  for (const picture of clock.pictures) picture.draw();
  requestAnimationFrame(tick);
}

function walk(playing) {
  clock.last = undefined;
  if (playing && still()) clock.share = clock.share === 0 ? 0.5 : 0;
  else if (playing !== clock.playing) {
    clock.playing = playing;
    if (playing) requestAnimationFrame(tick);
  }
  for (const picture of clock.pictures) {
    picture.draw();
    picture.say();
  }
}

export class Particles {
  /**
   * @param {HTMLElement} plot of the picture; the button stands over it
   * @param {(spec: object) => void} show draws a specification at once
   * @param {string} name of the picture: where it rained it has rained, also when the picture is made anew
   */
  constructor(plot, show, name) {
    Object.assign(this, { plot, show, name, share: 1, wet: rained.has(name), frame: 0 });
    this.over = Object.assign(document.createElement("div"), { className: "dpot-over" });
    this.button = Object.assign(document.createElement("button"), { className: "dpot-moves", type: "button" });
    this.button.addEventListener("click", () => this.toggle());
    this.over.append(this.button);
    plot.before(this.over);
    this.click = (event) => this.touched(event);
    for (const kind of ["pointerdown", "click"]) plot.addEventListener(kind, this.click);
  }

  /** What has to be drawn of a specification: the same at rest, else with the particles where they are by now. */
  on(spec) {
    const [trace] = spec.data.filter(({ meta }) => meta?.particles);
    const home = Array.from(trace.customdata[0]);
    // Frames have fewer digits than what Python drew.
    const [low, high] = spec.layout.xaxis.range;
    const moved = this.home?.some((from, way) => Math.abs(from - home[way]) > 1e-3 * (high - low));
    Object.assign(this, { spec, trace, kind: trace.meta.particles, home });
    this.over.dataset.kind = this.kind;
    if (this.kind === "walk") clock.pictures.add(this);
    this.say();
    // From another home it rains anew.
    if (this.wet && moved) this.rain();
    return this.now();
  }

  now() {
    if (this.kind === "rain" ? !this.wet : clock.share === 0) return this.spec;
    const data = this.spec.data.map((trace) => (trace.meta?.particles ? this.placed(trace) : trace));
    return { ...this.spec, data };
  }

  placed(trace) {
    const { x, y, customdata } = trace;
    const way = this.kind === "rain" ? (place) => 1 - this.fallen(place, x.length) : () => wayAt(clock.share);
    const along = (list, letter) =>
      Float64Array.from(list, (from, place) => from + way(place) * (customdata[place][letter] - from));
    const mixed = { ...trace, visible: true, x: along(x, 0), y: along(y, 1) };
    const { colours } = trace.meta;
    if (colours) mixed.marker = { ...trace.marker, color: interpolateRgb(...colours)(way(0)) };
    return mixed;
  }

  fallen(place, count) {
    return smooth(held((this.share - (LATER * place) / count) / (1 - LATER)));
  }

  rain() {
    cancelAnimationFrame(this.frame);
    rained.add(this.name);
    this.wet = true;
    this.share = still() ? 1 : 0;
    let start;
    const step = (now) => {
      start ??= now;
      this.share = still() ? 1 : held((now - start) / FALL);
      this.draw();
      if (this.share < 1) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
    this.say();
  }

  dry() {
    cancelAnimationFrame(this.frame);
    rained.delete(this.name);
    this.wet = false;
    this.draw();
    this.say();
  }

  toggle() {
    if (this.kind === "walk") walk(!clock.playing);
    else if (this.wet) this.dry();
    else this.rain();
  }

  /** On a map a click lets it rain; what walks stops under a finger. */
  touched({ type }) {
    if (this.kind === "rain" && type === "click") this.rain();
    if (this.kind === "walk" && type === "pointerdown" && clock.playing) walk(false);
  }

  draw() {
    this.show(this.now());
  }

  say() {
    const { words, still: calm } = this.trace.meta;
    const on = this.kind === "rain" ? this.wet : clock.playing || (still() && clock.share > 0);
    const said = (still() ? calm : words)[on ? 1 : 0];
    if (this.button.textContent !== said) this.button.textContent = said;
  }

  destroy() {
    cancelAnimationFrame(this.frame);
    clock.pictures.delete(this);
    if (clock.pictures.size === 0) Object.assign(clock, { playing: false, share: 0 });
    for (const kind of ["pointerdown", "click"]) this.plot.removeEventListener(kind, this.click);
    this.over.remove();
  }
}
