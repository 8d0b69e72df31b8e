// On a narrow screen: a bar below the picture with epsilon and one more control, and a sheet with all of them.
//
// It is Streamlit's own sidebar, which is out of sight there; `page_frame.css` lays it out. Opened by Streamlit's button it
// lies over the page as ever, with the list of pages.

import { still } from "./stage.js";

const EVERY = '[data-testid="stSidebarUserContent"] [data-testid="stVerticalBlock"] > [data-testid="stElementContainer"]';

export class Bar {
  constructor() {
    this.button = Object.assign(document.createElement("button"), { className: "dpot-more", type: "button" });
    this.button.addEventListener("click", () => this.open(!this.isOpen));
    this.onKey = (event) => {
      if (event.key !== "Escape" || !this.isOpen) return;
      this.open(false);
      this.button.focus();
    };
    document.addEventListener("keydown", this.onKey);
    this.open(false);
  }

  get isOpen() {
    return document.documentElement.classList.contains("dpot-sheet");
  }

  open(yes) {
    document.documentElement.classList.toggle("dpot-sheet", yes);
    this.button.setAttribute("aria-expanded", String(yes));
    this.button.textContent = yes ? "Fewer controls" : "More controls";
    if (!yes) return;
    // The picture that is looked at moves up, into what the sheet leaves.
    const seen = [...document.querySelectorAll(".dpot-figure")].find((one) => one.getBoundingClientRect().bottom > 100);
    seen?.scrollIntoView({ block: "start", behavior: still() ? "auto" : "smooth" });
  }

  /** Find the controls of the bar: epsilon, or what comes first, and the next one. */
  look(page) {
    if (page !== this.page) this.open(false);
    this.page = page;
    const side = document.querySelector("[data-testid=stSidebar]");
    const asked = [...document.querySelectorAll(EVERY)].filter((box) => box.querySelector("input, button, [role=slider]"));
    const controls = asked.filter((box) => !/st-key-(teach_|\w+_exact)/.test(box.className));
    const first = Math.max(0, controls.findIndex((box) => /st-key-\w+_epsilon(\s|$)/.test(box.className)));
    const held = controls.slice(first, first + 2);
    for (const box of asked) box.toggleAttribute("data-dpot-bar", held.includes(box));
    if (!side || !held.length) this.button.remove();
    else if (this.button.parentElement !== side) side.prepend(this.button);
  }

  destroy() {
    document.removeEventListener("keydown", this.onKey);
    document.documentElement.classList.remove("dpot-sheet");
    this.button.remove();
  }
}
