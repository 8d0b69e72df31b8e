// Presenter view: only pictures stand on the page, arrow keys move epsilon, Esc leaves.

const KEYS = { ArrowRight: 1, ArrowUp: 1, PageDown: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: -1 };
// Where arrow keys have a meaning of their own.
const OWN = "input:not([type=checkbox]), textarea, select, [role=tab], [role=slider], [role=combobox], .dpot-plot[tabindex]";

export class Presenter {
  /** @param {Set} sliders of the page, see `live.js` */
  constructor(sliders) {
    this.sliders = sliders;
    this.onKey = (event) => this.key(event);
    this.onMove = () => requestAnimationFrame(() => this.say());
    this.box = Object.assign(document.createElement("div"), { className: "dpot-presenter" });
    this.box.setAttribute("role", "toolbar");
    this.box.setAttribute("aria-label", "Presenter view");
    const button = (text, name, does) => {
      const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, onclick: does });
      made.setAttribute("aria-label", name);
      this.box.append(made);
      return made;
    };
    this.less = button("←", "Less", () => this.step(-1));
    this.box.append(this.words = document.createElement("output"));
    this.more = button("→", "More", () => this.step(1));
    this.asks = button("Controls", "Controls beside the picture", () => this.ask());
    this.ask(false);
    button("Leave (Esc)", "Leave presenter view (Esc)", () => this.leave());
  }

  get on() {
    return this.box.isConnected;
  }

  /** Epsilon's slider, or the first that moves something. */
  get slider() {
    const every = [...this.sliders];
    return every.find((one) => one.name.endsWith("_epsilon")) ?? every[0];
  }

  show(yes) {
    document.documentElement.classList.toggle("dpot-presenting", yes);
    if (!yes) this.ask(false);
    if (yes === this.on) return this.onMove();
    if (yes) document.querySelector(".stApp").append(this.box);
    else this.box.remove();
    const change = yes ? "addEventListener" : "removeEventListener";
    document[change]("keydown", this.onKey);
    document[change]("dpot-moved", this.onMove);
    return this.onMove();
  }

  /** Where the slider stands. */
  say() {
    if (!this.on) return;
    const { slider } = this;
    const input = slider?.slider.input;
    for (const one of [this.less, this.words, this.more]) one.hidden = !input;
    if (input) this.words.textContent = `${slider.data.label}: ${input.getAttribute("aria-valuetext") ?? input.value}`;
  }

  step(by) {
    this.slider?.slider.step(by);
  }

  /** Show the sidebar beside the picture, or hide it again. */
  ask(yes = this.asks.getAttribute("aria-pressed") === "false") {
    document.documentElement.classList.toggle("dpot-asking", yes);
    this.asks.setAttribute("aria-pressed", String(yes));
  }

  leave() {
    document.querySelector(".st-key-teach_present input")?.click();
  }

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return this.leave();
    if (!(event.key in KEYS) || !this.slider || event.target.closest?.(OWN)) return;
    event.preventDefault();
    this.step(KEYS[event.key]);
  }

  destroy() {
    this.box.remove();
  }
}
