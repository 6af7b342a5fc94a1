import { fromBinary } from "@bufbuild/protobuf";
import { JoinedChange, PublishedTable } from "@binnacle/replica";
import { ViewsResponseSchema, type ViewsResponse, type ViewUpdate } from "@binnacle/proto/kas-views";
import { settle } from "@binnacle/testing";
import fc from "fast-check";
import { expect, test } from "vitest";

import { Outbox } from "./outbox.ts";

/** The way to kas, which takes so many messages at a time. */
class Way {
  readonly messages: ViewsResponse["response"][] = [];
  room = Number.POSITIVE_INFINITY;
  #drained: () => void = () => {};

  readonly outbox = new Outbox({
    header: () => {},
    message: (pieces) => {
      this.messages.push(fromBinary(ViewsResponseSchema, Buffer.concat(pieces)).response);
      this.room -= 1;
      return this.room > 0;
    },
    onDrain: (resume) => (this.#drained = resume),
    upgraded: () => {},
    pause: () => {},
    resume: () => {},
    end: () => {},
  });

  drain(room: number): void {
    this.room = room;
    this.#drained();
  }

  updates(topic: bigint): ViewUpdate[] {
    return this.messages.flatMap((each) => (each.case === "update" && each.value.topic === topic ? [each.value] : []));
  }
}

function open(way: Way, topic: bigint, table: PublishedTable): void {
  const reader = table.open(() => way.outbox.ready(topic, reader));
}

/** What kas has of a topic; throws where pieces of one change are torn apart. */
function held(updates: readonly ViewUpdate[]): Record<string, number> {
  const [table, joined] = [new PublishedTable(), new JoinedChange()];
  for (const [index, update] of updates.entries()) {
    if (updates[index - 1]?.more === true && update.reset) throw new Error("a reset in the middle of a change");
    const change = joined.add(update);
    if (change) table.apply(change);
  }
  return Object.fromEntries(table.entries().map(({ key, value }) => [key, value.byteLength]));
}

test("a large change goes in pieces, and what is small does not wait for all of them", async () => {
  const way = new Way();
  const [large, small] = [new PublishedTable(), new PublishedTable()];
  for (let index = 0; index < 40; index += 1) large.put(`n/${index}`, new Uint8Array(100_000));
  small.put("summary", new Uint8Array(10));
  open(way, 1n, large);
  open(way, 2n, small);
  for (let turn = 0; turn < 20; turn += 1) await settle();
  const [last] = way.messages
    .map((each, index) => (each.case === "update" && each.value.topic === 2n ? index : -1))
    .filter((index) => index >= 0);
  expect(last).toBeLessThan(10);
  expect(way.updates(1n).length).toBeGreaterThan(20);
  expect(
    way.updates(1n).map(({ reset, more }, index, all) => [reset === (index === 0), more === index < all.length - 1]),
  ).not.toContainEqual([false, expect.anything()]);
  expect(Object.keys(held(way.updates(1n)))).toHaveLength(40);
});

test("a kas that does not read is owed one state, however much changes", async () => {
  const way = new Way();
  way.room = 1;
  const table = new PublishedTable();
  open(way, 1n, table);
  await settle();
  for (let index = 0; index < 1_000; index += 1) {
    table.put("summary", Uint8Array.of(index % 256, 1 + Math.floor(index / 256)));
    table.announce();
    await Promise.resolve();
  }
  expect(way.messages).toHaveLength(1);
  way.drain(100);
  await settle();
  expect(way.messages).toHaveLength(2);
  expect(way.updates(1n)[1]?.entries[0]?.value).toEqual(Buffer.of(999 % 256, 4));
});

test("answers go before what topics have to say, and nothing goes after the end", async () => {
  const way = new Way();
  way.room = 0;
  const table = new PublishedTable();
  open(way, 1n, table);
  way.outbox.say({ case: "proved", value: { id: 1n } });
  way.outbox.say({ case: "proved", value: { id: 2n } });
  await settle();
  way.drain(1);
  expect(way.messages.map((each) => each.case)).toEqual(["proved", "proved"]);
  way.outbox.close();
  way.drain(100);
  await settle();
  expect(way.messages.filter((each) => each.case === "update")).toEqual([]);
});

test("however kas reads and whatever changes, in the end it has what there is", async () => {
  const step = fc.oneof(
    fc.record({ does: fc.constant("put" as const), key: fc.constantFrom("a", "b", "c", "d"), bytes: fc.constantFrom(1, 70_000, 140_000) }),
    fc.record({ does: fc.constant("remove" as const), key: fc.constantFrom("a", "b", "c", "d") }),
    fc.record({ does: fc.constant("drain" as const), room: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ does: fc.constant("turn" as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const way = new Way();
      way.room = 1;
      const table = new PublishedTable();
      open(way, 1n, table);
      for (const each of steps) {
        if (each.does === "put") table.put(each.key, new Uint8Array(each.bytes));
        else if (each.does === "remove") table.remove(each.key);
        else if (each.does === "drain") way.drain(each.room);
        else await settle();
        table.announce();
      }
      way.drain(Number.POSITIVE_INFINITY);
      for (let turn = 0; turn < 4; turn += 1) await settle();
      expect(held(way.updates(1n))).toEqual(Object.fromEntries(table.entries().map(({ key, value }) => [key, value.byteLength])));
    }),
    { numRuns: 100 },
  );
});
