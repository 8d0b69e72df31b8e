// One picture as a PDF of one page: lines and shapes as such, letters that can be selected, what is painted as an image.
//
// This and what draws the PDF are loaded when somebody asks for one. What is drawn is the sheet that SVG files are.

import { jsPDF, regular, semibold, signs, svg2pdf } from "./pdf-vendor.js";
import { SVG } from "./text.js";

/** Points across a page: 7 inches. */
const WIDE = 504;
/** What the letters of pictures lack; see `pdf-letters.js`. */
const SIGNS = /[★✕◇✚⋯≲∣]/;
const SIGNED = "DejaVu Sans";

/**
 * @param {{text: string, width: number, height: number, family: string}} drawn see `sheet.js`
 * @param {{title: string, foot: string[]}} shown
 * @returns {Promise<Blob>}
 */
export async function pdf({ text, width, height, family }, { title, foot }) {
  const high = (WIDE * height) / width;
  const page = new jsPDF({
    unit: "pt", format: [WIDE, high], orientation: WIDE > high ? "l" : "p", compress: true, putOnlyUsedFonts: true,
  });
  const first = family.split(",")[0].replaceAll(/["']/g, "").trim();
  for (const [file, letters, name, weight] of [
    ["regular.ttf", regular, first, 400],
    ["semibold.ttf", semibold, first, 600],
    ["semibold.ttf", semibold, first, 700],
    ["signs.ttf", signs, SIGNED, 400],
    ["signs.ttf", signs, SIGNED, 600],
  ]) {
    page.addFileToVFS(file, letters);
    page.addFont(file, name, "normal", weight);
  }
  page.setProperties({ title, subject: foot.join(" ") });
  page.setLanguage("en");
  page.viewerPreferences({ DisplayDocTitle: true });
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  for (const words of root.querySelectorAll("text")) prepare(words);
  await svg2pdf(root, page, { x: 0, y: 0, width: WIDE, height: high });
  return page.output("blob");
}

/** Letters as the PDF can have them: signs from their own font, an edge behind them as letters of its own. */
function prepare(words) {
  const walker = document.createTreeWalker(words, NodeFilter.SHOW_TEXT);
  const pieces = [];
  while (walker.nextNode()) pieces.push(walker.currentNode);
  for (const piece of pieces.filter(({ data }) => SIGNS.test(data))) {
    piece.replaceWith(...piece.data.split(new RegExp(`(${SIGNS.source})`)).filter(Boolean).map((part) => {
      const span = words.ownerDocument.createElementNS(SVG, "tspan");
      span.textContent = part;
      if (SIGNS.test(part)) span.setAttribute("font-family", SIGNED);
      return span;
    }));
  }
  if (!/stroke/.test(words.getAttribute("paint-order") ?? words.style.paintOrder)) return;
  const edge = words.cloneNode(true);
  const inner = words.cloneNode(true);
  inner.removeAttribute("stroke");
  inner.style.stroke = "none";
  words.replaceWith(edge, inner);
}
