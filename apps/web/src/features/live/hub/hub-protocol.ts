/** From a page to the hub of its browser. */
export type ToHub<T> =
  /** `heldAtMs`: from when the page has a picture, milliseconds since the epoch; absent: it has none. */
  | { readonly what: "subscribe"; readonly nr: number; readonly topic: T; readonly heldAtMs?: number }
  | { readonly what: "unsubscribe"; readonly nr: number }
  /** The page is there; it says so while it is shown. */
  | { readonly what: "here" }
  | { readonly what: "leave" };

/** From the hub to a page; `nr` is the page's. @typeParam P a message as it travels on this line */
export type FromHub<P = PackedMessage> =
  /** It is there: the first word to every page. */
  | { readonly what: "welcome" }
  | { readonly what: "message"; readonly nr: number; readonly packed: P }
  | { readonly what: "lost"; readonly nr: number; readonly reason: string }
  | { readonly what: "unauthenticated"; readonly nr: number }
  /** The hub had given the page up, and has nothing of it any more: subscribe again. */
  | { readonly what: "unknown" };

/** A message as it travels between pages: who hears it looks whether it is one. */
export interface PackedMessage {
  readonly atMs: number;
  readonly first: boolean;
  readonly bytes: Uint8Array;
}

/** A line between a page and a hub. */
export interface HubPort<In, Out> {
  send(message: Out): void;
  listen(listener: (message: In) => void): void;
}

/** A port of a SharedWorker as such a line. Messages are queued until there is a listener. */
export function portOf<In, Out>(port: MessagePort): HubPort<In, Out> {
  return {
    send: (message) => port.postMessage(message),
    listen: (listener) => {
      // Both ends are of the same build, so what comes is of this type.
      port.addEventListener("message", (event: MessageEvent<In>) => listener(event.data));
      port.start();
    },
  };
}

/** How a page that is shown says that it is there. */
export const HERE_MS = 20_000;
