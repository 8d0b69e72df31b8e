// A Plotly figure that is updated in place, with the look of the app.

import { below } from "./root.js";
import { legible } from "./text.js";
import { tilesUnder } from "./tiles.js";

const CONFIG = {
  displaylogo: false,
  // Plotly's button “Share chart” would send the data to another machine.
  showSendToCloud: false,
  // Scroll zoom would trap a finger or a wheel that means to scroll the page; the plot's buttons still zoom.
  scrollZoom: false,
  modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
  responsive: false,
};

let loading;

/** Elements whose figure leaves once it is drawn: Plotly throws where one is purged under its drawing. */
const leaving = new WeakMap();

/** Load plotly.js, once. */
export function load(address) {
  loading ??= window.Plotly ? Promise.resolve() : new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = below(address);
    script.onload = resolve;
    script.onerror = () => { loading = undefined; script.remove(); reject(new Error(`${address} did not load`)); };
    document.head.append(script);
  });
  return loading;
}

/** Put a Plotly figure into an element; `show` replaces it in place and keeps the reader's zoom. */
export function mount(element, look, address) {
  let wanted = null;
  let drawing = null;
  let revision = "";
  let current = look;
  let tiles = null;
  let last = null;
  // What is wanted by now has the layer too.
  const again = () => { if (!wanted) show(last); };

  async function draw() {
    await Promise.all([load(address), leaving.get(element)]);
    while (wanted) {
      const spec = (last = wanted);
      wanted = null;
      // At once: what glides is drawn by `picture.js`.
      const still = { uirevision: revision, transition: undefined };
      let layout = { ...themed(spec.layout, current, element.clientWidth), ...still };
      if (layout.meta?.tiles) layout = (tiles ??= tilesUnder(element, again)).layout(layout, element.clientWidth);
      const drawn = window.Plotly.react(element, spec.data.map((trace) => ({ ...trace })), layout, CONFIG);
      await (tiles ? tiles.drawn(drawn) : drawn);
      element._spec = spec;
    }
    drawing = null;
  }

  /** While the revision is the same, the reader's zoom and hidden lines stay. */
  function show(spec, { revision: next = revision } = {}) {
    wanted = spec;
    revision = next;
    drawing ??= draw();
    return drawing;
  }

  return {
    element,
    show,
    /** What stands there, for a file: see `picture.js`. */
    async layers() {
      const { width, height } = element._fullLayout;
      const address = await window.Plotly.toImage(element, { format: "svg", width, height });
      const text = legible(decodeURIComponent(address.slice(address.indexOf(",") + 1)));
      return { width, height, layers: [new DOMParser().parseFromString(text, "image/svg+xml").documentElement] };
    },
    look: (next) => { current = next; if (element._spec) show(element._spec); },
    resize: () => { if (element._spec && element._fullLayout?.width !== element.clientWidth) show(element._spec); },
    destroy() {
      wanted = null;
      tiles?.destroy();
      const purge = () => window.Plotly?.purge(element);
      if (!drawing) purge();
      else leaving.set(element, drawing.then(purge, purge));
    },
  };
}

function themed(layout, look, width) {
  const template = layout.template ?? {};
  return {
    ...layout,
    width,
    autosize: false,
    template: { ...template, layout: merged(template.layout ?? {}, theme(look)) },
    font: { ...layout.font, ...(look.large ? { size: look.size } : {}) },
  };
}

function theme({ text, faded, line, background, font, size }) {
  const small = { color: faded, size };
  const axis = { gridcolor: line, zerolinecolor: line, tickcolor: line, tickfont: small, automargin: true };
  return {
    font: { color: faded, family: font, size },
    paper_bgcolor: background,
    plot_bgcolor: background,
    title: { font: { color: text, family: font } },
    legend: { font: { color: text, size }, title: { font: { color: faded, size } } },
    xaxis: { ...axis, showgrid: false, zeroline: false, title: { font: { color: faded, size: size + 2 }, standoff: 16 } },
    yaxis: { ...axis, title: { font: { color: faded, size: size + 2 }, standoff: 20 } },
    margin: { pad: 8, r: 0, l: 0 },
    hoverlabel: { bgcolor: background, bordercolor: line, font: { color: faded, family: font, size } },
    coloraxis: { colorbar: colorbar(faded, size) },
  };
}

function colorbar(faded, size) {
  return {
    thickness: 16, xpad: 20, ticklabelposition: "outside", outlinecolor: "rgba(0,0,0,0)", outlinewidth: 8,
    len: 0.75, y: 0.5745, title: { font: { color: faded, size: size + 2 } }, tickfont: { color: faded, size },
  };
}

function merged(base, over) {
  const out = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const plain = value && typeof value === "object" && !Array.isArray(value);
    out[key] = plain ? merged(base[key] ?? {}, value) : value;
  }
  return out;
}
