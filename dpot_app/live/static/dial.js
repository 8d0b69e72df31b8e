// A hand on a dial: a tap puts a mark at a place of it, the nearest of several, and a drag takes it round.

// Pixels within which a finger holds the mark, and from the ring's middle the share in which nothing is meant.
const HELD = 32;
const MIDDLE = 0.12;
const OUTSIDE = 1.05;
// Pixels that a finger may move and still taps.
const STILL = 10;

const handles = (spec) => spec.data.filter((trace) => trace.meta === "handle");

/** Which mark lies nearest to an angle in degrees. */
function nearest(spec, theta) {
  const away = handles(spec).map((handle) => Math.abs(((theta - handle.theta[0]) % 360 + 540) % 360 - 180));
  return away.indexOf(Math.min(...away));
}

export class Dial {
  /**
   * @param {HTMLElement} plot of the picture
   * @param {() => {at: Function, spec: object}} dial where a place of the screen lies on it, and what it shows: the
   *   traces whose `meta` is "handle" are the marks, those with "turns" turn with it
   * @param {(spec: object) => void} show draws a specification at once
   * @param {(told: number[]) => void} done is told where a mark is left, when, and which one
   */
  constructor(plot, dial, show, done) {
    Object.assign(this, { plot, dial, show, done });
    this.heard = {
      pointerdown: (event) => this.begin(event),
      pointermove: (event) => this.pass(event),
      pointerup: () => this.end(),
      pointercancel: () => this.cancel(),
      // A finger on the mark takes it round; elsewhere it scrolls the page, or taps.
      touchstart: (event) => this.holds(event.touches[0]) && event.preventDefault(),
    };
    for (const [kind, heard] of Object.entries(this.heard)) plot.addEventListener(kind, heard, { passive: false });
    plot.style.cursor = "pointer";
  }

  begin(event) {
    const there = this.dial().at(event.clientX, event.clientY);
    if (!there || event.button > 0 || there.out < MIDDLE || there.out > OUTSIDE) return;
    this.spec = this.dial().spec;
    this.which = nearest(this.spec, there.theta);
    this.start = [event.clientX, event.clientY];
    this.follows = event.pointerType === "mouse" || this.holds(event);
    this.plot.setPointerCapture(event.pointerId);
    this.put(there);
  }

  pass(event) {
    if (!this.spec) return;
    if (!this.follows) {
      const moved = Math.hypot(event.clientX - this.start[0], event.clientY - this.start[1]);
      if (moved > STILL) this.cancel();
      return;
    }
    const there = this.dial().at(event.clientX, event.clientY);
    if (there) this.put(there);
  }

  put({ theta }) {
    const step = 360 / this.places;
    const place = Math.round(theta / step) % this.places;
    if (place === this.place) return;
    this.place = place;
    const handle = handles(this.spec)[this.which];
    const turn = place * step - handle.theta[0];
    const data = this.spec.data.map((trace) => {
      if (trace === handle) return { ...trace, theta: [place * step], marker: { ...trace.marker, opacity: 1 } };
      // What is a gap stays one.
      const turned = (angle) => (Number.isFinite(angle) ? angle + turn : angle);
      return trace.meta === "turns" ? { ...trace, theta: Array.from(trace.theta, turned) } : trace;
    });
    this.show({ ...this.spec, data });
  }

  end() {
    const { spec, place, which } = this;
    this.spec = this.place = undefined;
    if (!spec) return;
    const handle = handles(spec)[which];
    const before = handle.marker.opacity ? Math.round(handle.theta[0] / (360 / this.places)) : null;
    // Told with the time: to be put on the same place again is news.
    if (place !== before) this.done([place, Date.now(), which]);
  }

  cancel() {
    if (this.spec) this.show(this.spec);
    this.spec = this.place = undefined;
  }

  /** Whether a mark is under a mouse or a finger. */
  holds(touch) {
    const { at, spec } = this.dial();
    const there = touch && at(touch.clientX, touch.clientY);
    const seen = there ? handles(spec).filter((handle) => handle.marker.opacity) : [];
    return seen.some((handle) => there.from(handle.theta[0], handle.r[0]) < HELD);
  }

  destroy() {
    for (const [kind, heard] of Object.entries(this.heard)) this.plot.removeEventListener(kind, heard);
    this.plot.style.cursor = "";
  }
}
