// The menu at a picture: PNG, SVG and PDF of what stands there, its numbers, and the page as a slide.

import { showNumbers } from "./numbers.js";
import { pixels, sheet } from "./sheet.js";

const NAME = "Save this picture, or read its numbers";
/** Pixels across a PNG, and across what is painted in a PDF: 7 inches at 300 dpi. */
const [PNG, PDF] = [1600, 2100];
const FILES = {
  "PNG, 1600 pixels wide": ["png", async (shown) => blobOf(await pixels(await sheet(shown, PNG), PNG))],
  "SVG, to any size": ["svg", async (shown) => new Blob([(await sheet(shown, PNG)).text], { type: "image/svg+xml" })],
  "PDF, to any size": ["pdf", async (shown) => (await import("./pdf.js")).pdf(await sheet(shown, PDF), shown)],
};

export class Menu {
  /** @param {object} picture see `pieces.js` */
  constructor(picture) {
    this.picture = picture;
    this.button = made("button", { type: "button", className: "dpot-take", textContent: "⋯", title: NAME });
    this.box = made("div", { className: "dpot-menu", popover: "auto" });
    this.box.setAttribute("role", "group");
    this.button.popoverTargetElement = this.box;
    this.box.addEventListener("beforetoggle", (event) => { if (event.newState === "open") this.fill(); });
    this.box.addEventListener("toggle", (event) => { if (event.newState === "open") this.place(); });
    // It stays beside its button while the page scrolls.
    this.onScroll = () => { if (this.open) this.place(); };
    addEventListener("scroll", this.onScroll, { capture: true, passive: true });
    // After the title and before what it is about, for eyes and for keys.
    picture.title.after(this.button, this.box);
    picture.figure.classList.add("dpot-taken");
  }

  get open() {
    return this.box.matches(":popover-open");
  }

  /** Pages have many of these: each is called by its picture too. */
  name(title) {
    for (const one of [this.button, this.box]) one.setAttribute("aria-label", `${NAME}: ${title}`);
  }

  update(menu) {
    this.menu = menu;
  }

  fill() {
    const { picture, menu } = this;
    const files = Object.entries(FILES).map(([label, [ending, make]]) =>
      this.entry(label, async () => {
        const { title, foot = [] } = picture.part.screen;
        save(await make({ picture, look: picture.look, title: title || menu.title, foot }), `${menu.file}.${ending}`);
      }));
    const slide = menu.more && made("a", { textContent: "Slide: this page in presenter view", href: slideOf(menu), target: "_blank", rel: "noopener" });
    const numbers = menu.numbers
      && this.entry("Numbers as tables", () => showNumbers(picture.figure, menu, picture.part.settled.title, this.button));
    this.said = made("p", { className: "dpot-caption" });
    this.said.setAttribute("role", "status");
    this.box.replaceChildren(...[numbers, ...files, slide, this.said].filter(Boolean));
  }

  entry(label, does) {
    const button = made("button", { type: "button", textContent: label });
    button.onclick = async () => {
      button.disabled = true;
      this.said.textContent = "";
      try {
        await does();
        if (this.open) this.box.hidePopover();
      } catch (error) {
        this.said.textContent = `This did not work: ${error.message}`;
      }
      button.disabled = false;
    };
    return button;
  }

  /** Under its button, inside the window. */
  place() {
    const { right, bottom, top } = this.button.getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: high } = this.box;
    const below = bottom + 4 + high <= innerHeight;
    this.box.style.left = `${Math.max(8, Math.min(right, innerWidth - 8) - wide)}px`;
    this.box.style.top = `${below ? bottom + 4 : Math.max(8, top - 4 - high)}px`;
  }

  destroy() {
    removeEventListener("scroll", this.onScroll, { capture: true });
    this.button.remove();
    this.box.remove();
    this.picture.figure.classList.remove("dpot-taken");
  }
}

/** The address of what is seen, with what the address bar does not show, in presenter view. */
function slideOf({ more, page }) {
  const url = new URL(page ?? location.href, location.href);
  for (const [name, value] of Object.entries(more)) {
    url.searchParams.delete(name);
    for (const one of [value].flat()) url.searchParams.append(name, one);
  }
  url.searchParams.set("teach_present", "true");
  return url.href;
}

function save(blob, name) {
  const href = URL.createObjectURL(blob);
  made("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

function blobOf(canvas) {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("it is too large"))), "image/png");
  });
}

function made(tag, how) {
  return Object.assign(document.createElement(tag), how);
}
