// A picture and a text that the stage keeps up to date, in Streamlit's page and in a file of its own.

import { Brush } from "./brush.js";
import { Dial } from "./dial.js";
import { decode, same } from "./frames.js";
import { Gesture } from "./gesture.js";
import { Home } from "./home.js";
import { Menu } from "./menu.js";
import { Particles } from "./particles.js";
import * as picture from "./picture.js";
import { announce } from "./announce.js";
import { still } from "./stage.js";
import { Streets } from "./streets.js";
import { say } from "./text.js";

/** Those on the page. */
export const pictures = new Set();

/** A figure under its title, drawn by `picture.js`; what that refuses is said in its place. */
export class Picture {
  constructor(stage, parent) {
    this.stage = stage;
    this.figure = node("div", "dpot-figure");
    this.title = node("p", "dpot-title");
    this.title.setAttribute("role", "heading");
    this.title.ariaLevel = 4;  // pages have their own at 3
    this.plot = node("div", "dpot-plot");
    this.figure.append(this.title, this.plot);
    parent.append(this.figure);
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(this.plot);
    // After the page is laid out: asked for while it is drawn, a height would lay it out once more for each picture.
    this.lines = new ResizeObserver(() => this.hold());
    this.lines.observe(this.title);
    pictures.add(this);
  }

  resize() {
    this.width = this.plot.clientWidth;
    const { screen } = this.part ?? {};
    if (screen?.spec.layout.meta?.fit) this.show(screen, 0);
    this.drawn?.resize();
  }

  /** New data from Python: `{name, screen, families, at, large}`. */
  update(data) {
    // What is no other picture is not drawn again: a large map takes a tenth of a second. A hand may have changed it.
    const untouched = this.part && !data.paints && !data.turns;
    const seen = ({ foot, ...screen }) => screen;
    const stays = untouched && same(seen(this.data.screen), seen(data.screen));
    this.data = data;
    this.figure.classList.toggle("dpot-follows", Object.keys(data.families).length > 0);
    const look = lookOf(this.figure, data);
    if (JSON.stringify(look) !== JSON.stringify(this.look)) this.drawn?.look(look);
    this.look = look;
    if (data.chooses) choosing(this.figure, data.chooses);
    this.brushes(data.paints);
    this.dials(data.turns);
    this.gestures(data.draws);
    this.menus(data.menu);
    // What stands under it in a file may be new all the same.
    const settled = stays ? Object.assign(this.part.settled, { foot: data.screen.foot }) : decode(data.screen);
    const { families, at } = data;
    const show = (screen, duration) => this.show(screen, duration);
    this.part = { families, at, settled, screen: this.part?.screen, show, behind: behind(this.figure) };
    this.stage.settle(data.name, this.part);
  }

  /** The title that follows a slider keeps the most lines that it had at this width: what is below does not jump. */
  hold() {
    if (!this.figure.classList.contains("dpot-follows")) return;
    if (this.heldAt !== innerWidth) this.title.style.minHeight = "";
    this.heldAt = innerWidth;
    const high = this.title.offsetHeight;
    if (high > (parseFloat(this.title.style.minHeight) || 0)) this.title.style.minHeight = `${high}px`;
  }

  /** A brush, or a home that can be dragged, on the map where there is to be one. */
  brushes(paints) {
    if (!paints) {
      this.brush?.destroy();
      this.brush = undefined;
      return;
    }
    const carries = this.data.screen.spec.data.some(({ meta }) => meta === "home");
    this.brush ??= new (carries ? Home : Brush)(
      this.plot,
      () => ({ at: (x, y) => this.drawn?.at(x, y), spec: fitted(decode(this.part.screen).spec, this.width) }),
      (spec) => this.drawn.show(spec, {}),
      (text) => this.tell("painted", text),
    );
    this.brush.take(paints);
    this.brush.settle();
  }

  /** A hand on the dial where there is to be one. */
  dials(turns) {
    if (!turns) {
      this.dial?.destroy();
      this.dial = undefined;
      return;
    }
    this.dial ??= new Dial(
      this.plot,
      () => ({ at: (x, y) => this.drawn?.turn?.(x, y), spec: fitted(decode(this.part.screen).spec, this.width) }),
      (spec) => this.drawn.show(spec, {}),
      (told) => this.tell("turned", told),
    );
    this.dial.places = turns.places;
  }

