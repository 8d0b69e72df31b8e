// A home on the map of what is released: it is dragged to another cell, and what is released from there comes after.

import { placeText } from "./brush.js";

// Pixels within which a mouse or a finger holds it.
const HELD = 28;

export class Home {
  /** As a brush (brush.js); the trace whose `meta` is "home" is the mark. */
  constructor(plot, map, show, done) {
    Object.assign(this, { plot, map, show, done });
    this.heard = {
      pointerdown: (event) => this.begin(event),
      pointermove: (event) => this.pass(event),
      pointerup: () => this.end(),
      pointercancel: () => this.cancel(),
      // A finger on the home carries it; elsewhere it scrolls the page, or taps.
      touchstart: (event) => this.holds(event.touches[0]) && event.preventDefault(),
    };
    for (const [kind, heard] of Object.entries(this.heard)) plot.addEventListener(kind, heard, { passive: false });
    // What was dragged was not clicked.
    this.swallow = (event) => {
      if (this.carried) event.stopImmediatePropagation();
      this.carried = false;
    };
    plot.addEventListener("click", this.swallow, { capture: true });
  }

  take({ cells, total }) {
    Object.assign(this, { cells, total });
  }

  begin(event) {
    this.carried = false;
    if (event.button > 0 || !this.holds(event)) return;
    this.spec = this.map().spec;
    this.plot.setPointerCapture(event.pointerId);
  }

  pass(event) {
    if (!this.spec) {
      this.plot.style.cursor = this.holds(event) ? "grab" : "pointer";
      return;
    }
    const there = this.map().at(event.clientX, event.clientY);
    if (!there) return;
    const cell = there.map((share) => Math.min(this.cells - 1, Math.floor(share * this.cells)));
    if (String(cell) === String(this.cell)) return;
    Object.assign(this, { cell, carried: true });
    const [x, y] = cell.map((place, way) => {
      const [low, high] = ends(this.spec, way);
      return [low + ((place + 0.5) / this.cells) * (high - low)];
    });
    const data = this.spec.data.map((trace) => (trace.meta === "home" ? { ...trace, x, y } : trace));
    this.plot.style.cursor = "grabbing";
    this.show({ ...this.spec, data });
  }

  end() {
    const { spec, cell } = this;
    this.spec = this.cell = undefined;
    if (spec && cell) this.done(placeText(cell, this.cells, this.total));
  }

  cancel() {
    if (this.spec) this.show(this.spec);
    this.spec = this.cell = undefined;
  }

  settle() {}

  /** Whether the home is under a mouse or a finger. */
  holds(touch) {
    const { at, spec } = this.map();
    const there = touch && at(touch.clientX, touch.clientY);
    const home = spec.data.find(({ meta }) => meta === "home");
    if (!there || !home) return false;
    const away = there.map((share, way) => {
      const [low, high] = ends(spec, way);
      return share - ([home.x, home.y][way][0] - low) / (high - low);
    });
    return Math.hypot(...away) * this.plot.clientWidth < HELD;
  }

  destroy() {
    for (const [kind, heard] of Object.entries(this.heard)) this.plot.removeEventListener(kind, heard);
    this.plot.removeEventListener("click", this.swallow, { capture: true });
    this.plot.style.cursor = "";
  }
}

const ends = ({ layout }, way) => [layout.xaxis, layout.yaxis][way].range;
