/** A channel to all other pages that have opened one of the same name; what a page says it does not hear itself. */
export interface PageChannel {
  send(message: unknown): void;
  /** Whatever others say: nothing about it is known. */
  listen(listener: (message: unknown) => void): void;
  /** Nothing is heard or said any more. */
  close(): void;
}

/** The browser's own. @throws DOMException where the browser forbids it */
export function openPageChannel(name: string): PageChannel {
  const channel = new BroadcastChannel(name);
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
    send: (message) => channel.postMessage(message),
    listen: (listener) => channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => listener(data)),
    close: () => channel.close(),
  };
}
