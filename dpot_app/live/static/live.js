// What Streamlit mounts: pictures, texts and sliders that follow each other in the browser.

import { Tab } from "./board_storage.js";
import { Picture, Words, node } from "./pieces.js";
import { PageFrame } from "./page_frame.js";
import { Slider } from "./slider.js";
import { Stage, still } from "./stage.js";
import { patience } from "./patience.js";

const stage = new Stage();
// For tests, and for the console: what is ready.
window.dpotStage = Object.assign(stage, { patience });
const mounted = new WeakMap();
/** Sliders that move something on the page, in their order there. */
const followers = new Set();

/** The component: called again with new data, it updates what stands; what it gives is called when it goes. */
export default function live({ parentElement, data, setStateValue }) {
  let piece = mounted.get(parentElement);
  if (!piece || piece.kind !== data.kind) {
    piece?.destroy();
    piece = new KINDS[data.kind](stage, parentElement, data);
    piece.kind = data.kind;
    mounted.set(parentElement, piece);
  }
  piece.tell = setStateValue;
  piece.update(data);
  // What is below it has its place now: `coming.js` looks again, `page_frame.css` shows it.
  parentElement.classList.add("dpot-here");
  document.dispatchEvent(new Event("dpot-here"));
  return () => {
    piece.destroy();
    if (mounted.get(parentElement) === piece) mounted.delete(parentElement);
  };
}

/** Stands beside Streamlit's slider: tells the stage where it is, and makes it play. */
class Follower {
  constructor(stage_, parent, data) {
    followers.add(this);
    this.name = data.slider;
    this.button = node("button", "dpot-play");
    this.button.type = "button";
    this.button.addEventListener("click", () => this.slider.toggle());
    this.slider = new Slider(
      () => this.host?.querySelector("input[type=range]"),
      (place, glide) => {
        stage.move(this.name, place, glide);
        document.dispatchEvent(new Event("dpot-moved"));
      },
      (playing) => this.say(playing),
    );
  }

  get host() {
    return document.querySelector(`.st-key-${CSS.escape(this.name)}`);
  }

  update(data) {
    this.data = data;
    this.say(this.slider.playing);
    // React may have made the slider anew.
    if (!still() && this.host && this.button.parentElement !== this.host) this.host.append(this.button);
    stage.follow(this.name, data.families, this.slider.place ?? data.at);
    this.slider.look();
  }

  say(playing) {
    const words = playing ? `Stop ${this.data.label}` : `Play ${this.data.label} from large to small and back`;
    this.button.classList.toggle("dpot-playing", playing);
    this.button.setAttribute("aria-label", words);
    this.button.title = words;
  }

  destroy() {
    followers.delete(this);
    this.slider.destroy();
    this.button.remove();
    stage.unfollow(this.name);
  }
}

/** The frame of a page, told which sliders there are. */
class Frame extends PageFrame {
  constructor() {
    super(followers);
  }
}

const KINDS = { picture: Picture, words: Words, slider: Follower, page_frame: Frame, tab: Tab };
