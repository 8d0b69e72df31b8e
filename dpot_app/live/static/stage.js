// The stage: every picture and text on the page that follows a slider, and where the sliders stand.

import { Frames } from "./frames.js";

/** How long a picture takes to a value that was jumped to, in milliseconds. */
const GLIDE = 150;

export class Stage {
  constructor() {
    this.parts = new Map(); // name -> {families, at, settled, show(screen, duration), behind(yes), screen, frame?}
    this.families = new Map(); // token -> Frames
    this.sliders = new Map(); // setting -> place on the screen
    this._due = new Map(); // name of a part to draw with the next frame -> how long it glides
  }

  /** A picture or a text has come from Python: what it is, and where the sliders stood when it was drawn. */
  settle(name, part) {
    this.parts.set(name, part);
    this._draw(name, part, 0);
    this._say();
  }

  remove(name, part) {
    if (this.parts.get(name) === part) this.parts.delete(name);
    this._say();
  }

  /** A slider is on the page, with the addresses of its frames; those of other settings are abandoned. */
  follow(setting, families, place) {
    this.sliders.set(setting, place);
    for (const [token, frames] of this.families) {
      if (frames.setting === setting && !families.some((family) => family.token === token)) {
        frames.stop();
        this.families.delete(token);
      }
    }
    for (const { token, address, lines } of families) {
      if (this.families.has(token)) continue;
      const frames = new Frames(address, (at) => this._arrived(token, setting, at));
      frames.setting = setting;
      this.families.set(token, frames);
      for (const line of lines ?? []) frames.add(line);
    }
  }

  unfollow(setting) {
    this.sliders.delete(setting);
    this.follow(setting, [], undefined);
    this.sliders.delete(setting);
    this._say();
  }

  /** The slider has moved: everything with a frame for this place shows it, or begins to glide there; resolves then. */
  move(setting, place, glide = 0) {
    const before = this.sliders.get(setting);
    if (place === before) return undefined;
    this.sliders.set(setting, place);
    const duration = still() ? 0 : Math.max(glide, Math.abs(place - before) > 1 ? GLIDE : 0);
    for (const [name, part] of this.parts) {
      if (setting in part.families) this._due.set(name, Math.max(duration, this._due.get(name) ?? 0));
    }
    // Not at once: React reads the slider's place on the page first, which would be laid out once more for it.
    this._next ??= new Promise((resolve) => { requestAnimationFrame(() => resolve(this._catchUp())); });
    return this._next;
  }

  _catchUp() {
    const due = [...this._due].filter(([name]) => this.parts.has(name));
    this._due.clear();
    this._next = undefined;
    this._say();
    return Promise.all(due.map(([name, duration]) => this._draw(name, this.parts.get(name), duration)));
  }

  /** Whether there are frames, and all of them have come. */
  complete() {
    return this.families.size > 0 && [...this.families.values()].every((frames) => frames.complete);
  }

  _arrived(token, setting, at) {
    if (this.sliders.get(setting) !== at) return;
    for (const [name, part] of this.parts) if (part.families[setting] === token) this._draw(name, part, 0);
    this._say();
  }

  /** What has to stand there: what Python drew, or the frame of where a slider stands by now. */
  _draw(name, part, duration) {
    let screen = part.settled;
    let behind = false;
    for (const [setting, token] of Object.entries(part.families)) {
      const place = this.sliders.get(setting);
      if (place === undefined || place === part.at[setting]) continue;
      // What Python drew is out of date; until the frame is there, what stands stays.
      const frame = this.families.get(token)?.get(place)?.[part.frame ?? name];
      behind ||= frame === undefined;
      screen = frame ?? part.screen;
    }
    if (screen === undefined) screen = part.settled;
    part.behind(behind);
    if (screen === part.screen) return undefined;
    part.screen = screen;
    return part.show(screen, duration);
  }

  /** What does not follow is faint while a slider is ahead of it. */
  _say() {
    const ahead = [...this.parts.values()].some((part) =>
      Object.keys(part.families).some((setting) => {
        const place = this.sliders.get(setting);
        return place !== undefined && place !== part.at[setting];
      }));
    document.body.classList.toggle("dpot-ahead", ahead);
  }
}

/** Whether the reader asks for little motion. */
export function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
