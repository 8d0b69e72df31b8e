// Pictures beside each other as one SVG, for print: what `dpot_app.live.svg_panels` asks a browser for.

import { decode } from "./frames.js";
import { Picture, node } from "./pieces.js";
import { sheet } from "./sheet.js";
import { Stage } from "./stage.js";
import { SVG } from "./text.js";

/** Pixels of what is painted, such as cells of a map, to a pixel of the SVG. */
const FINE = 4;

async function build({ width, panels, columns }) {
  const stage = new Stage();
  const drawn = [];
  for (const [number, screen] of panels.entries()) {
    const box = node("div", "");
    box.style.width = `${width}px`;
    document.body.append(box);
    const piece = new Picture(stage, box);
    piece.update({ name: `panel-${number}`, families: {}, at: {}, screen });
    if (piece.refusal) throw new Error(piece.refusal.textContent);
    const { title } = decode(screen);
    drawn.push(await sheet({ picture: piece, look: piece.look, title, foot: [] }, FINE * width));
  }
  const whole = document.createElementNS(SVG, "svg");
  let [top, wide] = [0, 0];
  for (let first = 0; first < drawn.length; first += columns) {
    const row = drawn.slice(first, first + columns);
    // Titles have more lines or fewer: what is below them begins at one height.
    const above = Math.max(...row.map((one) => one.above));
    const down = (one) => above - one.above;
    for (const [place, one] of row.entries()) {
      const part = new DOMParser().parseFromString(one.text, "image/svg+xml").documentElement;
      part.setAttribute("x", place * one.width);
      part.setAttribute("y", top + down(one));
      whole.append(part);
    }
    wide = Math.max(wide, row.length * row[0].width);
    top += Math.max(...row.map((one) => down(one) + one.height));
  }
  for (const [name, value] of Object.entries({ width: wide, height: top, viewBox: `0 0 ${wide} ${top}` })) {
    whole.setAttribute(name, value);
  }
  return new XMLSerializer().serializeToString(whole);
}

const made = node("pre", "");
try {
  const text = await build(JSON.parse(document.getElementById("data").textContent));
  made.id = "panels";
  made.textContent = btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
} catch (error) {
  made.id = "failed";
  made.textContent = String(error.stack ?? error);
}
document.body.replaceChildren(made);
