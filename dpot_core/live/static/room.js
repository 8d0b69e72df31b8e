// What lies around every page: steps of Back, the menu of the open page, and the presenter's keys.

import { keepSteps } from "./history.js";

/** Stands on every page, once. Told by Python: `{page, section, presenting, epsilon}`. */
export class Room {
  constructor(parent, sliders) {
    keepSteps();
    const box = parent.closest("[data-testid=stElementContainer]");
    if (box) box.style.display = "none";
    this.sliders = sliders;
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.watch = new MutationObserver(() => this.mark());
    this.watch.observe(document.querySelector("[data-testid=stApp]") ?? document.body, { childList: true });
  }

  update(data) {
    this.data = data;
    document.documentElement.classList.toggle("dpot-presenting", data.presenting);
    this.mark();
  }

  /** Menus say that the open page is in them; Streamlit says it in the menu only. */
  mark() {
    const bar = document.querySelector("[data-testid=stTopNav]");
    if (!bar) return;
    if (bar !== this.bar) {
      this.bar = bar;
      this.inBar?.disconnect();
      this.inBar = new MutationObserver(() => this.mark());
      this.inBar.observe(bar, { childList: true });
    }
    for (const menu of bar.querySelectorAll("[data-testid=stTopNavSection]")) {
      if (menu.textContent.trim() === this.data.section) menu.setAttribute("aria-current", "true");
      else menu.removeAttribute("aria-current");
    }
  }

  /** While somebody presents, arrow keys move epsilon wherever the focus is, and Esc leaves. */
  key(event) {
    if (!this.data?.presenting || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, textarea, select, [role=tab], [role=slider], .dpot-plot[tabindex]")) {
      if (event.key !== "Escape") return;
    }
    if (event.key === "Escape") document.querySelector(".st-key-teach_present input")?.click();
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    const follower = [...this.sliders].find((one) => one.name.endsWith("_epsilon")) ?? [...this.sliders][0];
    if (!by || !follower) return;
    event.preventDefault();
    follower.slider.step(by);
  }

  destroy() {
    document.removeEventListener("keydown", this.onKey);
    document.documentElement.classList.remove("dpot-presenting");
    this.watch.disconnect();
    this.inBar?.disconnect();
  }
}
