/** Settles when the event loop has read all that lay in its sockets, and accepted all who waited there, when it was called. */
export function twoTurns(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
