import { WatchEnvironmentResponseSchema } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { packMessage, unpackMessage } from "./live-hub.ts";
import type { LiveMessage } from "./live-topic.ts";

test("W3: a message is packed once for all pages, and each unpacks what was sent", () => {
  const value = create(WatchEnvironmentResponseSchema, { message: { case: "snapshot", value: { nodes: [{ id: 300 }], complete: true } } });
  const message: LiveMessage = { atMs: 7, first: true, answer: { case: "environment", value } };
  expect(packMessage(message)).toBe(packMessage(message));
  expect(unpackMessage(packMessage(message))).toEqual(message);
});
