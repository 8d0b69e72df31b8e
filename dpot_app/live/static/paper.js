// On paper: what the controls of the sidebar say, in words under the title, and pictures as wide as the sheet.

import { node, pictures } from "./pieces.js";

const HEADING = ".stMain [data-testid=stHeading]";
const ASKED = "[data-testid=stSidebarUserContent] [data-testid=stElementContainer]:not([class*=st-key-teach_])";
const CHOSEN = "button:is([aria-pressed=true], [aria-checked=true]), [role=radio][aria-checked=true]";
const GIVEN = "input:not([type=hidden], [type=file]), textarea";

export class Paper {
  constructor() {
    this.settings = node("dl", "dpot-settings");
    this.heard = { beforeprint: () => this.lay(), afterprint: () => this.take() };
    for (const [name, does] of Object.entries(this.heard)) addEventListener(name, does);
  }

  /** What `paper.css` says holds from here on, before it is printed: pictures learn how wide they are. */
  lay() {
    const rows = [...document.querySelectorAll(ASKED)].map(row).filter(Boolean);
    this.settings.replaceChildren(...rows);
    if (rows.length) document.querySelector(HEADING)?.after(this.settings);
    this.turn(true);
  }

  take() {
    this.settings.remove();
    this.turn(false);
  }

  turn(onPaper) {
    document.documentElement.classList.toggle("dpot-paper", onPaper);
    for (const picture of pictures) picture.resize();
  }

  destroy() {
    for (const [name, does] of Object.entries(this.heard)) removeEventListener(name, does);
    this.take();
  }
}

/** A control's label and what it says; none where it has either not. */
function row(box) {
  const [label, value] = [box.querySelector("[data-testid=stWidgetLabel] p")?.textContent, valueOf(box)];
  if (!label || !value) return undefined;
  const made = node("div", "");
  made.append(Object.assign(node("dt", ""), { textContent: label }), Object.assign(node("dd", ""), { textContent: value }));
  return made;
}

/** What those hear who do not see it. */
function valueOf(box) {
  const chosen = [...box.querySelectorAll(CHOSEN)].map((one) => one.textContent.trim());
  return (chosen.length ? chosen : [...box.querySelectorAll(GIVEN)].map(said)).filter(Boolean).join(", ");
}

function said(one) {
  if (one.type === "checkbox") return one.checked ? "on" : "off";
  return one.getAttribute("aria-valuetext") || one.value;
}
