// The board outlives the server: this tab keeps what is pinned, and offers it to a session that has none.

const NAME = "dpot-board";

/** Told by Python what to keep: `{keep: {count, text, links}}`, or to `forget` it. */
export class Tab {
  update({ keep, forget }) {
    if (forget) put(null);
    // Too large for this browser: after a restart it can only be said how many are lost.
    if (keep && !put(keep)) put({ count: keep.count });
  }

  destroy() {}
}

/** Whether the tab has taken it; some browsers let pages keep nothing. */
function put(board) {
  try {
    if (board) sessionStorage.setItem(NAME, JSON.stringify(board));
    else sessionStorage.removeItem(NAME);
    return true;
  } catch {
    return false;
  }
}

/** What this tab has kept, if anything that can be read. */
export function had() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME));
  } catch {
    return null;
  }
}
