// The browser's Back: a page and a tab are steps of it, each with the settings that it was left with.
//
// Streamlit makes a step of a change of page only, and before it goes it makes one more, without settings, of the page
// that is left. It restores settings from an address by itself.

let left; // the address of this step before Streamlit shortened it

/** Make steps of what people take for steps; once for a document. */
export function keepSteps() {
  if (left !== undefined) return;
  left = null;
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  addEventListener("popstate", () => { left = null; });

  history.pushState = (state, title, url) => {
    const to = new URL(url ?? location.href, location.href);
    if (to.pathname === location.pathname) {
      // The server puts the address right, or takes the settings out of it before the page is left: then those that
      // stand there now are what it was left with, also where they had been put right before.
      left = to.search || !location.search ? (left ?? location.href) : location.href;
      replace(state, title, url);
      return;
    }
    const from = new URL(left ?? location.href);
    left = null;
    if (handsOver(from, to)) {
      replace(state, title, url);
      return;
    }
    if (from.href !== location.href) replace(history.state, "", from.href);
    push(state, title, url);
  };

  history.replaceState = (state, title, url) => {
    left = null;
    const to = new URL(url ?? location.href, location.href);
    if (to.pathname === location.pathname && view(to) !== view(location)) push(state, title, url);
    else replace(state, title, url);
  };
}

/** Which tab an address opens; none for the first. */
function view({ search }) {
  return [...new URLSearchParams(search)].filter(([name]) => name.endsWith("_view")).join();
}

/** Whether an address has the settings of the page that is opened from it: Back to it would lead here again. */
function handsOver(from, to) {
  const page = to.pathname.split("/").pop();
  return page !== "" && [...from.searchParams.keys()].some((name) => name.startsWith(`${page}_`));
}
