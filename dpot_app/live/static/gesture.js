// What a hand draws over a picture: a curve from left to right, or a box. Python is told of it in shares of the panel.

const SVG = "http://www.w3.org/2000/svg";
const DIGITS = 4;

/** Points of a curve that goes on to the right only, in shares of the panel; what is beside an earlier one replaces it. */
export function onward(points) {
  const kept = [];
  for (const point of points) {
    while (kept.length && kept.at(-1)[0] >= point[0]) kept.pop();
    kept.push(point);
  }
  return kept;
}

/** The corners of a box around a curve's two ends: [west, south, east, north]. */
export function boxed(points) {
  const [[x, y], [u, v]] = [points[0], points.at(-1)];
  return [Math.min(x, u), Math.min(y, v), Math.max(x, u), Math.max(y, v)];
}

const text = (numbers) => numbers.map((one) => Number(one.toFixed(DIGITS))).join(" ");

export class Gesture {
  /**
   * @param {HTMLElement} plot of the picture
   * @param {"curve" | "box"} kind
   * @param {(x: number, y: number) => [number, number] | null} at where a place of the screen lies on the panel
   * @param {(text: string) => void} done is told what has been drawn when the hand lets go
   */
  constructor(plot, kind, at, done) {
    Object.assign(this, { plot, kind, at, done });
    this.heard = {
      pointerdown: (event) => this.begin(event),
      pointermove: (event) => this.pass(event),
      pointerup: () => this.end(),
      pointercancel: () => this.forget(),
    };
    for (const [name, heard] of Object.entries(this.heard)) plot.addEventListener(name, heard);
    // A finger that moves sideways draws; one that moves up or down scrolls the page.
    Object.assign(plot.style, { touchAction: "pan-y", cursor: "crosshair" });
  }

  begin(event) {
    const place = event.button > 0 ? null : this.at(event.clientX, event.clientY);
    if (!place) return;
    this.plot.setPointerCapture(event.pointerId);
    this.points = [place];
    this.pixels = [this.pixel(event)];
    this.mark = document.createElementNS(SVG, "svg");
    this.mark.setAttribute("class", "dpot-gesture");
    this.mark.append(document.createElementNS(SVG, "path"));
    this.plot.append(this.mark);
  }

  pass(event) {
    if (!this.points) return;
    const place = this.at(event.clientX, event.clientY);
    if (!place) return;
    this.points.push(place);
    this.pixels.push(this.pixel(event));
    const [x, y, u, v] = boxed(this.pixels);
    const path = this.kind === "box" ? `M${x},${y}H${u}V${v}H${x}Z` : `M${this.pixels.join("L")}`;
    this.mark.firstChild.setAttribute("d", path);
  }

  end() {
    const points = this.points ?? [];
    this.forget();
    const drawn = this.kind === "box" ? [boxed(points.length ? points : [[0, 0]])] : onward(points);
    // A click draws nothing.
    if (points.length > 1) this.done(drawn.map(text).join("; "));
  }

  forget() {
    this.points = undefined;
    this.mark?.remove();
  }

  pixel({ clientX, clientY }) {
    const { left, top } = this.plot.getBoundingClientRect();
    return [Math.round(clientX - left), Math.round(clientY - top)];
  }

  destroy() {
    this.forget();
    for (const [name, heard] of Object.entries(this.heard)) this.plot.removeEventListener(name, heard);
    this.plot.style.touchAction = this.plot.style.cursor = "";
  }
}
