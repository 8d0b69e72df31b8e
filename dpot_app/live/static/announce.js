// What a screen reader hears once a move rests: the titles that have changed, and that something is being computed.

import { patience } from "./patience.js";

const told = new Set();
// It has to stand before its words change.
const box = Object.assign(document.createElement("div"), { className: "dpot-said", ariaLive: "polite" });
box.setAttribute("role", "status");
document.body.append(box);
let timer;

/** An element whose words are new; what is gone or hidden by then is not told. */
export function announce(element) {
  told.add(element);
  clearTimeout(timer);
  timer = setTimeout(() => {
    box.textContent = [...told].filter((one) => one.checkVisibility()).map((one) => one.innerText.trim()).join(". ");
    told.clear();
  }, patience.said);
}
