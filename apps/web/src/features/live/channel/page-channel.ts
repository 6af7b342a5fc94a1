/** A channel to all other pages that have opened one of the same name; what a page says it does not hear itself. */
export interface PageChannel {
  send(message: unknown): void;
  /** Whatever others say: nothing about it is known. */
  listen(listener: (message: unknown) => void): void;
  /** No message is received or sent any more. */
  close(): void;
}

/** The browser's own. @throws DOMException where the browser forbids it */
export function openPageChannel(name: string): PageChannel {
  const channel = new BroadcastChannel(name);
  return {
    send(message) {
      try {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
        channel.postMessage(message);
      } catch (error) {
        // It was closed, or its page has gone while something of it still ran: messages are dropped.
        if (!(error instanceof DOMException && error.name === "InvalidStateError")) throw error;
      }
    },
    listen: (listener) => channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => listener(data)),
    close: () => channel.close(),
  };
}