  /** A hand that draws over the picture, where it may. */
  gestures(kind) {
    if (this.gesture?.kind === kind) return;
    this.gesture?.destroy();
    const at = (x, y) => this.drawn?.at(x, y);
    this.gesture = kind && new Gesture(this.plot, kind, at, (drawn) => this.tell("drawn", drawn));
  }

  /** What takes it away, where it is more than a button of its own. */
  menus(menu) {
    if (menu) (this.menu ??= new Menu(this)).update(menu);
    else this.menu?.destroy();
    if (!menu) this.menu = undefined;
  }

  /** A specification with its particles where they are by now. */
  moving(spec) {
    if (spec.data.some(({ meta }) => meta?.particles)) {
      this.particles ??= new Particles(this.plot, (moved) => this.drawn?.show(moved, {}), this.data.name);
      return this.particles.on(spec);
    }
    this.particles?.destroy();
    this.particles = undefined;
    return spec;
  }

  /** A specification with the part of it that its reader looks at, where streets lie under it. */
  looked(spec) {
    const tiles = spec.layout.meta?.tiles;
    if (this.streets && this.streets.told !== JSON.stringify(tiles)) {
      this.streets.destroy();
      this.streets = undefined;
    }
    if (!tiles) return spec;
    this.streets ??= new Streets(this.plot, tiles, {
      at: (x, y) => this.drawn?.at(x, y),
      ranges: () => this.drawn.ranges(),
      again: () => this.show(this.part.screen, 0),
      repaint: () => this.drawn?.repaint(),
    });
    return this.streets.on(spec);
  }

  show({ title, spec, alt }, duration) {
    const before = this.title.textContent;
    if (before !== title) say(this.title, title);
    if (before && before !== title) announce(this.title);
    this.menu?.name(title || alt);
    this.title.hidden = !title;
    // What it says, then what is seen.
    this.plot.setAttribute("aria-label", title ? `${title}. ${alt}` : alt);
    spec = this.looked(this.moving(fitted(spec, (this.width ||= this.plot.clientWidth))));
    const height = `${spec.layout.height}px`;
    if (this.plot.style.height !== height) this.plot.style.height = height;
    if (this.refuses(picture.refused(spec), title || alt)) return;
    this.drawn ??= picture.mount(this.plot, this.look, (context, scene) => this.streets?.paint(context, scene));
    // Marks that are drawn anew at every value glide even to the next one: a figure says so as Plotly has it.
    const glide = still() ? 0 : (spec.layout.transition?.duration ?? 0);
    try {
      this.drawn.show(spec, { duration: Math.max(duration, glide) });
    } catch (problem) {
      if (this.refuses(problem, title || alt)) return;
    }
    // Nothing in an image can be reached by keys: legends can.
    this.plot.setAttribute("role", this.plot.querySelector(".legend-entry") ? "group" : "img");
    if (this.figure.classList.contains("dpot-chooses")) {
      // A button is called by what stands on it too.
      const on = [...this.plot.querySelectorAll("text")].map(({ textContent }) => textContent).filter(Boolean);
      this.figure.setAttribute("aria-label", [this.figure.title, ...on].join(". "));
    }
  }

  /** Whether there is a reason (words, or an error) not to draw a figure: it stands in its place, and in the console. */
  refuses(why, name) {
    if (!why) {
      this.refusal?.remove();
      this.refusal = undefined;
      return false;
    }
    console.error(`“${name}” cannot be drawn: ${why}.`, ...(why.stack ? [why] : []));
    this.drawn?.destroy();
    this.drawn = undefined;
    if (!this.refusal) this.plot.append((this.refusal = node("p", "dpot-nothing")));
    this.refusal.textContent = `This picture cannot be drawn: ${why}.`;
    this.plot.setAttribute("role", "group");
    return true;
  }

