import { expect, test } from "vitest";

import { mergeStreams } from "./merge-streams.ts";

/** A stream that yields what it is given, when it is given, and counts reads and records whether it was cancelled. */
class HandStream {
  pulls = 0;
  left = false;
  readonly #values: (string | Error | undefined)[] = [];
  #wake: (() => void) | undefined;

  /** `undefined` is the end. */
  give(...values: (string | Error | undefined)[]): void {
    this.#values.push(...values);
    this.#wake?.();
  }

  async *open(signal: AbortSignal): AsyncGenerator<string> {
    signal.addEventListener("abort", () => this.#wake?.());
    try {
      for (;;) {
        this.pulls += 1;
        while (this.#values.length === 0 && !signal.aborted) await new Promise<void>((resolve) => (this.#wake = resolve));
        const value = this.#values.shift();
        if (value instanceof Error) throw value;
        if (value === undefined) return;
        yield value;
      }
    } finally {
      this.left = true;
    }
  }
}

function merged(streams: readonly HandStream[], signal = new AbortController().signal): ReturnType<typeof mergeStreams<string>> {
  return mergeStreams(
    streams.map((stream) => (inner) => stream.open(inner)),
    signal,
  );
}

async function all(streams: readonly HandStream[]): Promise<string[]> {
  const seen: string[] = [];
  for await (const { index, value } of merged(streams)) seen.push(`${index}${value}`);
  return seen;
}

test("W3: every value comes, with the stream it is of", async () => {
  const [first, second] = [new HandStream(), new HandStream()];
  first.give("a", "b", undefined);
  second.give("x", undefined);
  expect((await all([first, second])).toSorted()).toEqual(["0a", "0b", "1x"]);
});

test("W3: a stream that speaks without end does not drown the others", async () => {
  const [loud, quiet] = [new HandStream(), new HandStream()];
  loud.give(...Array.from({ length: 100 }, () => "!"));
  quiet.give("at last");
  let before = 0;
  for await (const { value } of merged([loud, quiet])) {
    if (value === "at last") break;
    before += 1;
  }
  expect(before).toBeLessThan(3);
});

test("W3: no stream is read for more than one value beyond what was taken", async () => {
  const [first, second] = [new HandStream(), new HandStream()];
  first.give("a", "b", "c");
  await merged([first, second]).next();
  await new Promise((resolve) => setImmediate(resolve));
  expect([first.pulls, second.pulls]).toEqual([1, 1]);
});

test("W3: a stream that breaks ends all of them", async () => {
  const [broken, other] = [new HandStream(), new HandStream()];
  broken.give(new Error("gone"));
  other.give("x", undefined);
  await expect(all([broken, other])).rejects.toThrow("gone");
  expect(other.left).toBe(true);
});

test("W3: a reader that cancels ends all of them", async () => {
  const streams = [new HandStream(), new HandStream()];
  streams[0]?.give("a");
  for await (const _ of merged(streams)) break;
  expect(streams.map(({ left }) => left)).toEqual([true, true]);
});

test("W3: who is gone while all are silent leaves all of them", async () => {
  const streams = [new HandStream(), new HandStream()];
  const gone = new AbortController();
  const next = merged(streams, gone.signal).next();
  gone.abort();
  expect((await next).done).toBe(true);
  expect(streams.map(({ left }) => left)).toEqual([true, true]);
});
