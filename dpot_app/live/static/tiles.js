// Tiles under a map in Mercator's projection. Their server is asked for one first: only where a picture comes back it is
// asked for the others, and they are drawn. Nothing else is asked.

import { patience } from "./patience.js";
import { clamp } from "./ticks.js";

/** Pixels across a tile, and the last level that servers have. */
const SIDE = 256;
const DEEPEST = 19;

export class Tiles {
  /**
   * @param {HTMLElement} element of the map; below it stands who made the tiles, or why there are none
   * @param {{address: string, attribution: string, corner: number[]}} tiles `corner`: where the map's axes begin,
   *   in degrees of longitude to the east and to the north
   * @param {Function} repaint called when there is more to paint
   */
  constructor(element, tiles, repaint) {
    Object.assign(this, { ...tiles, element, repaint, kept: new Map(), state: "new" });
    this.note = Object.assign(document.createElement("p"), { className: "dpot-tiles" });
    this.note.setAttribute("role", "status");
    element.after(this.note);
  }

  /** Paint what is there of the part of the map that is seen, on white, and ask for the rest. */
  paint(context, { axes }) {
    const [x, y] = [axes.get("x"), axes.get("y")];
    const wanted = tilesOn(x, y, this.corner);
    if (!wanted.length) return;
    this.want(wanted);
    const scale = context.getTransform().a;
    // Whole pixels: no lines between tiles.
    const sharp = (pixel) => Math.round(pixel * scale) / scale;
    context.save();
    context.beginPath();
    context.rect(x.ends[0], y.ends[1], x.ends[1] - x.ends[0], y.ends[0] - y.ends[1]);
    context.clip();
    context.fillStyle = "#ffffff";
    context.fill();
    // Those of another level below: something stands there until those of this one come.
    const own = ({ zoom }) => Number(zoom === wanted[0].zoom);
    for (const { picture, zoom, column, row } of [...this.kept.values()].sort((a, b) => own(a) - own(b))) {
      if (!picture) continue;
      const size = 360 / 2 ** zoom;
      const [left, right] = [0, 1].map((more) => sharp(x.toPixel((column + more) * size - 180 - this.corner[0])));
      const [top, bottom] = [0, 1].map((more) => sharp(y.toPixel(180 - (row + more) * size - this.corner[1])));
      context.drawImage(picture, left, top, right - left, bottom - top);
    }
    context.restore();
  }

  /** Ask for tiles: for one, as long as the server is not known; those that are not seen go when all others are there. */
  want(wanted) {
    const come = wanted.every(({ key }) => this.kept.get(key)?.picture !== undefined);
    this.element.ariaBusy = String(this.state !== "failed" && !come);
    if (this.state === "new") {
      this.state = "asked";
      this.note.textContent = "Asking the tile server …";
      this.load(wanted[0]);
    } else if (this.state === "good") {
      const seen = new Set(wanted.map(({ key }) => key));
      for (const [key, tile] of this.kept) if (!seen.has(key) && (come || tile.picture === undefined)) this.drop(key, tile);
      for (const tile of wanted) if (!this.kept.has(tile.key)) this.load(tile);
    }
  }

  async load(tile) {
    const held = { ...tile, stop: new AbortController() };
    this.kept.set(tile.key, held);
    const count = 2 ** tile.zoom;
    // The world goes on beyond the 180th meridian.
    const column = ((tile.column % count) + count) % count;
    const url = this.address.replace("{z}", tile.zoom).replace("{x}", column).replace("{y}", tile.row);
    const found = await pictureAt(url, held.stop.signal);
    if (held.stop.signal.aborted) return found.picture?.close();
    held.picture = found.picture ?? null;
    if (this.state === "asked") {
      this.state = found.picture ? "good" : "failed";
      this.note.classList.toggle("dpot-failed", !found.picture);
      this.note.textContent = found.picture
        ? `Map: ${this.attribution}`
        : `The tile server does not answer with pictures: ${found.why}. The cells stand as they are; `
          + "switch “Show” off and on to ask again.";
    } else if (!found.picture && !this.partly) {
      this.partly = true;
      this.note.textContent += " (some of its pictures did not come)";
    }
    return this.repaint();
  }

  drop(key, { stop, picture }) {
    stop.abort();
    picture?.close();
    this.kept.delete(key);
  }

  destroy() {
    for (const [key, tile] of this.kept) this.drop(key, tile);
    this.element.ariaBusy = null;
    this.note.remove();
  }
}

/** The whole numbers from that of one place to that of another, which begin tiles between them. */
function whole(from, to) {
  const first = Math.floor(from);
  return Array.from({ length: Math.max(0, Math.ceil(to) - first) }, (_, place) => first + place);
}

/** The tiles that the seen part of a map lies on, at the level that fits, from its middle outwards. */
function tilesOn(x, y, [east, north]) {
  const [[left, right], [bottom, top]] = [x.range, y.range];
  const zoom = clamp(Math.round(Math.log2((360 * x.length) / (right - left) / SIDE)), 0, DEEPEST);
  const count = 2 ** zoom;
  const column = (degrees) => ((180 + east + degrees) / 360) * count;
  const row = (degrees) => ((180 - north - degrees) / 360) * count;
  const [i, j] = [row((bottom + top) / 2) - 0.5, column((left + right) / 2) - 0.5];
  const tiles = whole(Math.max(0, row(top)), Math.min(count, row(bottom))).flatMap((down) =>
    whole(column(left), column(right)).map((along) => ({
      zoom, column: along, row: down, away: Math.hypot(along - j, down - i), key: `${zoom}/${along}/${down}`,
    })));
  return tiles.sort((one, other) => one.away - other.away);
}

/** What a server gives: its `picture`, or `why` there is none, as half a sentence. */
async function pictureAt(url, signal) {
  const late = new AbortController();
  const { tiles: most } = patience;
  const limit = setTimeout(() => late.abort(), most);
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([signal, late.signal]) });
    if (!answer.ok) return { why: `it answered ${answer.status}` };
    const blob = await answer.blob();
    const kind = blob.type.split(";")[0].slice(0, 40) || "something else";
    return { picture: await createImageBitmap(blob).catch(() => undefined), why: `it sent ${kind} and no picture` };
  } catch {
    if (late.signal.aborted) return { why: `nothing came within ${most / 1000} seconds` };
    return { why: "it cannot be reached, or does not let other pages read its pictures (CORS)" };
  } finally {
    clearTimeout(limit);
  }
}
