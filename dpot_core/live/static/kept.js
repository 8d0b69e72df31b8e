// The board outlives the server: this tab keeps what is pinned, and offers it to a session that has none.

const NAME = "dpot-board";

/** Told by Python what to keep: `{keep: {count, text, links}}`, or to `forget` it. */
export class Tab {
  update({ keep, forget }) {
    if (forget) sessionStorage.removeItem(NAME);
    if (!keep) return;
    try {
      sessionStorage.setItem(NAME, JSON.stringify(keep));
    } catch {
      // Too large for this browser: after a restart it can only be said how many are lost.
      sessionStorage.setItem(NAME, JSON.stringify({ count: keep.count }));
    }
  }

  destroy() {}
}

/** What this tab has kept, if anything. */
export function had() {
  return JSON.parse(sessionStorage.getItem(NAME));
}
