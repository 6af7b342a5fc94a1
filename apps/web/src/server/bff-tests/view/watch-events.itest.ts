import type { ServerResponse } from "node:http";

import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createStatus } from "@binnacle/kube";
import {
  AgentMomentSchema,
  ConnectionState,
  EnvironmentEventSchema,
  ProblemKind,
  SettledState,
  type Dashboard,
  type ViewPosition,
  type WatchEventsResponse,
} from "@binnacle/proto/dashboard";
import { ViewUpdateSchema, type ViewSpec } from "@binnacle/proto/kas-views";
import { toWordsMessage } from "@binnacle/proto/words";
import { systemClock, type Clock } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { words } from "@binnacle/words";
import type { Client } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test } from "vitest";

import { eventsAfter, NO_EVENTS, type EventsContent } from "../../../features/live/events-content.ts";
import { NAMES } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const UTF8 = new TextEncoder();
const CANARY = "canary-of-the-forbidden";

/** What a page has of the events of the environment. */
class EventsTab {
  readonly messages: WatchEventsResponse[] = [];
  picture: EventsContent = NO_EVENTS;
  readonly ended: Promise<void>;

  constructor(client: Client<typeof Dashboard>, signal: AbortSignal, after?: ViewPosition) {
    this.ended = this.#read(client, signal, after).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  get reasons(): string {
    return [...this.picture.events.values()]
      .map(({ event }) => event?.reason ?? "")
      .toSorted()
      .join();
  }

  async #read(client: Client<typeof Dashboard>, signal: AbortSignal, after: ViewPosition | undefined): Promise<void> {
    const value = { ...NAMES, ...(after && { after }) };
    for await (const { message } of client.watch({ topics: [{ id: 1, topic: { case: "events", value } }] }, { signal })) {
      if (message.case !== "events") throw new Error("another topic");
      this.messages.push(message.value);
      this.picture = eventsAfter(this.picture, message.value);
    }
  }
}

let world: DashboardWorld;
beforeEach(async () => {
  world = await DashboardWorld.open(["maintainer", "outsider"]);
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "web" } });
  world.kas.put("events", report("one", "Failed", 2));
});
afterEach(() => world.close());

function report(name: string, reason: string, count = 1): Parameters<DashboardWorld["kas"]["put"]>[1] {
  const involvedObject = { apiVersion: "v1", kind: "Pod", namespace: "prod", name: "web", uid: "uid-pods/web" };
  const times = { firstTimestamp: "2026-01-01T00:00:00Z", lastTimestamp: "2026-01-01T00:01:00Z" };
  return { apiVersion: "v1", kind: "Event", metadata: { name }, type: "Warning", reason, count, message: CANARY, involvedObject, ...times };
}

function open(cookie?: string, after?: ViewPosition, signal: AbortSignal = world.signal): EventsTab {
  return new EventsTab(world.clientWith(cookie), AbortSignal.any([signal, world.signal]), after);
}

/** Half a minute is a fraction of a second. */
const quickClock: Clock = { now: () => Date.now() * 60, after: (ms, action) => systemClock.after(ms / 60, action) };

test("the events of an environment are a topic that sends changes only, and states that the agent's events are not sent", async () => {
  world.start();
  const tab = open();
  await until(() => tab.picture.state?.complete === true && tab.reasons === "Failed");
  const [event] = tab.picture.events.values();
  expect(event).toMatchObject({ event: { count: 2, type: "Warning" }, workload: { kind: "Pod", name: "web", resource: "pods" } });
  expect(tab.picture.state).toMatchObject({ tellsLife: false, total: 1, sources: [{ resource: "events", settled: SettledState.LIVE }] });
  world.kas.put("events", report("two", "BackOff"));
  await until(() => tab.reasons === "BackOff,Failed");
  expect(tab.messages.at(-1)?.upserted).toHaveLength(1);
  expect(tab.messages.filter(({ reset }) => reset)).toHaveLength(1);
});

test("a page that reconnects resumes from its version, and one that has missed nothing receives an empty delta", async () => {
  world.start();
  const leave = new AbortController();
  const first = open(undefined, undefined, leave.signal);
  const stays = open();
  await until(() => first.reasons === "Failed" && stays.reasons === "Failed" && first.picture.state?.complete === true);
  const { position } = first.picture;
  leave.abort();
  await first.ended;
  const same = open(undefined, position);
  await until(() => same.messages.length > 0);
  expect(same.messages[0]).toMatchObject({ reset: false, upserted: [], state: { complete: true } });
  world.kas.put("events", report("two", "BackOff"));
  await until(() => stays.reasons === "BackOff,Failed");
  const later = open(undefined, position);
  await until(() => later.messages.length > 0);
  expect(later.messages[0]?.reset).toBe(false);
  expect(later.messages[0]?.upserted.map(({ event }) => event?.reason)).toEqual(["BackOff"]);
  const foreign = open(undefined, { ...same.picture.position, $typeName: "dashboard.v1.ViewPosition", view: "another", version: 1n });
  await until(() => foreign.messages.length > 0);
  expect(foreign.messages[0]?.reset).toBe(true);
});

