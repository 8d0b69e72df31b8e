// What `make vendor` bundles into d3.js.
export { rgb } from "d3-color";
export { contours } from "d3-contour";
export { easeCubicOut } from "d3-ease";
export { format } from "d3-format";
export { interpolateRgb } from "d3-interpolate";
export { area, curveCatmullRom, curveLinear, curveStep, curveStepAfter, curveStepBefore, line } from "d3-shape";
