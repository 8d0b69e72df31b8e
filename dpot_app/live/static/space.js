/** Space as `layout.scene` and its camera show it: from numbers on three axes to pixels. */

// Plotly's lens; without perspective, the box is half as high as the picture.
const LENS = Math.tan(Math.PI / 8);
// A turn does not go over the poles: what is up stays up.
const STEEP = (89 * Math.PI) / 180;
const ROUND = 2e-3;

/** Whether a trace lies in space. */
export const inSpace = (trace) => trace.type === "surface" || trace.type === "scatter3d";

/** The scene of the layout that a trace in space lies in. */
export const sceneId = (trace) => trace.scene ?? "scene";

/** A view that has not been turned: radians around the upright axis, and upwards. */
export const UNTURNED = Object.freeze({ around: 0, up: 0 });

/**
 * @param {object} options of the scene: ranges of its axes, camera, domain
 * @param {{l: number, t: number, w: number, h: number}} plot in pixels
 * @param {{around: number, up: number}} turn
 */
export function spaceOf({ xaxis, yaxis, zaxis, camera = {}, domain = {} }, plot, turn) {
  const { x: across = [0, 1], y: down = [0, 1] } = domain;
  const area = {
    x: plot.l + across[0] * plot.w,
    y: plot.t + (1 - down[1]) * plot.h,
    width: (across[1] - across[0]) * plot.w,
    height: (down[1] - down[0]) * plot.h,
  };
  const eye = { x: 1.25, y: 1.25, z: 1.25, ...camera.eye };
  const away = Math.hypot(eye.x, eye.y, eye.z);
  const around = Math.atan2(eye.y, eye.x) + turn.around;
  const own = Math.asin(eye.z / away);
  const up = steep(own + turn.up);
  const [sa, ca, su, cu] = [Math.sin(around), Math.cos(around), Math.sin(up), Math.cos(up)];
  const flat = camera.projection?.type === "orthographic";
  return {
    area,
    own,
    up,
    middles: [xaxis, yaxis, zaxis].map(({ range: [low, high] }) => (low + high) / 2),
    lengths: [xaxis, yaxis, zaxis].map(({ range: [low, high] }) => high - low),
    // Where the picture's right, its top and its viewer are.
    right: [-sa, ca, 0],
    top: [-su * ca, -su * sa, cu],
    viewer: [cu * ca, cu * sa, su],
    away: flat ? Infinity : away,
    // Pixels of a length in the middle that is as long as the box.
    unit: flat ? area.height / 2 : area.height / 2 / LENS / away,
  };
}

const steep = (angle) => Math.max(-STEEP, Math.min(STEEP, angle));

/** The turn of a picture after a drag by so many pixels: what is in the middle of the near side follows the finger. */
export function turnedIn({ spaces: [name], layout, plot }, turn, right, down) {
  const { unit, up, own } = spaceOf(layout[name], plot, turn);
  return { around: turn.around - (2 * right) / unit, up: steep(up + (2 * down) / unit) - own };
}

/**
 * Where points are seen: `at` has three numbers for each, pixels from the left, from the top, and how near it is, which
 * changes evenly along every straight line on the screen.
 */
export function seen(space, x, y, z) {
  const count = x.length;
  const at = new Float64Array(3 * count);
  const { area, middles, lengths, right, top, viewer, away, unit } = space;
  const [cx, cy] = [area.x + area.width / 2, area.y + area.height / 2];
  for (let place = 0; place < count; place += 1) {
    const p = (x[place] - middles[0]) / lengths[0];
    const q = (y[place] - middles[1]) / lengths[1];
    const r = (z[place] - middles[2]) / lengths[2];
    const close = p * viewer[0] + q * viewer[1] + r * viewer[2];
    const scale = away === Infinity ? 1 : away / (away - close);
    at[3 * place] = cx + unit * scale * (p * right[0] + q * right[1] + r * right[2]);
    at[3 * place + 1] = cy - unit * scale * (p * top[0] + q * top[1] + r * top[2]);
    at[3 * place + 2] = away === Infinity ? close : scale - 1;
  }
  return at;
}

/** Rows of numbers one after the other. */
export function flattened(rows) {
  const columns = rows[0].length;
  const flat = new Float64Array(rows.length * columns);
  for (let row = 0; row < rows.length; row += 1) flat.set(rows[row], row * columns);
  return flat;
}

/** The radius of the sphere around the origin on which all points lie, up to what rounding does; NaN without one. */
export function radiusOf(x, y, z) {
  let [least, most] = [Infinity, 0];
  const look = (p, q, r) => {
    if (typeof p === "object" && p !== null) {
      for (let place = 0; place < p.length; place += 1) look(p[place], q[place], r[place]);
      return;
    }
    const away = Math.hypot(p, q, r);
    if (!(away >= least)) least = away;
    if (!(away <= most)) most = away;
  };
  look(x, y, z);
  return most > 0 && most - least <= ROUND * most ? (least + most) / 2 : NaN;
}
