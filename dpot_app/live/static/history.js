// The browser's Back: a page and a tab are steps of it, each with the settings that it was left with.
//
// Streamlit makes a step of a change of page only, and before it goes it makes one more, without settings, of the page
// that is left. It restores settings from an address by itself.

let left; // the address of this step before Streamlit shortened it
let at; // the path that stands in the address
let gone; // what the names of the controls of the page begin with that was left last
let back; // where Back or Forward led, until that page is drawn or the reader goes on from there

const prefixes = new Map(); // page in addresses -> what the names of its controls begin with

/** Make steps of what people take for steps; once for a document. */
export function keepSteps() {
  if (left !== undefined) return;
  left = null;
  at = location.pathname;
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  addEventListener("popstate", () => {
    left = null;
    moveTo(location.pathname);
    back = at;
  });
  for (const goesOn of ["click", "keydown"]) addEventListener(goesOn, () => { back = null; }, true);

  history.pushState = (state, title, url) => {
    const to = cleared(url);
    if (to.pathname === location.pathname && view(to) && view(to) !== view(location)) {
      left = null;
      push(state, title, to.href);
      return;
    }
    if (to.pathname === location.pathname) {
      // The server puts the address right, or takes the settings out of it before the page is left: then those that
      // stand there now are what it was left with, also where they had been put right before.
      left = to.search || !location.search ? (left ?? location.href) : location.href;
      replace(state, title, to.href);
      return;
    }
    const from = new URL(left ?? location.href);
    const given = handsOver(from, to);
    // The server still begins pages that have been passed by: a step for one would end what Forward leads to.
    if (!given && back === location.pathname) return;
    left = null;
    moveTo(to.pathname);
    if (given) {
      replace(state, title, to.href);
      return;
    }
    if (from.href !== location.href) replace(history.state, "", from.href);
    push(state, title, cleared(to).href);
  };

  history.replaceState = (state, title, url) => {
    left = null;
    replace(state, title, cleared(url).href);
  };
}

/** Python has drawn a page, by its name in addresses, whose controls' names begin with so much. */
export function drawn(page, prefix) {
  prefixes.set(page, prefix);
  if (back && pageAt(back) === page) back = null;
}

function moveTo(path) {
  if (path !== at) gone = prefixAt(at);
  at = path;
}

function pageAt(path) {
  return path.split("/").pop();
}

function prefixAt(path) {
  return prefixes.get(pageAt(path)) ?? pageAt(path);
}

/** An address without the settings of the page that was left: its controls still write them into the next one's. */
function cleared(url) {
  const to = new URL(url ?? location.href, location.href);
  if (gone && prefixAt(to.pathname) !== gone) {
    const late = [...to.searchParams.keys()].filter((key) => key.startsWith(`${gone}_`));
    for (const key of late) to.searchParams.delete(key);
  }
  return to;
}

/** Which tab an address opens; "" where it does not say: then it is the first. */
function view({ search }) {
  return [...new URLSearchParams(search)].filter(([key]) => key.endsWith("_view")).join();
}

/** Whether an address has the settings of the page that is opened from it: Back to it would lead here again. */
function handsOver(from, to) {
  const page = pageAt(to.pathname);
  return page !== "" && [...from.searchParams.keys()].some((key) => key.startsWith(`${page}_`));
}
