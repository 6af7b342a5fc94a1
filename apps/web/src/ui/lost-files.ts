import { RELOADED } from "./chunk-failure.ts";

/** Event of a page that runs: from then on errors are shown by React. */
export const PAGE_STARTED = "binnacle:started";

/**
 * A script for the head of a page: a page whose own files are gone never starts, and could not show why. After an update, or when two
 * builds answer by turns, it loads the page anew, once per build as `reloadOnce` does, and then says what to do.
 *
 * @param build of the page
 */
export function lostFilesScript(build: string): string {
  // A name of a build holds no "<"; escaped nevertheless, because a script ends at one.
  const key = JSON.stringify(`${RELOADED}${build}`).replaceAll("<", "\\u003c");
  return `(() => {
  const lost = ({ target }) => {
    if (!(target instanceof HTMLScriptElement || target instanceof HTMLLinkElement)) return;
    stop();
    try {
      if (sessionStorage.getItem(${key}) === null) {
        sessionStorage.setItem(${key}, "1");
        return location.reload();
      }
    } catch {}
    const say = () => {
      const alert = document.createElement("div");
      alert.className = "banner unknown";
      alert.setAttribute("role", "alert");
      alert.textContent = "A file of this page could not be loaded: the connection failed, or Binnacle is being updated. Load the page again in a minute. If the problem remains, the operator of Binnacle should check that all its processes have the same version.";
      document.body.prepend(alert);
    };
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", say);
    else say();
  };
  const stop = () => removeEventListener("error", lost, true);
  addEventListener("error", lost, true);
  addEventListener(${JSON.stringify(PAGE_STARTED)}, stop);
})();`;
}
