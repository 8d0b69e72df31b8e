// Tiles under a Plotly map. Their server is asked for one picture first: only where that comes the layer is drawn.

import { patience } from "./patience.js";

/** MapLibre's world is so many pixels wide at zoom 0; tiles of 256 pixels are asked for one zoom further in. */
const WORLD = 512;

/**
 * The tiles under the map in an element, with a line below it: who made them, or why there are none.
 * @param {HTMLElement} element
 * @param {Function} redraw called when the layer may be drawn
 */
export function tilesUnder(element, redraw) {
  const note = document.createElement("p");
  note.className = "dpot-tiles";
  note.setAttribute("role", "status");
  element.after(note);
  let asked; // address of the server
  let good = false;
  let partly = false; // whether some of its pictures failed later
  let leave = new AbortController();
  let listening; // the map whose errors are heard

  const failed = (why) => {
    note.classList.add("dpot-failed");
    note.textContent = `The tile server does not answer with pictures: ${why}. The cells stand as they are; `
      + "switch “Show” off and on to ask again.";
  };

  async function ask({ address, attribution }, url) {
    leave.abort();
    const mine = (leave = new AbortController());
    [asked, good, partly] = [address, false, false];
    note.classList.remove("dpot-failed");
    note.textContent = "Asking the tile server …";
    const why = await problem(url, mine.signal);
    if (mine.signal.aborted) return;
    if (why) failed(why);
    else {
      good = true;
      note.textContent = `Map: ${attribution}`;
      redraw();
    }
  }

  return {
    /** The layout with the map's view and, as soon as its server has answered with a picture, the layer. */
    layout(layout, width) {
      const { tiles } = layout.meta;
      const { margin = {} } = layout;
      const view = viewOf(tiles.area, width, layout.height - (margin.t ?? 0) - (margin.b ?? 0));
      if (asked !== tiles.address && width) ask(tiles, tileAt(tiles.address, view));
      else if (good && !partly) note.textContent = `Map: ${tiles.attribution}`;
      const layer = { sourcetype: "raster", source: [tiles.address], below: "traces" };
      return {
        ...layout,
        map: { ...layout.map, ...view, layers: [...(good ? [layer] : []), ...(layout.map.layers ?? [])], uirevision: tiles.area.join() },
      };
    },
    /** Plotly waits for the last tile; what comes next must not wait for a server that has fallen silent. */
    async drawn(promise) {
      let limit;
      const late = new Promise((resolve) => { limit = setTimeout(resolve, patience.tiles); });
      // An error is heard below; Plotly's promise has no more to say of it.
      await Promise.race([promise.catch(() => {}), late]);
      clearTimeout(limit);
      const map = element._fullLayout?.map?._subplot?.map;
      if (!map) return;
      // Soft edges of see-through cells overlap, and would be seen as lines.
      const { layers = [], sources = {} } = map.getStyle() ?? {};
      for (const { id, type, source } of layers) {
        if (type === "fill") map.setPaintProperty(id, "fill-antialias", false);
        // Cells have edges, and a cell's colour is that of no neighbour.
        else if (sources[source]?.type === "image") map.setPaintProperty(id, "raster-resampling", "nearest");
      }
      if (map === listening) return;
      listening = map;
      map.on("error", () => {
        if (good && !partly) note.textContent += " (some of its pictures did not come)";
        partly = true;
      });
    },
    destroy() {
      leave.abort();
      note.remove();
    },
  };
}

/** Why a server does not give a picture, as half a sentence; undefined where it does. */
async function problem(url, signal) {
  const late = new AbortController();
  const { tiles: most } = patience;
  const limit = setTimeout(() => late.abort(), most);
  let answer;
  try {
    answer = await fetch(url, { signal: AbortSignal.any([signal, late.signal]) });
    if (!answer.ok) return `it answered ${answer.status}`;
    const picture = await answer.blob();
    const kind = picture.type.split(";")[0].slice(0, 40) || "something else";
    return await createImageBitmap(picture).then((bitmap) => bitmap.close(), () => `it sent ${kind} and no picture`);
  } catch {
    if (late.signal.aborted) return `nothing came within ${most / 1000} seconds`;
    return "it cannot be reached, or does not let other pages read its pictures (CORS)";
  } finally {
    clearTimeout(limit);
  }
}

/** Middle and zoom at which an area fills a map of some pixels. */
function viewOf([west, south, east, north], width, height) {
  const [low, high] = [south, north].map(northing);
  const room = Math.min(width / (east - west), height / (high - low)) || 1;
  const middle = (2 * Math.atan(Math.exp(((low + high) / 2) * (Math.PI / 180))) - Math.PI / 2) * (180 / Math.PI);
  return { center: { lon: (west + east) / 2, lat: middle }, zoom: Math.max(0, Math.log2((room * 360) / WORLD) - 0.05) };
}

/** Mercator's northing of a latitude, in degrees of longitude. */
function northing(lat) {
  return Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) * (180 / Math.PI);
}

/** The address of the tile in the middle, which the layer asks for as well. */
function tileAt(address, { center: { lon, lat }, zoom }) {
  const z = Math.round(zoom + 1);
  const [x, y] = [180 + lon, 180 - northing(lat)].map((degrees) => Math.floor((degrees / 360) * 2 ** z));
  return address.replace("{z}", z).replace("{x}", x).replace("{y}", y);
}
