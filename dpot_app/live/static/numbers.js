// The numbers behind a picture as tables, in a dialog over the page.

import { below } from "./root.js";

/**
 * @param {HTMLElement} figure which it stands in
 * @param {{numbers: string}} menu with the address of the numbers
 * @param {string} title of the picture that has these numbers
 * @param {HTMLElement} opener to which the keys go back
 */
export async function showNumbers(figure, { numbers }, title, opener) {
  const answer = await fetch(below(numbers));
  if (!answer.ok) throw new Error("the page has been drawn anew; try again");
  const tables = await answer.json();
  const box = made("dialog", "dpot-numbers");
  const head = made("h2", "", title);
  head.id = "dpot-numbers";
  box.setAttribute("aria-labelledby", head.id);
  const close = made("button", "", "Close");
  close.type = "button";
  close.onclick = () => box.close();
  const words = "Three digits; all of them, and all rows, are in the CSV files under “Take it away”.";
  box.append(close, head, made("p", "dpot-caption", words), ...tables.flatMap(written));
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  box.addEventListener("close", () => {
    box.remove();
    opener.focus();
  });
  figure.append(box);
  box.showModal();
}

function written({ name, heads, rows, count }) {
  const all = rows.length === count;
  const title = made("h3", "", `${name}: ${all ? "" : `the first ${rows.length} of `}${count.toLocaleString("en")} rows`);
  const table = document.createElement("table");
  const [head, body] = [table.createTHead(), table.createTBody()];
  head.append(row(heads, () => Object.assign(made("th"), { scope: "col" })));
  body.append(...rows.map((cells) => row(cells, () => made("td"))));
  table.setAttribute("aria-label", name);
  const box = made("div", "dpot-table");
  // What scrolls can be scrolled by keys.
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", name);
  box.append(table);
  return [title, box];
}

function row(cells, make) {
  const line = document.createElement("tr");
  line.append(...cells.map((text) => Object.assign(make(), { textContent: text })));
  return line;
}

function made(tag, className = "", textContent = "") {
  return Object.assign(document.createElement(tag), { className, textContent });
}
