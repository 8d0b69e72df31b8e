/**
 * Milliseconds that are waited: for a tile's server to answer, and after the last key before Python is asked. They are
 * at `window.dpotStage.patience`, because tests are in a hurry, or on a machine that is not.
 */
export const patience = { tiles: 8000, keys: 150 };
