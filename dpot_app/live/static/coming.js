// While a page comes. In Streamlit's page itself, before anything is drawn; page_frame.css says what is not seen yet.
// (Rules with :has did this, and cost a second of every page's start: every element was looked at with every change.)

// Where the app is: below whatever a proxy puts before it. (A page's address changes without loading anything anew, and
// that of Home may lack its last slash: what is asked for later does not go by it.)
window.dpotRoot = new URL("../..", document.currentScript.src).href;

{
  const SHOWS = ".stMain :is([data-testid=stHeading], [data-testid=stException])";
  const PENDING = "[data-testid=stSkeleton], [data-testid=stBidiComponentRegular]:not(.dpot-here)";
  const BLOCK = ":is([data-testid=stVerticalBlock], [data-testid=stHorizontalBlock]) > *";
  const { classList } = document.documentElement;

  const look = () => {
    // From here on the page is seen whatever it lacks: another page has no heading yet.
    if (document.querySelector(SHOWS)) classList.add("dpot-come");
    const holding = new Set();
    for (const pending of document.querySelectorAll(PENDING)) {
      for (let one = pending.closest(BLOCK); one; one = one.parentElement.closest(BLOCK)) holding.add(one);
    }
    for (const one of document.querySelectorAll("[data-dpot-waits]")) if (!holding.has(one)) delete one.dataset.dpotWaits;
    for (const one of holding) one.dataset.dpotWaits = "";
  };

  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  // A component is there by a class, of which the observer, that sees elements come and go, is not told.
  document.addEventListener("dpot-here", look);
}
