// A map of streets: tiles under a figure, and the part of it that its reader looks at. A mouse drags a rectangle, buttons
// go closer and farther, and a double click shows all of it again.

import { Tiles } from "./tiles.js";

/** Pixels that are a rectangle and no click, and degrees across the smallest part. */
const LEAST = 8;
const CLOSEST = 5e-4;

export class Streets {
  /**
   * @param {HTMLElement} plot of the map
   * @param {object} tiles see `tiles.js`
   * @param {{at: Function, ranges: Function, again: Function, repaint: Function}} map `at` and `ranges` as of a
   *   picture; `again()` draws it with the part that is looked at now
   */
  constructor(plot, tiles, map) {
    Object.assign(this, { plot, map, tiles: new Tiles(plot, tiles, map.repaint), told: JSON.stringify(tiles) });
    this.buttons = made("div", "dpot-over");
    this.buttons.append(this.button("+", "Closer", 0.25, "2.4rem"), this.button("−", "Farther", -0.5, "0"));
    plot.before(this.buttons);
    this.heard = {
      pointerdown: (event) => this.begin(event),
      pointermove: (event) => this.pass(event),
      pointerup: () => this.end(),
      pointercancel: () => this.clear(),
      dblclick: () => this.look(null),
    };
    for (const [kind, heard] of Object.entries(this.heard)) plot.addEventListener(kind, heard);
    plot.style.cursor = "crosshair";
  }

  button(text, name, share, right) {
    const one = Object.assign(made("button", "dpot-moves"), { type: "button", textContent: text, title: name });
    one.setAttribute("aria-label", name);
    one.style.right = right;
    one.addEventListener("click", () => this.zoom([share, share], [1 - share, 1 - share]));
    return one;
  }

  /** A specification with the part that is looked at. */
  on(spec) {
    if (!this.ranges) return spec;
    const [xaxis, yaxis] = ["xaxis", "yaxis"].map((name, way) => ({ ...spec.layout[name], range: this.ranges[way] }));
    return { ...spec, layout: { ...spec.layout, xaxis, yaxis } };
  }

  paint(context, scene) {
    this.tiles.paint(context, scene);
  }

  begin(event) {
    // A finger scrolls the page.
    const from = event.button === 0 && event.pointerType !== "touch" && this.map.at(event.clientX, event.clientY);
    if (!from) return;
    const { left, top } = this.plot.getBoundingClientRect();
    this.drag = { from, to: from, first: [event.clientX, event.clientY], corner: [left, top] };
    this.plot.setPointerCapture(event.pointerId);
  }

  pass(event) {
    const to = this.drag && this.map.at(event.clientX, event.clientY);
    if (!to) return;
    const { first, corner } = this.drag;
    const ends = [event.clientX, event.clientY].map((end, way) => [first[way], end].sort((a, b) => a - b));
    const size = ends.map(([low, high]) => high - low);
    Object.assign(this.drag, { to, size });
    if (!this.box) this.plot.append((this.box = made("div", "dpot-part")));
    const [left, top] = ends.map(([low], way) => low - corner[way]);
    this.box.style.cssText = `left:${left}px;top:${top}px;width:${size[0]}px;height:${size[1]}px`;
  }

  end() {
    const { from, to, size } = this.drag ?? {};
    this.clear();
    if (size?.every((pixels) => pixels > LEAST)) {
      this.zoom(...[Math.min, Math.max].map((of) => from.map((share, way) => of(share, to[way]))));
    }
  }

  clear() {
    this.drag = undefined;
    this.box?.remove();
    this.box = undefined;
  }

  /** Look at a part of what is seen, from shares of its width and height to others; at most at all of the map. */
  zoom(from, to) {
    const seen = this.map.ranges();
    const next = seen.map(([low, high], way) => [from, to].map((end) => low + end[way] * (high - low)));
    const [across, whole] = [next, (this.whole ??= seen)].map(([[low, high]]) => high - low);
    if (across >= whole) this.look(null);
    else if (across >= CLOSEST) this.look(next);
  }

  look(ranges) {
    this.ranges = ranges;
    this.map.again();
  }

  destroy() {
    this.clear();
    for (const [kind, heard] of Object.entries(this.heard)) this.plot.removeEventListener(kind, heard);
    this.plot.style.cursor = "";
    this.buttons.remove();
    this.tiles.destroy();
  }
}

function made(kind, className) {
  return Object.assign(document.createElement(kind), { className });
}
