import { create, fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { ReadLogsResponseSchema, type ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { expect, test } from "vitest";

import { messagesOf } from "./logs-call.ts";

type Message = NonNullable<MessageInitShape<typeof ReadLogsResponseSchema>["message"]>;

/** Messages that go to kas, and the largest. */
function sent(message: Message): { readonly responses: readonly ReadLogsResponse[]; readonly largest: number } {
  const messages = [...messagesOf(create(ReadLogsResponseSchema, { message }))];
  return {
    responses: messages.map((bytes) => fromBinary(ReadLogsResponseSchema, bytes)),
    largest: Math.max(...messages.map(({ byteLength }) => byteLength)),
  };
}

test("what fits is one message", () => {
  expect(sent({ case: "lines", value: { lines: [{ source: 1, text: "one" }], positions: [{ pod: "web" }] } }).responses).toHaveLength(1);
});

test("lines that are too large for kas go in several messages, in order, and positions behind all of them", () => {
  const texts = Array.from({ length: 40 }, (_, index) => `${index} ${"ä".repeat(10_000)}`);
  const positions = Array.from({ length: 3_000 }, (_, index) => ({ namespace: "n".repeat(60), pod: `web-${index}` }));
  const { responses, largest } = sent({ case: "lines", value: { lines: texts.map((text) => ({ source: 1, text })), positions } });
  expect(largest).toBeLessThanOrEqual(120 * 1024);
  const order = responses.flatMap(({ message }) =>
    message.case === "lines" ? [...message.value.lines.map(({ text }) => text), ...message.value.positions.map(({ pod }) => pod)] : [],
  );
  expect(order).toEqual([...texts, ...positions.map(({ pod }) => pod)]);
});

test("sources and counts that are too large are divided, and lose no field", () => {
  const sources = Array.from({ length: 2_000 }, (_, index) => ({ id: index + 1, pod: `web-${index}`, roleYaml: "x".repeat(300) }));
  const divided = sent({ case: "sources", value: { sources, isReadByAgent: true } });
  expect(divided.largest).toBeLessThanOrEqual(120 * 1024);
  const ids = divided.responses.flatMap(({ message }) => {
    if (message.case !== "sources") return [];
    expect(message.value.isReadByAgent).toBe(true);
    return message.value.sources.map(({ id }) => id);
  });
  expect(ids).toEqual(sources.map(({ id }) => id));
  const progresses = Array.from({ length: 20_000 }, (_, index) => ({ source: index, lines: 2n ** 60n, bytes: 2n ** 60n }));
  const counts = sent({ case: "progress", value: { progresses } });
  expect(counts.responses.flatMap(({ message }) => (message.case === "progress" ? message.value.progresses : []))).toHaveLength(20_000);
});

test("what cannot be divided is refused", () => {
  expect(() => sent({ case: "lines", value: { lines: [{ text: "x".repeat(200_000) }] } })).toThrow("more than");
});
