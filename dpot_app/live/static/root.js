// Where the app is: this file lies two folders below, whatever a proxy puts before that.

/** The whole address of what Python names below the app's own. */
export function below(address) {
  return new URL(`../../${address}`, import.meta.url).href;
}
