import { systemClock } from "@binnacle/rpc";
import { ManualClock, until, watchLongestTurn } from "@binnacle/testing";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";

import { LogFilterError } from "../filter/filter-init.ts";
import { RequestAnswerer } from "./answer-request.ts";
import { Expressions, type ExpressionSearch, type SearchThread, type ThreadEvents } from "./expressions.ts";
import { nodeExpressions } from "./node-expressions.ts";
import { decodeLines, encodeLines, type ThreadRequest } from "./thread-message.ts";

const NEVER = new AbortController().signal;
/** Takes many seconds for one such line. */
const SLOW = { pattern: `${String.raw`[\pL\pN]{1000}`.repeat(9)}$`, matchesCase: true };
const SLOW_LINE = "x".repeat(16_000);
/** Threads start late on a busy machine. */
const BUSY = { timeout: 60_000 };

let expressions: Expressions;
afterEach(() => expressions.close());

describe("expressions in a thread of Node", BUSY, () => {
  test("search lines as they were, whatever their characters", async () => {
    expressions = nodeExpressions(systemClock);
    const search = expressions.open({ pattern: "^.a", matchesCase: true });
    const line = fc.string({ unit: fc.constantFrom("a", "b", "\u{1F600}", "\uFEFF", "é", "\n", "\u0000"), maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 40 }), async (lines) => {
        const expected = lines.map((text) => Number(/^.a/u.test(text)));
        expect([...(await search.test(lines, NEVER))]).toEqual(expected);
        expect((await search.ranges(lines, 3, NEVER)).map(({ length }) => length)).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  test("end a search that takes longer than a second for a line, while others go on, and this thread has its turns", async () => {
    expressions = nodeExpressions(systemClock);
    const fast = expressions.open({ pattern: "a+b", matchesCase: true });
    await fast.test(["a"], NEVER);
    const longestTurn = watchLongestTurn();
    const slow = expressions.open(SLOW);
    const ended = slow.test([SLOW_LINE, SLOW_LINE], NEVER).catch((error: unknown) => error);
    const found = await Promise.all([0, 1, 2].map(() => fast.test(["x", "aab"], NEVER)));
    expect(await ended).toEqual(new LogFilterError("it takes more than a second for a line"));
    const longestMs = longestTurn();
    expect(found.map((counts) => [...counts])).toEqual([0, 1, 2].map(() => [0, 1]));
    // Generous: other tests share the cores.
    expect(longestMs).toBeLessThan(500);
    // It is not tried again.
    const beganMs = performance.now();
    await expect(expressions.check(SLOW, NEVER)).rejects.toThrow(LogFilterError);
    expect(performance.now() - beganMs).toBeLessThan(500);
  });

  test("are cancelled at once", async () => {
    expressions = nodeExpressions(systemClock);
    await expressions.check({ pattern: "a", matchesCase: true }, NEVER);
    const page = new AbortController();
    const searching = expressions.open(SLOW).test([SLOW_LINE], page.signal);
    page.abort(new Error("the page is gone"));
    await expect(searching).rejects.toThrow("the page is gone");
    await until(() => expressions.pending === 0);
  });
});

test("lines are the same in the thread, also with a byte order mark at the beginning", () => {
  const lines = ["\uFEFFa", "", "\u{1F600}\uFEFF", "b\n\u0000"];
  expect([...decodeLines(encodeLines(lines))]).toEqual(lines);
});

test("a thread leaves the lines of a request for later when a slice is over", () => {
  const lines = Array.from({ length: 20 }, () => "x".repeat(500));
  const { answer } = new RequestAnswerer().answer({ id: 1, ...SLOW, maxRanges: 0, ...encodeLines(lines) });
  expect(answer).toMatchObject({ id: 1 });
  const searched = typeof answer === "object" && "counts" in answer ? answer.counts.length : undefined;
  expect(searched).toBeGreaterThan(0);
  expect(searched).toBeLessThan(20);
});

/** A thread that runs in this one and responds when the test wants it. */
class ManualThread implements SearchThread {
  readonly requests: ThreadRequest[] = [];
  isEnded = false;
  readonly #events: ThreadEvents;
  readonly #answerer = new RequestAnswerer();

  constructor(events: ThreadEvents) {
    this.#events = events;
  }

  ready(): void {
    this.#events.answered("ready");
  }

  /** Answers the oldest request. @param lines of it; absent: all */
  answer(lines?: number): string {
    const request = this.requests.shift();
    if (request === undefined) throw new Error("nothing was sent");
    const { answer } = this.#answerer.answer(request);
    if (typeof answer === "object" && "counts" in answer && lines !== undefined)
      this.#events.answered({ ...answer, counts: answer.counts.slice(0, lines) });
    else this.#events.answered(answer);
    return request.pattern;
  }

  die(): void {
    this.#events.died();
  }

  send(request: ThreadRequest): void {
    this.requests.push(request);
  }

  end(): void {
    this.isEnded = true;
  }
}

describe("expressions", () => {
  const clock = new ManualClock();
  let threads: ManualThread[];

  function open(): Expressions {
    threads = [];
    expressions = new Expressions({
      clock,
      startThread: (events) => {
        const thread = new ManualThread(events);
        threads.push(thread);
        return thread;
      },
    });
    return expressions;
  }
  const latest = (): ManualThread => {
    const thread = threads.at(-1);
    if (thread === undefined) throw new Error("there is no thread");
    return thread;
  };
  const searchFor = (pattern: string): ExpressionSearch => expressions.open({ pattern, matchesCase: true });
  /** Outcome of a search of these lines. */
  const outcome = (search: ExpressionSearch, lines: readonly string[], signal = NEVER): Promise<unknown> =>
    search.test(lines, signal).then(
      (counts) => [...counts],
      (error: unknown) => (error instanceof Error ? error.message : error),
    );

  afterEach(() => {
    expressions.close();
    clock.assertIdle();
  });

  test("start no thread before they are used, one for all, and end it when it was idle for 30 s", async () => {
    open();
    const search = searchFor("a");
    expect(threads).toHaveLength(0);
    const outcomes = [outcome(search, ["a", "b"]), outcome(searchFor("b"), ["a", "b"])];
    expect(threads).toHaveLength(1);
    latest().ready();
    latest().answer();
    clock.advance(900);
    latest().answer();
    expect(await Promise.all(outcomes)).toEqual([
      [1, 0],
      [0, 1],
    ]);
    clock.advance(29_999);
    expect([expressions.isRunning, latest().isEnded]).toEqual([true, false]);
    clock.advance(1);
    expect([expressions.isRunning, latest().isEnded]).toEqual([false, true]);
    const again = outcome(search, ["a"]);
    expect(threads).toHaveLength(2);
    latest().ready();
    latest().answer();
    expect(await again).toEqual([1]);
  });

  test("give each search its turn, at most two requests at a time, and go on with the lines that a slice left", async () => {
    open();
    const many = searchFor("x");
    const outcomes = [1, 2, 3].map(() => outcome(many, ["x", "-", "x"]));
    outcomes.push(outcome(searchFor("y"), ["y"]));
    latest().ready();
    expect(latest().requests.map(({ pattern }) => pattern)).toEqual(["x", "y"]);
    latest().answer(1);
    expect(latest().answer()).toBe("y");
    const sizes: number[] = [];
    while (latest().requests.length > 0) {
      sizes.push(latest().requests[0]?.lengths.length ?? 0);
      latest().answer();
    }
    expect(sizes).toEqual([2, 3, 3]);
    expect(await Promise.all(outcomes)).toEqual([[1, 0, 1], [1, 0, 1], [1, 0, 1], [1]]);
  });

  test("join the places of slices", async () => {
    open();
    const places = searchFor("a+").ranges(["aab", "b", "ba"], 10, NEVER);
    latest().ready();
    const request: ThreadRequest | undefined = latest().requests.shift();
    if (request === undefined) throw new Error("nothing was sent");
    latest().requests.push({ ...request, lengths: request.lengths.slice(0, 2), bytes: request.bytes.slice(0, 4) });
    latest().answer();
    latest().answer();
    expect(await places).toEqual([[{ start: 0, end: 2 }], [], [{ start: 1, end: 2 }]]);
  });

  const HARMS: readonly (readonly [string, (thread: ManualThread) => void, string])[] = [
    ["hangs", () => clock.advance(1_000), "it takes more than a second for a line"],
    ["dies", (thread) => thread.die(), "it takes too much memory, or the search has failed"],
  ];
  test.each(HARMS)("replace a thread that %s: what it was working on ends, and the rest goes on", async (_, harm, message) => {
    open();
    const outcomes = [outcome(searchFor("a"), ["a"]), outcome(searchFor("b"), ["b"]), outcome(searchFor("c"), ["c"])];
    const first: ManualThread = latest();
    first.ready();
    harm(first);
    expect([threads.length, first.isEnded]).toEqual([2, true]);
    latest().ready();
    const answered = [latest().answer(), latest().answer()];
    expect(answered.toSorted()).toEqual(["b", "c"]);
    expect(await Promise.all(outcomes)).toEqual([message, [1], [1]]);
    clock.advance(29_000);
    expect(await outcome(searchFor("a"), ["a"])).toBe(message);
    // Messages of the ended thread have no effect.
    first.ready();
    first.die();
    expect(threads).toHaveLength(2);
    clock.advance(31_000);
    const later = outcome(searchFor("a"), ["a"]);
    latest().ready();
    latest().answer();
    expect(await later, "the machine may have been busy").toEqual([1]);
  });

  test("limit the time of the request that follows another one, too", async () => {
    open();
    const outcomes = [outcome(searchFor("a"), ["a"]), outcome(searchFor("b"), ["b"])];
    latest().ready();
    clock.advance(900);
    latest().answer();
    clock.advance(999);
    expect(threads).toHaveLength(1);
    clock.advance(1);
    expect(await Promise.all(outcomes)).toEqual([[1], "it takes more than a second for a line"]);
  });

  test("end all searches when a thread does not start", async () => {
    open();
    const outcomes = [outcome(searchFor("a"), ["a"]), outcome(searchFor("b"), ["b"])];
    clock.advance(10_000);
    expect(await Promise.all(outcomes)).toEqual(["the search could not be started", "the search could not be started"]);
    const again = outcome(searchFor("a"), ["a"]);
    latest().ready();
    latest().answer();
    expect([await again, threads.length]).toEqual([[1], 2]);
  });

  test("send nothing of a request that was cancelled, and no rest of it", async () => {
    open();
    const page = new AbortController();
    const search = searchFor("a");
    const cancelled = [1, 2, 3].map(() => outcome(search, ["a", "a"], page.signal));
    latest().ready();
    expect([latest().requests.length, expressions.pending]).toEqual([2, 3]);
    page.abort("gone");
    expect(await Promise.all(cancelled)).toEqual(["gone", "gone", "gone"]);
    latest().answer(1);
    latest().answer(1);
    expect([latest().requests.length, expressions.pending]).toEqual([0, 0]);
    expect(await outcome(search, ["a"], page.signal)).toBe("gone");
  });

  test("reject what exceeds the queue, and everything after their end", async () => {
    open();
    const search = searchFor("a");
    const waiting = Array.from({ length: 4_000 }, () => outcome(search, ["a"]));
    expect(await outcome(search, ["a"])).toBe("too many lines wait to be searched");
    expressions.close();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(["the search has ended"]));
    expect(await outcome(search, ["a"])).toBe("the search has ended");
  });
});
