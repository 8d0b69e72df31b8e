/** The box beside the mouse: it lies over the picture and changes nothing of it. */

import { makeMemory, nearest, words } from "./hover.js";
import { parse } from "./text.js";

/** Listen on a stage; `state()` gives what is shown. */
export function makeHover(stage, state) {
  const box = document.createElement("div");
  box.className = "dpot-hover";
  box.setAttribute("aria-hidden", "true");
  box.hidden = true;
  stage.root.append(box);
  const remembered = makeMemory();
  let where = null;

  const hide = () => {
    where = null;
    box.hidden = true;
  };
  const refresh = () => {
    const { shown, scene, hidden, look } = state();
    const found = where && scene && nearest(shown, scene, hidden, ...where, remembered);
    if (box.hidden === Boolean(found)) box.hidden = !found;
    if (found) showBox(box, found, scene, look);
  };
  const move = (event) => {
    const { left, top } = stage.root.getBoundingClientRect();
    where = [event.clientX - left, event.clientY - top];
    refresh();
  };
  // A finger that is lifted leaves the picture, but its owner still reads: the box goes with the next touch elsewhere.
  const leave = (event) => {
    if (event.pointerType !== "touch") hide();
  };
  const elsewhere = (event) => {
    if (where && !stage.root.contains(event.target)) hide();
  };
  const listened = { pointermove: move, pointerdown: move, pointerleave: leave, pointercancel: hide };
  for (const name in listened) stage.root.addEventListener(name, listened[name]);
  document.addEventListener("pointerdown", elsewhere);
  return {
    refresh,
    destroy() {
      document.removeEventListener("pointerdown", elsewhere);
    },
  };
}

function showBox(box, found, scene, look) {
  const [text, extra] = words(found, scene);
  const colour = colourOf(found, look);
  box.style.cssText = `position:absolute;pointer-events:none;left:0;top:0;z-index:1;padding:3px 6px;white-space:nowrap;
    max-width:${scene.width}px;box-sizing:border-box;overflow:hidden;border-radius:2px;border:1px solid ${colour};
    background:${look.background};color:${look.text};font:${look.size}px ${look.font};line-height:1.3`;
  box.textContent = "";
  box.append(...nodes(text));
  if (extra) {
    const name = document.createElement("span");
    name.style.cssText = `margin-left:8px;color:${colour};filter:saturate(1.2)`;
    name.append(...nodes(extra));
    box.append(name);
  }
  const { width, height } = box.getBoundingClientRect();
  if (width >= scene.width - 1) box.style.whiteSpace = "normal";
  const right = found.x + 10 + width <= scene.width;
  const left = right ? found.x + 10 : Math.max(0, found.x - 10 - width);
  const top = Math.max(0, Math.min(scene.height - height, found.y - height / 2));
  box.style.transform = `translate(${Math.round(left)}px,${Math.round(top)}px)`;
}

function colourOf({ trace, place }, look) {
  const given = trace.marker?.color ?? trace.line?.color;
  const one = typeof given === "string" ? given : given?.[place];
  return typeof one === "string" ? one : look.text;
}

function nodes(html) {
  return parse(html).flatMap((line, row) => {
    const runs = line.map(({ text, bold, italic, shift }) => {
      const node = document.createElement(shift ?? (bold ? "b" : italic ? "i" : "span"));
      node.textContent = text;
      return node;
    });
    return row ? [document.createElement("br"), ...runs] : runs;
  });
}
