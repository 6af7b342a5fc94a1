import { WatchEnvironmentResponseSchema, ProblemKind, WatchEventsResponseSchema } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { packMessage, unpackMessage, EVENTS_TOPIC } from "./live-hub.ts";
import type { LiveMessage } from "./live-topic.ts";
import { eventsAfter, NO_EVENTS, type EventsContent } from "../events-content.ts";
import { TypedReplica } from "./typed-replica.ts";

const position = { view: "a", version: 3n };

const BEGIN = message(
  { reset: true, upserted: [{ id: "1" }, { id: "2" }], life: [{ number: 1 }], state: { complete: true, total: 2 }, position },
  true,
);

test("W3: a message is packed once for all pages, and each unpacks what was sent", () => {
  const value = create(WatchEnvironmentResponseSchema, { message: { case: "snapshot", value: { nodes: [{ id: 300 }], complete: true } } });
  const message: LiveMessage = { atMs: 7, first: true, answer: { case: "environment", value } };
  expect(packMessage(message)).toBe(packMessage(message));
  expect(unpackMessage(packMessage(message))).toEqual(message);
});

type Replica = TypedReplica<typeof EVENTS_TOPIC.empty>;

type Init = MessageInitShape<typeof WatchEventsResponseSchema>;

function message(init: Init, first = false): LiveMessage {
  return { atMs: 7, first, answer: { case: "events", value: create(WatchEventsResponseSchema, init) } };
}

function replicaOf(...messages: readonly LiveMessage[]): Replica {
  const replica = new TypedReplica(EVENTS_TOPIC);
  for (const each of messages) replica.take(each);
  return replica;
}

/** What a page has that gets all that is known. */
function picture(replica: Replica): EventsContent {
  let now = NO_EVENTS;
  for (const { answer } of replica.whole()) if (answer.case === "events") now = eventsAfter(now, answer.value);
  return now;
}

test("W3: a page that comes later gets all events as they are now, and the stream goes on from there", () => {
  const replica = replicaOf(BEGIN, message({ upserted: [{ id: "3" }], removed: ["1"], life: [{ number: 2 }], removedLife: [1] }));
  const { events, life, state } = picture(replica);
  expect([[...events.keys()], [...life.keys()], state?.total]).toEqual([["2", "3"], [2], 2]);
  expect(replica.position()).toMatchObject(position);
  expect(replica.isCurrent()).toBe(true);
});

test("a picture that is not whole is no place to go on from", () => {
  expect(replicaOf(message({ reset: true, state: { complete: false }, position }, true)).position()).toBeUndefined();
});

test("a restarted stream is not current before its first message about events", () => {
  const replica = replicaOf(BEGIN, message({ connection: {} }, true));
  expect(replica.isCurrent()).toBe(false);
  expect([...picture(replica).events.keys()]).toEqual(["1", "2"]);
  replica.take(message({ state: { complete: true } }));
  expect(replica.isCurrent()).toBe(true);
});

test("T37: a problem that ends the topic takes the events away, one that passes does not", () => {
  const passing = replicaOf(BEGIN, message({ problem: { kind: ProblemKind.UNAVAILABLE } }));
  expect([picture(passing).events.size, picture(passing).problem?.kind]).toEqual([2, ProblemKind.UNAVAILABLE]);
  const replica = replicaOf(BEGIN);
  expect(replica.take(message({ problem: { kind: ProblemKind.AGENT_FORBIDDEN } }))).toBe(false);
  expect([picture(replica).events.size, picture(replica).life.size]).toEqual([0, 0]);
});
