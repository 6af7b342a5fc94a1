/** So long a page that is never idle is waited for. */
const LATEST_MS = 5_000;

/** Does something once, when all that the page was loaded with is there and the browser has nothing better to do. @returns takes it back */
export function whenIdle(action: () => void): () => void {
  let takeBack = (): void => undefined;
  const begin = (): void => {
    if (typeof requestIdleCallback === "undefined") {
      const timer = setTimeout(action);
      takeBack = () => clearTimeout(timer);
    } else {
      const request = requestIdleCallback(action, { timeout: LATEST_MS });
      takeBack = () => cancelIdleCallback(request);
    }
  };
  if (document.readyState === "complete") begin();
  else {
    addEventListener("load", begin, { once: true });
    takeBack = () => removeEventListener("load", begin);
  }
  return () => takeBack();
}
