// Streamlit's own slider, which tells the pictures where its thumb is while it moves.
//
// The slider stays Streamlit's: its looks, its label, its help, its link, its value in Python. It reports to Python when
// it is released; here it also reports to the page at every step, keys are gathered into one report, and it can play.

import { patience } from "./patience.js";
import { still } from "./stage.js";

const PLAY = 8000;

const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;

export class Slider {
  /**
   * @param {() => HTMLInputElement | null | undefined} find the slider's range input; React may replace it
   * @param {(place: number, glide: number) => void} moved is told each step, and for how long to glide there
   * @param {(playing: boolean) => void} played is told when it starts and stops to play
   * @param {boolean} reports whether the server waits for the value
   */
  constructor(find, moved, played, reports = true) {
    this._reports = reports;
    this._find = find;
    this._moved = moved;
    this._played = played;
    this._glide = 0;
    this._quiet = false;
    this._onKey = (event) => this._key(event);
    this._onPointer = {
      pointerdown: (event) => this._down(event),
      pointermove: (event) => this._drag?.(event),
      pointerup: () => this._release(),
      pointercancel: () => this._release(),
    };
    document.addEventListener("keydown", this._onKey, true);
    for (const [kind, heard] of Object.entries(this._onPointer)) document.addEventListener(kind, heard, true);
    this._watch = new MutationObserver(() => this.look());
  }

  get input() {
    return this._find();
  }

  /** Number of the value under the thumb, counted from the left. */
  get place() {
    const input = this.input;
    return input ? Math.round((Number(input.value) - Number(input.min)) / this._step) : undefined;
  }

  get last() {
    const input = this.input;
    return Math.round((Number(input.max) - Number(input.min)) / this._step);
  }

  get playing() {
    return this._frame !== undefined;
  }

  get _step() {
    return Number(this.input.step) || 1;
  }

  /** Read where the thumb is: React writes it into the input. */
  look() {
    const input = this.input;
    if (!input || this._quiet) return;
    if (input !== this._seen) {
      this._watch.disconnect();
      const attributeFilter = ["aria-valuetext", "value"];
      this._watch.observe(input.closest(".stSlider"), { subtree: true, childList: true, attributes: true, attributeFilter });
      this._seen = input;
    }
    this._moved(this.place, this._glide);
  }

  /** Move the thumb without telling Python. */
  preview(place) {
    const input = this.input;
    if (!input || place === this.place) return;
    setValue.call(input, String(Number(input.min) + place * this._step));
    input.dispatchEvent(new Event("input", { bubbles: true }));
    this.look();
  }

  /** Tell Python where the thumb stands: a step aside and, with an arrow key, back to it. */
  commit() {
    clearTimeout(this._timer);
    const input = this.input;
    // While a report comes back, React may put the thumb where it stood then: keys that followed count.
    if (input && this._wanted !== undefined) this.preview(this._wanted);
    this._wanted = undefined;
    if (!input || !this._reports) return;
    const place = this.place;
    const key = place > 0 ? "ArrowRight" : "ArrowLeft";
    this._quiet = true;
    this.preview(place > 0 ? place - 1 : place + 1);
    for (const kind of ["keydown", "keyup"]) {
      input.dispatchEvent(new KeyboardEvent(kind, { key, code: key, bubbles: true, cancelable: true }));
    }
    this._quiet = false;
    this.look();
  }

  toggle() {
    if (this.playing) this.stop();
    else if (!still()) this.play();
  }

  /** Run from large to small in about eight seconds, and back, until the reader stops it. */
  play() {
    const { last, place } = this;
    const begun = performance.now() - PLAY * (1 - place / last);
    this._glide = PLAY / last;
    const step = (now) => {
      if (!this.input) return this.stop();
      const wave = ((now - begun) / PLAY) % 2;
      this.preview(Math.round(last * Math.abs(1 - wave)));
      this._frame = requestAnimationFrame(step);
    };
    this._frame = requestAnimationFrame(step);
    this._played(true);
  }

  stop() {
    if (!this.playing) return;
    cancelAnimationFrame(this._frame);
    this._frame = undefined;
    this._glide = 0;
    this._played(false);
    this.commit();
  }

  destroy() {
    cancelAnimationFrame(this._frame);
    clearTimeout(this._timer);
    this._watch.disconnect();
    document.removeEventListener("keydown", this._onKey, true);
    for (const [kind, heard] of Object.entries(this._onPointer)) document.removeEventListener(kind, heard, true);
  }

  /** A finger or the mouse takes hold: what it does to the thumb is known a frame before React moves it. */
  _down(event) {
    const { input } = this;
    const box = input?.closest(".stSlider");
    if (!box?.contains(event.target)) return;
    this.stop();
    this._wanted = undefined;
    let knob = input;
    while (knob !== box && (knob.offsetWidth < 8 || knob.offsetWidth > 30)) knob = knob.parentElement;
    if (knob === box) return;
    const track = knob.parentElement.getBoundingClientRect();
    const at = knob.getBoundingClientRect();
    const within = knob.contains(event.target);
    if (!within && !knob.parentElement.contains(event.target)) return;
    // The thumb keeps its distance from where it was taken; a press beside it brings it under the finger.
    const off = within ? at.left + at.width / 2 - event.clientX : 0;
    const { last } = this;
    this._drag = ({ clientX }) => {
      box.classList.add("dpot-held");
      document.body.classList.add("dpot-dragging");
      const share = Math.max(0, Math.min(1, (clientX + off - track.left) / track.width));
      this._moved(Math.round(share * last), 0);
    };
  }

  _release() {
    if (!this._drag) return;
    this._drag = undefined;
    document.body.classList.remove("dpot-dragging");
    for (const box of document.querySelectorAll(".dpot-held")) box.classList.remove("dpot-held");
  }

  _key(event) {
    // Keys that people press; those of `commit` are React's.
    if (!event.isTrusted || event.target !== this.input || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = event.key === " " ? undefined : this._target(event.key);
    if (to === undefined && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === " ") return this.toggle();
    this._go(to);
  }

  /** Some places to the right, or to the left; Python is told when no further step follows. */
  step(by) {
    if (this.input) this._go((this._wanted ?? this.place) + by);
  }

  _go(to) {
    this.stop();
    this._wanted = Math.max(0, Math.min(this.last, to));
    this.preview(this._wanted);
    clearTimeout(this._timer);
    this._timer = setTimeout(() => this.commit(), patience.keys);
  }

  _target(key) {
    const { last } = this;
    const place = this._wanted ?? this.place;
    const page = Math.max(1, Math.round(last / 10));
    return {
      ArrowRight: place + 1, ArrowUp: place + 1, ArrowLeft: place - 1, ArrowDown: place - 1,
      PageUp: place + page, PageDown: place - page, Home: 0, End: last,
    }[key];
  }
}
