import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followStream, type Followed } from "./reconnect.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("removeEventListener", () => undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function follower(
  streams: (() => AsyncIterable<number>)[],
  signal: AbortSignal,
): { readonly taken: number[]; readonly lost: string[]; readonly done: Promise<void>; ended: boolean } {
  const seen = { taken: [] as number[], lost: [] as string[], ended: false, done: Promise.resolve() };
  const followed: Followed<number> = {
    open: () => (streams.shift() ?? silent)(),
    take: (message) => seen.taken.push(message) > 0 && message !== 99,
    lost: (reason) => seen.lost.push(reason),
    unauthenticated: () => {
      seen.ended = true;
    },
  };
  seen.done = followStream(followed, signal);
  return seen;
}

async function* silent(): AsyncIterable<number> {
  await new Promise(() => undefined);
  yield 0;
}

async function* messages(...values: (number | ConnectError)[]): AsyncIterable<number> {
  for (const value of values) {
    if (value instanceof ConnectError) throw value;
    yield value;
  }
}

test("opens again when a stream breaks or ends, and goes on", async () => {
  const abort = new AbortController();
  const seen = follower(
    [() => messages(1, new ConnectError("gone", Code.Unavailable)), () => messages(2), () => messages(3, 99)],
    abort.signal,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  await seen.done;
  expect(seen.taken).toEqual([1, 2, 3, 99]);
  expect(seen.lost).toEqual(["gone", "the server ended the stream"]);
});

test("does not knock again without a session", async () => {
  const seen = follower([() => messages(new ConnectError("no", Code.Unauthenticated))], new AbortController().signal);
  await seen.done;
  expect(seen.ended).toBe(true);
});

test("ends when it is aborted while it waits", async () => {
  const abort = new AbortController();
  const seen = follower([() => messages(1)], abort.signal);
  await vi.advanceTimersByTimeAsync(1);
  abort.abort();
  await seen.done;
  expect(seen.taken).toEqual([1]);
});

/** A connection that says nothing any more; ends as every stream does when it is aborted. */
function dead(opened: { count: number }): Followed<number> {
  return {
    open: async function* (signal) {
      opened.count += 1;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      yield* [];
    },
    take: () => true,
    lost: () => undefined,
    unauthenticated: () => undefined,
  };
}

test("W3: a machine that slept for an hour does not wait for a dead connection: it opens another within seconds, once", async () => {
  const [abort, opened] = [new AbortController(), { count: 0 }];
  void followStream(dead(opened), abort.signal); // ends with the test
  await vi.advanceTimersByTimeAsync(10_000);
  expect(opened.count).toBe(1);
  vi.setSystemTime(Date.now() + 3_600_000);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(opened.count).toBe(2);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(opened.count).toBe(2);
  abort.abort();
});

test("W3: a clock that is set back or by some seconds breaks no stream", async () => {
  const [abort, opened] = [new AbortController(), { count: 0 }];
  void followStream(dead(opened), abort.signal); // ends with the test
  for (const stepMs of [-3_600_000, 10_000]) {
    vi.setSystemTime(Date.now() + stepMs);
    await vi.advanceTimersByTimeAsync(10_000);
  }
  expect(opened.count).toBe(1);
  abort.abort();
});
