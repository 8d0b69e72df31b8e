// What lies around every page: steps of Back, the menu of the open page, the bar of a narrow screen, the presenter.

import { Bar } from "./bar.js";
import { keepSteps } from "./history.js";
import { Presenter } from "./presenter.js";

const MENU = "[data-testid=stTopNav]";

/** Stands on every page, once. Told by Python: `{page, section, presenting}`. */
export class Room {
  constructor(parent, sliders) {
    keepSteps();
    const box = parent.closest("[data-testid=stElementContainer]");
    if (box) box.style.display = "none";
    this.bar = new Bar();
    this.presenter = new Presenter(sliders);
    this.watch = new MutationObserver((changes) => {
      if (changes.some(({ target }) => target.closest?.(`${MENU}, [data-testid=stSidebar]`) || target.querySelector?.(MENU))) {
        this.again ??= requestAnimationFrame(() => this.look());
      }
    });
    this.watch.observe(document.body, { childList: true, subtree: true });
  }

  update(data) {
    this.data = data;
    this.presenter.show(data.presenting);
    this.look();
  }

  look() {
    this.again = undefined;
    // Menus say that the open page is in them: Streamlit says it inside.
    for (const menu of document.querySelectorAll(`${MENU} [data-testid=stTopNavSection]`)) {
      if (menu.textContent.trim() === this.data.section) menu.setAttribute("aria-current", "true");
      else menu.removeAttribute("aria-current");
    }
    this.bar.look(this.data.page);
  }

  destroy() {
    this.watch.disconnect();
    cancelAnimationFrame(this.again);
    this.presenter.show(false);
    this.presenter.destroy();
    this.bar.destroy();
  }
}
