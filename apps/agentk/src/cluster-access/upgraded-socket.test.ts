import { Duplex } from "node:stream";

import { ManualClock, settle } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { UpgradedSocket } from "./upgraded-socket.ts";

/** The cluster's side: what is written waits until it is taken. */
class ClusterSide extends Duplex {
  readonly written: string[] = [];
  #taken: (() => void)[] = [];
  takes = true;

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.written.push(chunk.toString());
    if (this.takes) done();
    else this.#taken.push(done);
  }

  /** Takes everything that waits. */
  acceptAll(): void {
    this.takes = true;
    for (const done of this.#taken.splice(0)) done();
  }
}

let clock: ManualClock;
let cluster: ClusterSide;
let events: string[];
let hasRoom: boolean;
let socket: UpgradedSocket;
beforeEach(() => {
  clock = new ManualClock();
  cluster = new ClusterSide({ allowHalfOpen: true, highWaterMark: 4 });
  events = [];
  hasRoom = true;
  socket = new UpgradedSocket(cluster, clock, {
    data: (chunks) => {
      const bytes = Buffer.concat(chunks);
      events.push(bytes.length > 100 ? `${bytes.length} bytes` : bytes.toString());
      return hasRoom;
    },
    drained: () => void events.push("drained"),
    end: () => void events.push("end"),
    broken: ({ message }) => void events.push(message),
  });
});

test("T14: a cluster that takes nothing for 20 s while bytes wait for it is cut; a silent one is not", async () => {
  clock.advance(3_600_000);
  cluster.takes = false;
  expect(socket.write(Buffer.from("12345"))).toBe(false);
  clock.advance(19_999);
  await settle();
  expect(events).toEqual([]);
  clock.advance(1);
  expect(events).toEqual(["the cluster's side has taken nothing for 20 s"]);
  expect(cluster.destroyed).toBe(true);
  expect(socket.write(Buffer.from("more"))).toBe(true);
});

test("T14: a cluster that takes its bytes again goes on", async () => {
  cluster.takes = false;
  socket.write(Buffer.from("12345"));
  clock.advance(15_000);
  cluster.acceptAll();
  await settle();
  clock.advance(15_000);
  expect(events).toEqual(["drained"]);
});

test("T14: a client that takes nothing for 20 s stops the cluster, and is cut", async () => {
  hasRoom = false;
  cluster.push("one");
  await settle();
  cluster.push("two");
  await settle();
  expect(events).toEqual(["one"]);
  hasRoom = true;
  socket.resume();
  await settle();
  expect(events).toEqual(["one", "two"]);
  clock.advance(20_000);
  hasRoom = false;
  cluster.push("three");
  await settle();
  clock.advance(20_000);
  expect(events).toEqual(["one", "two", "three", "the client has taken nothing for 20 s"]);
});

test("what one turn of the event loop brings passes in one go", async () => {
  for (const text of ["a", "b", "c"]) cluster.push(text);
  await settle();
  expect(events).toEqual(["abc"]);
});

test("at most 128 KiB pass per turn of the event loop", async () => {
  for (let count = 0; count < 4; count += 1) cluster.push(Buffer.alloc(128 * 1024));
  const perTurn: number[] = [];
  while (events.length < 4) {
    const before = events.length;
    await new Promise<void>((resolve) => void setImmediate(resolve));
    perTurn.push(events.length - before);
  }
  expect(Math.max(...perTurn)).toBe(1);
});

test("when the client has ended its half, the cluster may be silent for 30 s", async () => {
  socket.finish();
  await settle();
  expect(cluster.writableFinished).toBe(true);
  clock.advance(25_000);
  cluster.push("still here");
  await settle();
  clock.advance(25_000);
  expect(events).toEqual(["still here"]);
  clock.advance(5_000);
  expect(events).toEqual(["still here", "end"]);
  expect(cluster.destroyed).toBe(true);
});

test("the end of the cluster's side is reported once, and nothing after it", async () => {
  cluster.push("last");
  cluster.push(null);
  await settle();
  socket.cancel();
  await settle();
  expect(events).toEqual(["last", "end"]);
});

test("after a cancel nothing is reported", async () => {
  socket.cancel();
  await settle();
  expect([events, cluster.destroyed]).toEqual([[], true]);
});
