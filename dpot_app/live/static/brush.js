// Drawing on a map: each stroke gives weight to the cells that it passes, or takes it from them; a home that is the
// only cell is dragged to another one.

const DIGITS = 4;

/** A cell, by column and row, as what Python reads: shares of the map, and the weight. */
export function placeText(cell, cells, weight) {
  return [...cell.map((place) => (place + 0.5) / cells), weight].map((one) => Number(one.toFixed(DIGITS))).join(" ");
}

export class Brush {
  /**
   * @param {HTMLElement} plot of the map
   * @param {() => {at: Function, spec: object}} map where a place of the screen lies on it, and what it shows
   * @param {(spec: object) => void} show draws a specification at once
   * @param {(text: string) => void} done is told what has been drawn when a stroke ends
   */
  constructor(plot, map, show, done) {
    Object.assign(this, { plot, map, show, done });
    this.heard = {
      pointerdown: (event) => this.begin(event),
      pointermove: (event) => this.pass(event),
      pointerup: () => this.end(),
      pointercancel: () => this.end(),
    };
    for (const [kind, heard] of Object.entries(this.heard)) plot.addEventListener(kind, heard);
    // A finger that moves sideways draws; one that moves up or down scrolls the page.
    plot.style.touchAction = "pan-y";
    plot.style.cursor = "crosshair";
  }

  /** Take what the map shows: weights are its probabilities. */
  take({ cells, weight, total }) {
    Object.assign(this, { cells, weight, total });
  }

  begin(event) {
    const cell = this.cell(event);
    if (cell === null || event.button > 0) return;
    const { customdata } = this.map().spec.data[0];
    const flat = Array.from(customdata).flatMap((row) => Array.from(row));
    this.weights ??= new Map(flat.flatMap((share, place) => (share > 0 ? [[place, share * this.total]] : [])));
    this.takes = this.weights.has(cell);
    this.carries = this.takes && this.weights.size === 1;
    this.plot.setPointerCapture(event.pointerId);
    this.drawing = true;
    this.put(cell);
  }

  pass(event) {
    if (!this.drawing) return;
    const cell = this.cell(event);
    if (cell !== null) this.put(cell);
  }

  put(cell) {
    if (this.carries) {
      const [[home, weight]] = this.weights;
      if (cell === home) return;
      this.weights = new Map([[cell, weight]]);
    } else if (this.takes ? !this.weights.delete(cell) : this.weights.get(cell) === this.weight) return;
    if (!this.takes) this.weights.set(cell, this.weight);
    const { spec } = this.map();
    const [heat, ...others] = spec.data;
    const total = [...this.weights.values()].reduce((sum, weight) => sum + weight, 0) || 1;
    const share = (row, column) => (this.weights.get(row * this.cells + column) ?? 0) / total;
    const table = (of) => Array.from({ length: this.cells }, (_, row) =>
      Float64Array.from({ length: this.cells }, (__, column) => of(share(row, column))));
    this.show({ ...spec, data: [{ ...heat, z: table(Math.cbrt), customdata: table((one) => one) }, ...others] });
  }

  end() {
    if (!this.drawing) return;
    this.drawing = false;
    const places = [...this.weights].map(([cell, weight]) =>
      placeText([cell % this.cells, Math.floor(cell / this.cells)], this.cells, weight));
    if (places.length) this.done(places.join("; "));
  }

  /** Forget the strokes: Python has drawn them. */
  settle() {
    if (!this.drawing) this.weights = undefined;
  }

  cell(event) {
    const place = this.map().at(event.clientX, event.clientY);
    if (!place) return null;
    const [column, row] = place.map((share) => Math.min(this.cells - 1, Math.floor(share * this.cells)));
    return row * this.cells + column;
  }

  destroy() {
    for (const [kind, heard] of Object.entries(this.heard)) this.plot.removeEventListener(kind, heard);
    this.plot.style.touchAction = this.plot.style.cursor = "";
  }
}
