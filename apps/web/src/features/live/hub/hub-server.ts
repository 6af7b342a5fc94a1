import { HERE_MS, type FromHub, type HubPort, type PackedMessage, type ToHub } from "./hub-protocol.ts";
import type { StreamHub, TopicListener } from "./stream-hub.ts";

/** Browsers let a hidden page speak once a minute; one that is silent for longer has gone without a word. */
const SILENT_MS = HERE_MS + 120_000;

/** What a hub needs to serve pages. */
export interface HubServerOptions<T, M, P = PackedMessage> {
  readonly hub: Pick<StreamHub<T, M, unknown>, "subscribe">;
  readonly pack: (message: M) => P;
  /** The page has left, or fallen silent. */
  readonly gone?: () => void;
}

/** Serves the page behind a port until it leaves or falls silent. @returns gives it up */
export function servePage<T, M, P>({ hub, pack, gone }: HubServerOptions<T, M, P>, port: HubPort<ToHub<T>, FromHub<P>>): () => void {
  const leaving = new Map<number, () => void>();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const leave = (): void => {
    clearTimeout(silence);
    silence = undefined;
    for (const unsubscribe of leaving.values()) unsubscribe();
    leaving.clear();
  };
  const depart = (): void => {
    leave();
    gone?.();
  };
  const heard = (): void => {
    clearTimeout(silence);
    silence = setTimeout(depart, SILENT_MS);
  };
  const subscribe = (nr: number, topic: T, heldAtMs?: number): void => {
    leaving.get(nr)?.();
    const listener: TopicListener<M> = {
      take: (message) => port.send({ what: "message", nr, packed: pack(message) }),
      lost: (reason) => port.send({ what: "lost", nr, reason }),
      unauthenticated: () => port.send({ what: "unauthenticated", nr }),
    };
    leaving.set(nr, hub.subscribe(topic, listener, heldAtMs));
  };
  port.send({ what: "welcome" });
  port.listen((data) => {
    if (data.what === "leave") return depart();
    const isNew = silence === undefined;
    heard();
    switch (data.what) {
      case "subscribe":
        return subscribe(data.nr, data.topic, data.heldAtMs);
      case "unsubscribe":
        leaving.get(data.nr)?.();
        leaving.delete(data.nr);
        return;
      case "here":
        // It slept for longer than anybody waits.
        if (isNew) port.send({ what: "unknown" });
    }
  });
  return leave;
}
