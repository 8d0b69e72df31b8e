// What lies around every page: steps of Back, the menu of the open page, the bar of a narrow screen, the presenter.

import { Bar } from "./bar.js";
import { drawn, keepSteps } from "./history.js";
import { had } from "./board_storage.js";
import { Paper } from "./paper.js";
import { Presenter } from "./presenter.js";
import { announce } from "./announce.js";

const WATCHED = "[data-testid=stTopNav], [data-testid=stSidebar], [class*=st-key-swipe_], .katex-display";
const WORKS = "[data-testid=stProgress]";
const MENU = "[data-testid=stTopNav]";
const CONNECTION = "data-test-connection-state";

/** Stands on every page, once. Told by Python: `{page, section, presenting, asks}`; tells what is `kept`, and `back`. */
export class PageFrame {
  constructor(sliders) {
    keepSteps();
    this.bar = new Bar();
    this.paper = new Paper();
    this.presenter = new Presenter(sliders);
    this.watch = new MutationObserver((changes) => {
      const works = changes.flatMap(({ addedNodes }) => [...addedNodes]).find((one) => one.querySelector?.(WORKS));
      if (works) announce(works);
      if (changes.some(({ target }) => target.closest?.(WATCHED) || target.querySelector?.(WATCHED))) {
        this.again ??= requestAnimationFrame(() => this.look());
      }
    });
    this.watch.observe(document.body, { childList: true, subtree: true });
    this.connection = new MutationObserver(() => this.runAgain());
    this.app = document.querySelector(`[${CONNECTION}]`);
    if (this.app) this.connection.observe(this.app, { attributeFilter: [CONNECTION] });
    this.onResize = () => { this.again ??= requestAnimationFrame(() => this.look()); };
    addEventListener("resize", this.onResize);
  }

  update(data) {
    this.data = data;
    drawn(data.page, data.prefix);
    this.presenter.show(data.presenting);
    const kept = data.asks && had();
    if (kept) this.tell("kept", kept);
    this.look();
  }

  /**
   * When the line is back, let the script run: what was asked over the dead one is lost, and the server may have been
   * started again. Streamlit waits for the next move of a control.
   */
  runAgain() {
    if (this.app.getAttribute(CONNECTION) === "CONNECTED") this.tell("back", performance.now());
  }

  look() {
    this.again = undefined;
    // Menus say that the open page is in them: Streamlit says it inside.
    for (const menu of document.querySelectorAll(`${MENU} [data-testid=stTopNavSection]`)) {
      if (menu.textContent.trim() === this.data.section) menu.setAttribute("aria-current", "true");
      else menu.removeAttribute("aria-current");
    }
    this.bar.look(this.data.page);
    // Pictures that a finger swipes past each other are for the arrow keys too, and formulas wider than a phone.
    for (const row of document.querySelectorAll(
      "[class*=st-key-swipe_] [data-testid=stHorizontalBlock], .katex-display",
    )) {
      if (row.scrollWidth > row.clientWidth) row.tabIndex = 0;
      else row.removeAttribute("tabindex");
    }
  }

  destroy() {
    this.watch.disconnect();
    this.connection.disconnect();
    removeEventListener("resize", this.onResize);
    cancelAnimationFrame(this.again);
    this.presenter.show(false);
    this.presenter.destroy();
    this.bar.destroy();
    this.paper.destroy();
  }
}
