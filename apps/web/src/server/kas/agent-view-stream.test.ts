import { PassThrough } from "node:stream";

import { KubeClientError, type KubeTransport } from "@binnacle/environment-view";
import { ViewSpecSchema, ViewUpdateSchema } from "@binnacle/proto/kas-views";
import { ManualClock, settle } from "@binnacle/testing";
import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { afterEach, beforeEach, expect, test } from "vitest";

import { agentViewStream, type AgentViewMessage } from "./agent-view-stream.ts";

const NEVER = new AbortController().signal;

let clock: ManualClock;
let body: PassThrough;
let words: AgentViewMessage[];
let failure: unknown;
let ended: Promise<void>;

beforeEach(async () => {
  clock = new ManualClock();
  body = new PassThrough();
  [words, failure] = [[], undefined];
  const transport: KubeTransport = {
    request: () => Promise.resolve({ status: 200, header: () => undefined, body, close: () => void body.destroy() }),
  };
  const read = async (): Promise<void> => {
    for await (const word of agentViewStream({ transport, clock }, create(ViewSpecSchema, {}), NEVER)) words.push(word);
  };
  ended = read().catch((error: unknown) => void (failure = error));
  await settle();
});
afterEach(() => {
  body.destroy();
  clock.assertIdle();
});

async function say(update: MessageInitShape<typeof ViewUpdateSchema>): Promise<void> {
  const bytes = toBinary(ViewUpdateSchema, create(ViewUpdateSchema, update));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.byteLength);
  body.write(Buffer.concat([length, bytes]));
  await settle();
}

test("a stream that brings nothing but signs of life goes on", async () => {
  await say({ reset: true, rights: "all", entries: [{ key: "a", value: Buffer.from("1") }] });
  for (let each = 0; each < 60; each += 1) {
    await clock.elapse(10_000);
    await say({});
  }
  await say({ removed: ["a"] });
  expect(words.map((word) => word.kind)).toEqual(["change", "change"]);
  body.end();
  await ended;
});

test("R2: a stream whose connection is half dead is given up when kas' signs of life stay away, so that it is opened anew", async () => {
  await say({ reset: true, rights: "all", entries: [{ key: "a", value: Buffer.from("1") }] });
  await clock.elapse(34_999);
  expect([failure, body.destroyed]).toEqual([undefined, false]);
  await clock.elapse(1);
  await ended;
  expect(failure).toBeInstanceOf(KubeClientError);
  expect(failure).toMatchObject({ failure: "timeout" });
  expect(body.destroyed).toBe(true);
});
