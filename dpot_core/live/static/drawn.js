// The types of traces that `picture.js` draws. Python reads this as well: the array is JSON.
export default ["bar", "scatter", "scattergl", "heatmap", "contour", "barpolar", "scatterpolar", "surface", "scatter3d"];
