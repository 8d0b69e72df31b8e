/**
 * Milliseconds that are waited: for a tile's server to answer, after the last key before Python is asked, and after the
 * last change before it is said to those who listen. They are at `window.dpotStage.patience`, because tests are in a hurry, or on a machine that is not.
 */
export const patience = { tiles: 8000, keys: 150, said: 800 };