  destroy() {
    pictures.delete(this);
    this.watch.disconnect();
    this.lines.disconnect();
    this.brush?.destroy();
    this.dial?.destroy();
    this.gesture?.destroy();
    this.menu?.destroy();
    this.particles?.destroy();
    this.streets?.destroy();
    this.stage.remove(this.data.name, this.part);
    this.drawn?.destroy();
    this.figure.remove();
  }
}

/** A text in HTML. */
export class Words {
  constructor(stage, parent) {
    this.stage = stage;
    this.box = node("div", "dpot-words");
    parent.append(this.box);
  }

  update(data) {
    this.data = data;
    const { families, at } = data;
    const show = (html) => { if (this.html !== html) put(this.box, this.html = html); };
    this.part = { families, at, settled: data.screen, screen: this.part?.screen, show, behind: behind(this.box) };
    this.stage.settle(data.name, this.part);
  }

  destroy() {
    this.stage.remove(this.data.name, this.part);
    this.box.remove();
  }
}

/** A figure that is no taller than its map needs at this width. */
function fitted(spec, width) {
  const fit = spec.layout.meta?.fit;
  if (!fit || !width) return spec;
  const height = Math.min(spec.layout.height, Math.round(fit[0] * width + fit[1]));
  return { ...spec, layout: { ...spec.layout, height } };
}

/** A figure that is a button: it chooses an option of a control on the page, once that stands there. */
function choosing(figure, { control, option }) {
  const find = () => [...document.querySelectorAll(`.st-key-${CSS.escape(control)} button`)]
    .find((button) => button.textContent.trim() === option);
  if (figure.onclick) return;
  clearTimeout(figure.waits);
  if (!find()) {
    // The control may be drawn after the picture, on a busy machine long after it; where it never is, the picture is no
    // button as long as it stands.
    figure.waits = setTimeout(() => { if (figure.isConnected) choosing(figure, { control, option }); }, 250);
    return;
  }
  const choose = () => find()?.click();
  Object.assign(figure, { onclick: choose, tabIndex: 0, title: `Show ${option} large` });
  figure.setAttribute("role", "button");
  figure.setAttribute("aria-label", `Show ${option} large`);
  figure.classList.add("dpot-chooses");
  figure.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose();
  });
}

/** Put HTML into an element; where only words differ from what stands there, only they are touched. */
function put(box, html) {
  const made = document.createElement("template");
  made.innerHTML = html;
  if (!reword(box, made.content)) box.replaceChildren(made.content);
}

/** Whether nodes have become what others say by their words alone. */
function reword(old, made) {
  if (old.childNodes.length !== made.childNodes.length) return false;
  return [...old.childNodes].every((node, place) => {
    const next = made.childNodes[place];
    if (node.nodeName !== next.nodeName) return false;
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.data !== next.data) node.data = next.data;
      return true;
    }
    return node.cloneNode().isEqualNode(next.cloneNode()) && reword(node, next);
  });
}

/** Says of an element that the slider is ahead of it. */
function behind(element) {
  return (yes) => element.classList.toggle("dpot-behind", yes);
}

export function node(kind, className) {
  return Object.assign(document.createElement(kind), { className });
}

/** The look of the page around an element. */
function lookOf(element, data) {
  const css = getComputedStyle(element);
  const value = (name, otherwise) => css.getPropertyValue(name).trim() || otherwise;
  const text = value("--st-text-color", "#1f2328");
  const background = value("--st-background-color", "#ffffff");
  const font = value("--st-font", css.fontFamily);
  return {
    text,
    background,
    faded: mixed(text, background, 0.72),
    grid: "rgba(127,127,127,0.22)",
    primary: value("--st-primary-color", "#0072b2"),
    font,
    size: data.large || 12,
  };
}

/** A share of one colour in another, as #rrggbb, which attributes of SVG and files know better than CSS's color-mix. */
function mixed(colour, other, share) {
  const [a, b] = [colour, other].map(channels);
  return `#${a.map((one, i) => Math.round(share * one + (1 - share) * b[i]).toString(16).padStart(2, "0")).join("")}`;
}

let pen;

function channels(colour) {
  pen ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
}
