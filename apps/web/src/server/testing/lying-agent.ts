import type { ServerResponse } from "node:http";

import { create, toBinary } from "@bufbuild/protobuf";
import {
  AgentMomentSchema,
  EdgeSchema,
  EnvironmentEventSchema,
  EnvironmentHealthSchema,
  HealthStatus,
  NodeSchema,
  Presence,
} from "@binnacle/proto/dashboard";
import { ScopeSummarySchema, ViewUpdateSchema, type ViewScope, type ViewSpec } from "@binnacle/proto/kas-views";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { words } from "@binnacle/words";
import { toWordsMessage } from "@binnacle/proto/words";

import type { StandInKas } from "../kas/testing/stand-in-kas.ts";

const UTF8 = new TextEncoder();
const ANY_MS = Date.parse("2026-01-01T00:00:00Z");

/** The entries of a view, by key. */
export type Entries = ReadonlyMap<string, Uint8Array>;

/** What an agent keeps of a namespace, and tells. */
export type LyingView = "environment" | "events" | "summary";

interface Place {
  readonly response: ServerResponse;
  readonly topic: bigint;
}

/**
 * A stand-in for agents that keep views of namespaces, as kas passes them on: each tells whatever the test gives it, true or not. What is
 * true of a namespace has a mark, so that a reader can tell one truth from the next.
 */
export class LyingAgent {
  readonly #places = new Map<string, Place>();

  constructor(kas: StandInKas) {
    kas.views = (spec, response) => {
      begin(response);
      const { what, namespace } = nameOf(spec);
      if (what !== undefined) this.#open(what, namespace, { response, topic: 0n });
    };
    kas.manyViews = ({ views }, response) => {
      begin(response);
      for (const [index, { view }] of views.entries()) {
        if (view.case === "summary") this.#open("summary", namespaceOf(view.value.scope), { response, topic: BigInt(index + 1) });
      }
    };
  }

  /** Whether it has a subscriber. */
  isFollowed(what: LyingView, namespace: string): boolean {
    return this.#places.has(`${what} ${namespace}`);
  }

  /** Sends this state, each entry in a message of its own. @throws Error when it has no subscriber */
  tell(
    what: LyingView,
    namespace: string,
    change: { readonly entries: Entries; readonly removed?: readonly string[]; readonly reset?: boolean },
  ): void {
    const place = this.#places.get(`${what} ${namespace}`);
    if (place === undefined) throw new Error(`${what} ${namespace} has no subscriber`);
    const { entries, removed = [], reset = false } = change;
    const pieces = [...entries].map(([key, value]) => ({ entries: [{ key, value }] }));
    for (const [index, piece] of [...pieces, { removed: [...removed] }].entries()) {
      const update = create(ViewUpdateSchema, {
        topic: place.topic,
        reset: reset && index === 0,
        rights: "the same",
        more: index < pieces.length,
        ...piece,
      });
      const bytes = toBinary(ViewUpdateSchema, update);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.byteLength);
      place.response.write(Buffer.concat([length, bytes]));
    }
  }

  #open(what: LyingView, namespace: string, place: Place): void {
    const key = `${what} ${namespace}`;
    this.#places.set(key, place);
    place.response.on("close", () => {
      if (this.#places.get(key) === place) this.#places.delete(key);
    });
    this.tell(what, namespace, { entries: truthOf(what, 0), reset: true });
  }
}

/** All that is true of a namespace. @param mark which truth it is */
export function truthOf(what: LyingView, mark: number): Entries {
  const json = (value: unknown): Uint8Array => UTF8.encode(JSON.stringify(value));
  const source = {
    group: "",
    version: "v1",
    resource: "pods",
    kind: "Pod",
    namespace: "n",
    settled: "live",
    asOfMs: ANY_MS,
    shown: 2,
    total: 0,
  };
  const connection = json({ state: "connected", sinceMs: ANY_MS });
  const health = {
    status: HealthStatus.HEALTHY,
    counts: [{ status: HealthStatus.HEALTHY, count: 2 }],
    words: messageOf("roll-up/healthy"),
  };
  const ref = (name: string) => ({ version: "v1", kind: "Pod", resource: "pods", namespace: "n", name });
  const node = (id: number, name: string, ownerId = 0): Uint8Array =>
    toBinary(
      NodeSchema,
      create(NodeSchema, { id, ref: ref(name), ownerId, presence: Presence.PRESENT, createdAt: toTimestamp(ANY_MS), ready: 1, wanted: 1 }),
    );
  switch (what) {
    case "environment":
      return new Map([
        ["view", UTF8.encode("a view")],
        ["n/1", node(1, "one")],
        ["n/2", node(2, "two", 1)],
        ["n/3", node(3, `mark-${mark}`)],
        ["e/1", toBinary(EdgeSchema, create(EdgeSchema, { id: 1, from: 1, to: 2, kind: "pod-cm" }))],
        ["s//pods/n", json({ id: "/pods/n", ...source, countsForHealth: true })],
        ["health", toBinary(EnvironmentHealthSchema, create(EnvironmentHealthSchema, health))],
        ["connection", connection],
        ["complete", json(true)],
      ]);
    case "events": {
      const event = create(EnvironmentEventSchema, {
        id: "e",
        event: { reason: `mark-${mark}`, regarding: ref("one"), lastAt: toTimestamp(ANY_MS) },
        workload: ref("one"),
      });
      const moment = create(AgentMomentSchema, { number: 1, at: toTimestamp(ANY_MS), words: messageOf("life/connected") });
      return new Map([
        ["e/e", toBinary(EnvironmentEventSchema, event)],
        ["life/1", toBinary(AgentMomentSchema, moment)],
        ["s//events/n", json({ id: "/events/n", ...source, resource: "events", kind: "Event", countsForHealth: false })],
        ["connection", connection],
        ["complete", json(true)],
        ["total", json(1)],
      ]);
    }
    default: {
      const summary = create(ScopeSummarySchema, { health, workloads: mark, workloadsReady: 1, changedAt: toTimestamp(ANY_MS) });
      return new Map([["summary", toBinary(ScopeSummarySchema, summary)]]);
    }
  }
}

function messageOf(id: Parameters<typeof words>[0]) {
  return toWordsMessage(words(id, { count: 2 }));
}

function begin(response: ServerResponse): void {
  // One for each view that it tells.
  response.setMaxListeners(0);
  response.writeHead(200, { "content-type": "application/vnd.binnacle.views+proto" }).flushHeaders();
}

function nameOf({ view }: ViewSpec): { readonly what?: LyingView; readonly namespace: string } {
  if (view.case === "environment") return { what: "environment", namespace: namespaceOf(view.value.scope) };
  if (view.case === "events") return { what: "events", namespace: namespaceOf(view.value.environment?.scope) };
  return { namespace: "" };
}

function namespaceOf(scope: ViewScope | undefined): string {
  return scope?.namespaces[0] ?? "";
}
