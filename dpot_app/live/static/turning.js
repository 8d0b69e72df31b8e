/** Turns a picture in space: by the mouse, by a finger that goes sideways, and by the arrow keys. */

const STEP = 15;
const SLACK = 3;
const KEYS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

/**
 * Listen on an element.
 * @param {HTMLElement} element
 * @param {{by: Function, home: Function}} turn `by(right, down)` turns by pixels, `home()` back
 * @returns {{allow: Function, destroy: Function}} `allow(yes)`: whether there is something to turn
 */
export function makeTurning(element, turn) {
  let allowed = false;
  let held = null;

  const down = (event) => {
    // A click on the legend is none on the ball.
    if (!allowed || event.button !== 0 || !event.isPrimary || event.target.closest(".legend-entry")) return;
    held = { id: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
  };
  const move = (event) => {
    if (held?.id !== event.pointerId) return;
    const [right, under] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.moved && Math.hypot(right, under) < SLACK) return;
    // A finger that sets out upwards or downwards means to scroll the page.
    if (!held.moved && event.pointerType === "touch" && Math.abs(under) > Math.abs(right)) {
      held = null;
      return;
    }
    if (!held.moved) element.setPointerCapture(event.pointerId);
    element.style.cursor = "grabbing";
    held = { id: held.id, x: event.clientX, y: event.clientY, moved: true };
    turn.by(right, under);
  };
  const up = (event) => {
    if (held?.id !== event.pointerId) return;
    held = null;
    element.style.cursor = allowed ? "grab" : "";
  };
  const back = (event) => {
    if (allowed && !event.target.closest(".legend-entry")) turn.home();
  };
  const key = (event) => {
    if (!allowed || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key !== "Home" && !(event.key in KEYS)) return;
    event.preventDefault();
    if (event.key === "Home") turn.home();
    else turn.by(...KEYS[event.key]);
  };
  const listened = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up, dblclick: back, keydown: key };
  for (const name in listened) element.addEventListener(name, listened[name]);

  const allow = (yes) => {
    if (yes === allowed) return;
    allowed = yes;
    held = null;
    // A finger that goes up or down scrolls the page.
    Object.assign(element.style, { cursor: yes ? "grab" : "", touchAction: yes ? "pan-y pinch-zoom" : "" });
    for (const [name, value] of [["tabindex", "0"], ["aria-description", "Arrow keys turn it, Home turns it back."]]) {
      if (yes) element.setAttribute(name, value);
      else element.removeAttribute(name);
    }
  };
  return {
    allow,
    destroy() {
      allow(false);
      for (const name in listened) element.removeEventListener(name, listened[name]);
    },
  };
}
