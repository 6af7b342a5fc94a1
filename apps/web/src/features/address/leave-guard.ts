/** Something that would be lost, and how it asks. */
interface Guard {
  /** @param proceed leaves after all */
  readonly ask: (proceed: () => void) => void;
  /** Where the page stays meanwhile. */
  readonly address: string;
  readonly state: unknown;
}

let guard: Guard | undefined;

/**
 * From now on the page stays where it is, and asks before it leaves: by its own links, by Back and Forward, and as the browser does when the tab
 * is closed. One at a time: it is what a modal dialog holds.
 *
 * @param ask shows the question; `proceed` leaves, to be called after `leaveUnguarded` @returns ends it
 */
export function guardLeaving(ask: Guard["ask"]): () => void {
  const state: unknown = history.state;
  const own: Guard = { ask, address: location.href, state };
  guard = own;
  addEventListener("beforeunload", warn);
  return () => end(own);
}

/** Ends the question, for who has answered it. */
export function leaveUnguarded(proceed: () => void): void {
  end(guard);
  proceed();
}

/** Whether the page stays for now, because it asks. @param proceed what is done once the answer is to leave */
export function staysToAsk(proceed: () => void): boolean {
  guard?.ask(proceed);
  return guard !== undefined;
}

/**
 * The same after a step back or forward, which the browser has taken: the address that was left is written behind it, so that leaving is one
 * step back, whichever way the step was.
 */
export function staysAfterStep(): boolean {
  if (guard === undefined) return false;
  // Next's own function would take it for a step of its own.
  History.prototype.pushState.call(history, guard.state, "", guard.address);
  return staysToAsk(() => history.back());
}

function end(own: Guard | undefined): void {
  if (own === undefined || guard !== own) return;
  guard = undefined;
  removeEventListener("beforeunload", warn);
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
