import { ProblemKind, WatchEnvironmentsResponseSchema } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { ENVIRONMENTS_TOPIC } from "./environments-topic.ts";
import { TypedReplica } from "./typed-replica.ts";
import type { LiveMessage } from "./live-topic.ts";

type Init = MessageInitShape<typeof WatchEnvironmentsResponseSchema>;

const row = (name: string, workloads = 1): NonNullable<Init["rows"]>[number] => ({ environment: { name }, workloads });

function message(init: Init, first = false): LiveMessage {
  return { atMs: 7, first, answer: { case: "environments", value: create(WatchEnvironmentsResponseSchema, init) } };
}

function replayed(...messages: readonly LiveMessage[]): readonly LiveMessage[] {
  const replica = new TypedReplica(ENVIRONMENTS_TOPIC);
  for (const each of messages) replica.take(each);
  return replica.whole();
}

test("W3: a page that comes later gets all rows as they are now, in one first message", () => {
  const [whole] = replayed(
    message({ rows: [row("a"), row("b"), row("c")], complete: true, viewer: { username: "mara" } }, true),
    message({ rows: [row("b", 5)], removed: ["c"] }),
    message({ seen: [{ asOf: timestampFromMs(9), names: ["a", "gone"] }] }),
  );
  expect(whole).toMatchObject({ atMs: 7, first: true });
  expect(whole?.answer.value).toMatchObject({
    complete: true,
    viewer: { username: "mara" },
    rows: [
      { environment: { name: "a" }, asOf: timestampFromMs(9) },
      { environment: { name: "b" }, workloads: 5 },
    ],
  });
});

test("W3: a stream that begins again names all there is, also when it begins with a problem that passes", () => {
  const [whole] = replayed(
    message({ rows: [row("a"), row("b")], complete: true }, true),
    message({ problem: { kind: ProblemKind.UNAVAILABLE } }, true),
    message({ rows: [row("b")], complete: true }),
  );
  expect(whole?.answer.value).toMatchObject({ rows: [{ environment: { name: "b" } }] });
});

test("W3: before the first message nothing is sent, and the final message ends the topic", () => {
  const replica = new TypedReplica(ENVIRONMENTS_TOPIC);
  expect(replica.whole()).toEqual([]);
  expect(replica.take(message({ problem: { kind: ProblemKind.NOT_FOUND } }, true))).toBe(false);
});

test("W3, XM5: after another user has signed in, the rows of the first are sent to no page", () => {
  const replica = new TypedReplica(ENVIRONMENTS_TOPIC);
  replica.take(message({ rows: [row("a")], complete: true, viewer: { username: "mara" } }, true));
  replica.take(message({ rows: [row("b")], viewer: { username: "otto" } }, true));
  const [whole] = replica.whole();
  expect(whole?.answer.value).toMatchObject({ complete: false, viewer: { username: "otto" }, rows: [{ environment: { name: "b" } }] });
  expect(replica.heldAtMs()).toBe(0);
});
