import {
  ProblemKind,
  SnapshotSchema,
  WatchEnvironmentResponseSchema,
  WatchResponseSchema,
  type Problem,
  type WatchResponse,
} from "@binnacle/proto/dashboard";
import { Fault } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import type { TopicAnswer } from "../wire/topic-message.ts";
import { mergeStreams } from "./merge-streams.ts";
import { topicStream } from "./topic-stream.ts";

const heartbeat: TopicAnswer = {
  case: "environment",
  value: create(WatchEnvironmentResponseSchema, { message: { case: "heartbeat", value: {} } }),
};
/** As `timestampFromMs` would have made it of a fraction. */
const unsendable: TopicAnswer = {
  case: "environment",
  value: create(WatchEnvironmentResponseSchema, {
    sentAt: { $typeName: "google.protobuf.Timestamp", seconds: 1n, nanos: 365193115.234375 },
  }),
};

function toMessage(problem: Problem): TopicAnswer {
  return { case: "environment", value: create(WatchEnvironmentResponseSchema, { message: { case: "problem", value: problem } }) };
}

/** A stream of some topics, each with what its tries yield or throw, and what came of them. */
class Stream {
  readonly clock = new ManualClock(0);
  readonly seen: string[] = [];
  readonly openings: boolean[] = [];
  readonly #leave = new AbortController();
  readonly done: Promise<unknown>;

  constructor(topics: readonly (readonly (TopicAnswer | Error)[])[][]) {
    const streams = topics.map((tries, index) => {
      const left = [...tries];
      const open = (again: boolean, signal: AbortSignal): AsyncIterable<TopicAnswer> => {
        if (index === 0) this.openings.push(again);
        return answers(left.shift() ?? [heartbeat], signal);
      };
      const topic = {
        id: index + 1,
        isBinary: true,
        open,
        toMessage,
        clock: this.clock,
        log: createLogger("web", "silent"),
        random: () => 0.99,
      };
      return (signal: AbortSignal) => topicStream(topic, signal);
    });
    this.done = this.#read(mergeStreams(streams, this.#leave.signal));
  }

  async leave(): Promise<void> {
    this.#leave.abort();
    await this.done;
  }

  async #read(messages: AsyncIterable<{ readonly value: WatchResponse }>): Promise<unknown> {
    try {
      for await (const { value } of messages)
        this.seen.push(described(fromBinary(WatchResponseSchema, toBinary(WatchResponseSchema, value))));
      return undefined;
    } catch (error) {
      return error;
    }
  }
}

async function* answers(given: readonly (TopicAnswer | Error)[], signal: AbortSignal): AsyncGenerator<TopicAnswer> {
  for (const each of given) {
    if (each instanceof Error) throw each;
    yield each;
  }
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
}

function described({ topic, message }: WatchResponse): string {
  const inner = message.case === "environment" ? message.value.message : undefined;
  if (inner?.case !== "problem") return `${topic} ${inner?.case}`;
  const { kind, words } = inner.value;
  return `${topic} ${words?.id}${kind === ProblemKind.UNAVAILABLE ? "" : " for good"}`;
}

test("T40: a topic that fails sends its problem and restarts alone; other topics are not affected", async () => {
  const stream = new Stream([[[heartbeat, new TypeError("a bug")], [new TypeError("again")], [heartbeat]], [[heartbeat]]]);
  await stream.clock.elapse(0);
  expect(stream.seen.toSorted()).toEqual(["1 heartbeat", "1 problem/topic-failed", "2 heartbeat"]);
  await stream.clock.elapse(1_000);
  await stream.clock.elapse(2_000);
  expect(stream.seen.filter((each) => each.startsWith("1"))).toEqual([
    "1 heartbeat",
    "1 problem/topic-failed",
    "1 problem/topic-failed",
    "1 heartbeat",
  ]);
  expect(stream.seen.filter((each) => each.startsWith("2"))).toEqual(["2 heartbeat"]);
  // What the browser has of a topic that has failed is not gone on from.
  expect(stream.openings).toEqual([false, true, true]);
  await stream.leave();
});

test("T40: a message that cannot be encoded fails its own topic, with the reason", async () => {
  const stream = new Stream([[[unsendable], [heartbeat]], [[heartbeat]]]);
  await stream.clock.elapse(1_000);
  expect(stream.seen.filter((each) => each.startsWith("1"))).toEqual(["1 problem/topic-unsendable", "1 heartbeat"]);
  expect(stream.seen).toContain("2 heartbeat");
  await stream.leave();
});

test("a session that has ended ends all topics", async () => {
  const stream = new Stream([[[new Fault("session_ended", "over")]], [[heartbeat]]]);
  expect(await stream.done).toMatchObject({ reason: "session_ended" });
});

test("a message in binary form is the one that is made of its fields", async () => {
  const snapshot = create(SnapshotSchema, { complete: true, nodes: [{ id: 7, images: ["a"] }] });
  const value = create(WatchEnvironmentResponseSchema, { message: { case: "snapshot", value: snapshot } });
  const answer: TopicAnswer = { case: "environment", value };
  const [binary, plain] = await Promise.all([true, false].map((isBinary) => firstOf(answer, isBinary)));
  expect(binary).toEqual(plain);
});

async function firstOf(answer: TopicAnswer, isBinary: boolean): Promise<Uint8Array> {
  const leave = new AbortController();
  const open = (_again: boolean, signal: AbortSignal) => answers([answer], signal);
  const topic = { id: 3, isBinary, open, toMessage, clock: new ManualClock(0), log: createLogger("web", "silent") };
  for await (const message of topicStream(topic, leave.signal)) {
    leave.abort();
    return toBinary(WatchResponseSchema, message);
  }
  return new Uint8Array();
}
