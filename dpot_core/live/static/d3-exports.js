// What `make vendor` bundles into d3.js.
export { bisectCenter } from "d3-array";
export { color, rgb } from "d3-color";
export { contours } from "d3-contour";
export { easeCubicOut } from "d3-ease";
export { format } from "d3-format";
export { interpolateNumber, interpolateRgb, piecewise } from "d3-interpolate";
export {
  arc,
  area,
  curveCatmullRom,
  curveLinear,
  curveStep,
  curveStepAfter,
  curveStepBefore,
  line,
} from "d3-shape";
