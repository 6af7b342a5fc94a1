import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ListenedSource } from "./listened-source.ts";
import type { TopicListener } from "./stream-hub.ts";
import { SwitchedSource } from "./switched-source.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const LISTENER: TopicListener<string> = { take: () => undefined, lost: () => undefined, unauthenticated: () => undefined };

function world(): {
  readonly shared: ListenedSource;
  readonly own: ListenedSource;
  readonly source: SwitchedSource<string, string>;
  welcome: () => void;
  failed: () => void;
} {
  const both = { shared: new ListenedSource(), own: new ListenedSource(), welcome: () => {}, failed: () => {} };
  const source = new SwitchedSource<string, string>(
    (welcome, failed) => {
      Object.assign(both, { welcome, failed });
      return both.shared;
    },
    () => both.own,
  );
  return Object.assign(both, { source });
}

test("W3: a worker that answers is used, whatever it says later", async () => {
  const both = world();
  both.source.subscribe("env", LISTENER);
  both.welcome();
  await vi.advanceTimersByTimeAsync(60_000);
  both.failed();
  expect([both.shared.topics, both.own.topics]).toEqual([["env"], []]);
});

test.each(["fails", "stays silent"])(
  "W3: when the worker %s the page has a stream of its own, and everybody goes on listening",
  async (how) => {
    const both = world();
    both.source.subscribe("a", LISTENER);
    const leave = both.source.subscribe("b", LISTENER);
    if (how === "fails") both.failed();
    else await vi.advanceTimersByTimeAsync(4_000);
    expect([both.shared.topics, both.own.topics]).toEqual([[], ["a", "b"]]);
    leave();
    expect(both.own.topics).toEqual(["a"]);
  },
);

test("W3: where there is no worker, or it may not be, the page has a stream of its own at once", () => {
  const own = new ListenedSource();
  const forbidden = (): never => {
    throw new Error("SecurityError");
  };
  for (const shared of [undefined, forbidden]) new SwitchedSource(shared, () => own).subscribe("env", LISTENER);
  expect(own.topics).toEqual(["env", "env"]);
});
