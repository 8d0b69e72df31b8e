// What `make vendor-pdf` bundles into pdf-vendor.js: what draws a PDF, and the letters that `pdf-letters.js` chooses.
export { jsPDF } from "jspdf";
export { svg2pdf } from "svg2pdf.js";
export { default as regular } from "./regular.ttf";
export { default as semibold } from "./semibold.ttf";
export { default as signs } from "./signs.ttf";
