import fc from "fast-check";
import { expect, test } from "vitest";
import type { FromHub, ToHub } from "../hub/hub-protocol.ts";
import { parseLiveTopic, type LiveTopic } from "../hub/live-topic.ts";
import { parseFromHub, parseToHub } from "./line-port.ts";

const topic: LiveTopic = { what: "environment", projectPath: "group/app", environment: "production" };

test.each<ToHub<LiveTopic>>([
  { what: "subscribe", nr: 1, topic },
  { what: "subscribe", nr: 1, topic: { what: "environments", projectPath: "group/app", visible: ["a"] }, heldAtMs: 7 },
  { what: "unsubscribe", nr: 1 },
  { what: "here" },
  { what: "leave" },
])("W3: a hub parses a message of a page unchanged: %j", (message) => {
  expect(parseToHub(structuredClone(message), parseLiveTopic)).toEqual(message);
});

test.each<FromHub>([
  { what: "welcome" },
  { what: "message", nr: 1, packed: { atMs: 7, first: true, bytes: new Uint8Array([1, 2]) } },
  { what: "lost", nr: 1, reason: "cut" },
  { what: "unauthenticated", nr: 1 },
  { what: "unknown" },
])("W3: a page parses a message of a hub unchanged: %j", (message) => {
  expect(parseFromHub(structuredClone(message))).toEqual(message);
});

test.each<unknown>([
  { what: "subscribe", nr: "1", topic },
  { what: "subscribe", nr: 1, topic: { ...topic, projectPath: 7 } },
  { what: "subscribe", nr: 1, topic: { what: "environments", projectPath: "group/app", visible: ["a", 7] } },
  { what: "message", nr: 1, packed: { atMs: Number.NaN, first: true, bytes: new Uint8Array() } },
  { what: "message", nr: 1, packed: { atMs: 1, first: true, bytes: "AA==" } },
  { what: "lost", nr: 1 },
])("W3: messages that no page of this build sends are ignored: %j", (message) => {
  expect([parseToHub(message, parseLiveTopic), parseFromHub(message)]).toEqual([undefined, undefined]);
});

test("W3: whatever comes over a line, it throws nothing", () => {
  fc.assert(
    fc.property(fc.anything(), (message) => {
      parseFromHub(message);
      parseToHub(message, parseLiveTopic);
    }),
  );
  expect(parseFromHub(undefined)).toBeUndefined();
});