test("T37: a viewer who may not use the agent gets the reason and no events, and neither does one who is not signed in", async () => {
  world.start();
  const maintainer = open();
  await until(() => maintainer.reasons === "Failed");
  const outsider = open("_gitlab_session=session-outsider");
  await outsider.ended;
  expect(outsider.picture.problem?.kind).toBe(ProblemKind.AGENT_FORBIDDEN);
  expect(JSON.stringify(outsider.messages, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
    CANARY,
  );
  const stranger = open("");
  await stranger.ended;
  expect(stranger.messages.map(({ problem }) => problem?.kind)).toEqual([ProblemKind.UNAUTHENTICATED]);
});

test("T37: a viewer who may not list Events in the namespace gets that reason, not an empty list", async () => {
  world.kas.forbidden.add("maintainer prod");
  world.kas.clusterWide = false;
  world.start();
  const tab = open();
  await until(() => tab.picture.state?.complete === true);
  expect(tab.picture.state?.sources).toMatchObject([{ settled: SettledState.FORBIDDEN }]);
  expect(tab.picture.events.size).toBe(0);
});

test("T37: a right to the agent that is withdrawn ends the topic and takes its events away", async () => {
  world.start(quickClock);
  const tab = open();
  await until(() => tab.reasons === "Failed");
  world.kas.allowed.delete("maintainer");
  await tab.ended;
  expect(tab.picture.problem?.kind).toBe(ProblemKind.AGENT_FORBIDDEN);
  expect(tab.picture.events.size).toBe(0);
});

/** kas with an agent that keeps events. */
class KeptEvents {
  readonly requests: string[] = [];
  readonly streams = new Set<ServerResponse>();
  rights = "maintainer's";

  answer(spec: ViewSpec, response: ServerResponse): void {
    this.requests.push(spec.view.case ?? "");
    response.writeHead(200, { "content-type": "application/vnd.binnacle.views+proto" });
    if (spec.view.case !== "events") return;
    this.streams.add(response);
    response.on("close", () => this.streams.delete(response));
    this.tell(response, ["Failed", "BackOff"], true);
  }

  tell(response: ServerResponse, reasons: readonly string[], complete: boolean): void {
    const text = words("life/configuration-applied", { commit: "abc" });
    const moment = create(AgentMomentSchema, { number: 1, at: timestampFromMs(1_000), words: toWordsMessage(text) });
    const entries = reasons.map((reason) => ({
      key: `e/${reason}`,
      value: toBinary(
        EnvironmentEventSchema,
        create(EnvironmentEventSchema, { id: reason, event: { reason, regarding: { name: "web" } } }),
      ),
    }));
    say(response, {
      reset: true,
      rights: this.rights,
      entries: [
        ...entries,
        { key: "life/1", value: toBinary(AgentMomentSchema, moment) },
        { key: "complete", value: UTF8.encode(JSON.stringify(complete)) },
        { key: "total", value: UTF8.encode("2") },
        { key: "connection", value: UTF8.encode(JSON.stringify({ state: "connected", sinceMs: 1 })) },
      ],
    });
  }
}

function say(response: ServerResponse, update: MessageInitShape<typeof ViewUpdateSchema>): void {
  const bytes = toBinary(ViewUpdateSchema, create(ViewUpdateSchema, update));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.byteLength);
  response.write(Buffer.concat([length, bytes]));
}

function preferAgents(): KeptEvents {
  const kept = new KeptEvents();
  world.kas.views = (spec, response) => kept.answer(spec, response);
  world.start(systemClock, { views: { ...world.config.views, of_agents: "prefer" } });
  return kept;
}

test("events that an agent keeps come from there, once for all tabs, with its own life, and nothing of them is read", async () => {
  const kept = preferAgents();
  const [tab, other] = [open(), open()];
  await until(() => [tab, other].every(({ reasons }) => reasons === "BackOff,Failed"));
  expect(tab.picture.state).toMatchObject({ complete: true, tellsLife: true });
  expect([...tab.picture.life.values()]).toMatchObject([{ number: 1, words: { id: "life/configuration-applied" } }]);
  expect([kept.streams.size, world.kas.watches.size]).toEqual([1, 0]);
  expect(world.kas.requests.filter((line) => line.includes("/events"))).toEqual([]);
});

test("an agent that begins anew takes nothing away until it is whole, and what is the same is no news", async () => {
  const kept = preferAgents();
  const tab = open();
  await until(() => tab.reasons === "BackOff,Failed");
  const [before] = kept.streams;
  before?.destroy();
  await until(() => kept.requests.filter((view) => view === "events").length === 2 && kept.streams.size === 1);
  const [stream] = kept.streams as unknown as [ServerResponse];
  await until(() => tab.messages.at(-1)?.connection?.state === ConnectionState.CONNECTED || tab.messages.length > 2);
  const heard = tab.messages.length;
  kept.tell(stream, [], false);
  kept.tell(stream, ["Failed"], true);
  await until(() => tab.reasons === "Failed");
  const after = tab.messages.slice(heard);
  expect(after.flatMap(({ removed }) => removed)).toEqual(["BackOff"]);
  expect(after.flatMap(({ upserted }) => upserted)).toEqual([]);
});

test("T37: rights that are others take away at once what they do not allow", async () => {
  const kept = preferAgents();
  const tab = open();
  await until(() => tab.reasons === "BackOff,Failed");
  for (const stream of kept.streams) say(stream, { reset: true, rights: "fewer" });
  await until(() => tab.picture.events.size === 0 && tab.picture.life.size === 0);
  expect(tab.picture.problem).toBeUndefined();
});

test("an agent that does not offer them: they are made here, and the page goes on", async () => {
  world.kas.views = (spec, response) => {
    const isOffered = spec.view.case !== "events";
    response.writeHead(isOffered ? 200 : 501, { "content-type": isOffered ? "application/vnd.binnacle.views+proto" : "application/json" });
    if (!isOffered) response.end(JSON.stringify(createStatus(501, "no")));
  };
  world.start(systemClock, { views: { ...world.config.views, of_agents: "prefer" } });
  const tab = open();
  await until(() => tab.reasons === "Failed" && tab.picture.state?.tellsLife === false);
  expect(tab.picture.problem).toBeUndefined();
});
