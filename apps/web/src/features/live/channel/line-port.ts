import type { FromHub, HubPort, PackedMessage, ToHub } from "../hub/hub-protocol.ts";
import type { PageChannel } from "./page-channel.ts";

/** A channel that only two pages know, as a line between them. A message that `parse` does not know is not from a page of this build. */
export function linePort<In, Out>(channel: PageChannel, parse: (data: unknown) => In | undefined): HubPort<In, Out> {
  return {
    send: (message) => channel.send(message),
    listen: (listener) =>
      channel.listen((data) => {
        const message = parse(data);
        if (message !== undefined) listener(message);
      }),
  };
}

/** What a page says to a hub; `undefined` for anything else. */
export function parseToHub<T>(data: unknown, parseTopic: (topic: unknown) => T | undefined): ToHub<T> | undefined {
  const [what, nr, heldAtMs] = ["what", "nr", "heldAtMs"].map((name) => fieldOf(data, name));
  if (what === "here" || what === "leave") return { what };
  if (!isNumber(nr)) return undefined;
  if (what === "unsubscribe") return { what, nr };
  const topic = parseTopic(fieldOf(data, "topic"));
  if (what !== "subscribe" || topic === undefined) return undefined;
  return { what, nr, topic, ...(isNumber(heldAtMs) && { heldAtMs }) };
}

/** What a hub says to a page; `undefined` for anything else. */
export function parseFromHub(data: unknown): FromHub | undefined {
  const [what, nr, reason] = ["what", "nr", "reason"].map((name) => fieldOf(data, name));
  if (what === "welcome" || what === "unknown") return { what };
  if (!isNumber(nr)) return undefined;
  if (what === "unauthenticated") return { what, nr };
  if (what === "lost") return typeof reason === "string" ? { what, nr, reason } : undefined;
  const packed = parsePacked(fieldOf(data, "packed"));
  return what === "message" && packed !== undefined ? { what, nr, packed } : undefined;
}

function parsePacked(data: unknown): PackedMessage | undefined {
  const [atMs, first, bytes] = ["atMs", "first", "bytes"].map((name) => fieldOf(data, name));
  return isNumber(atMs) && typeof first === "boolean" && bytes instanceof Uint8Array ? { atMs, first, bytes } : undefined;
}

function fieldOf(data: unknown, name: string): unknown {
  return typeof data === "object" && data !== null ? Reflect.get(data, name) : undefined;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
