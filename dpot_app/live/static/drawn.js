// What of Plotly's figures `picture.js` draws, for `refused` in spec.js. An entry that may be left out has null among its values.
export default {
  "traces": ["bar", "scatter", "scattergl", "heatmap", "contour", "barpolar", "scatterpolar", "surface", "scatter3d"],
  "unread": [
    "base", "error_x", "groupnorm", "histfunc", "stackgroup", "texttemplate", "transforms", "xgap", "ygap"
  ],
  "axes": [null, "-", "linear", "log"],
  "lines": [null, "linear", "hv", "vh", "hvh", "spline"],
  "fills": [null, "none", "toself", "tozeroy", "tonexty"],
  "bars": [null, "group", "overlay"],
  "shapes": ["line", "rect"],
  "symbols": [
    "circle", "square", "diamond", "diamond-tall", "diamond-wide", "cross", "x", "triangle-up", "triangle-down",
    "triangle-left", "triangle-right", "pentagon", "hexagon", "hexagon2", "octagon", "star", "hourglass", "bowtie",
    "line-ew", "line-ns", "cross-thin", "x-thin", "arrow"
  ],
  "scales": ["Viridis", "RdBu"],
  "space": {
    "surface": [
      "type", "name", "x", "y", "z", "scene", "hoverinfo", "visible", "showlegend", "legendgroup", "surfacecolor",
      "colorscale", "reversescale", "cmin", "cmax", "showscale", "lighting"
    ],
    "scatter3d": [
      "type", "name", "x", "y", "z", "scene", "hoverinfo", "visible", "showlegend", "legendgroup", "mode", "marker",
      "opacity"
    ],
    "marker": ["color", "size", "symbol", "opacity", "line"],
    "lighting": ["ambient", "diffuse", "specular", "roughness"],
    "scene": ["xaxis", "yaxis", "zaxis", "aspectmode", "camera", "domain"],
    "axis": ["visible", "range"],
    "camera": ["eye", "projection"]
  }
};
