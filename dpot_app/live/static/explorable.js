// A file of its own: a slider, and the pictures and texts that follow it, with all frames inside.

import { Picture, Words, node } from "./pieces.js";
import { Slider } from "./slider.js";
import { Stage } from "./stage.js";

const NAME = "slider";

function build(root, data) {
  const stage = new Stage();
  const control = sliderOf(data);
  root.append(control);
  const families = data.lines.map((lines, number) => ({ token: String(number), lines }));
  stage.follow(NAME, families, data.at);
  for (const { family, names } of data.parts) {
    const frames = stage.families.get(String(family));
    const first = frames.get(data.at) ?? [...frames.screens.values()].find(Boolean);
    const row = node("div", "dpot-row");
    root.append(row);
    for (const name of names.filter((one) => one in first)) {
      const screen = first[name];
      const piece = new (typeof screen === "string" ? Words : Picture)(stage, row);
      piece.update({ name: `${family}_${name}`, families: {}, at: {}, screen });
      piece.part.families = { [NAME]: String(family) };
      piece.part.frame = name;
    }
  }
  const input = control.querySelector("input");
  const output = control.querySelector("output");
  const button = control.querySelector("button");
  const slider = new Slider(() => input, (place, glide) => {
    if (output.textContent !== data.labels[place]) {
      output.textContent = data.labels[place];
      input.setAttribute("aria-valuetext", data.labels[place]);
    }
    stage.move(NAME, place, glide);
  }, (playing) => {
    button.classList.toggle("dpot-playing", playing);
    button.setAttribute("aria-label", playing ? "Stop" : "Play from large to small and back");
  }, false);
  input.addEventListener("input", () => slider.look());
  button.addEventListener("click", () => slider.toggle());
  slider.look();
}

function sliderOf({ label, labels, at }) {
  const box = node("div", "dpot-control stSlider");
  const name = Object.assign(document.createElement("label"), { textContent: `${label}: `, htmlFor: "value" });
  const output = document.createElement("output");
  const input = document.createElement("input");
  Object.assign(input, { type: "range", id: "value", min: 0, max: labels.length - 1, step: 1, value: at });
  const button = node("button", "dpot-play");
  button.type = "button";
  button.setAttribute("aria-label", "Play from large to small and back");
  name.append(output);
  box.append(name, input, button);
  return box;
}

build(document.getElementById("explorable"), JSON.parse(document.getElementById("data").textContent));
