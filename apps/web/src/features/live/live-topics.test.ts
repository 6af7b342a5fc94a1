import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DeferredSource } from "./live-topics.ts";
import { ListenedSource } from "./hub/listened-source.ts";
import type { TopicListener } from "./hub/stream-hub.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const LISTENER: TopicListener<string> = { take: () => undefined, lost: () => undefined, unauthenticated: () => undefined };

test("who listens before the code is there listens when it is, and who has left meanwhile does not", async () => {
  const own = new ListenedSource();
  const source = new DeferredSource<string, string>(async () => own);
  source.subscribe("left", LISTENER)();
  const leave = source.subscribe("a", LISTENER);
  await vi.advanceTimersByTimeAsync(0);
  source.subscribe("b", LISTENER);
  expect(own.topics).toEqual(["a", "b"]);
  leave();
  expect(own.topics).toEqual(["b"]);
});

test("code that does not come is loaded again until it does, and everybody hears why nothing comes", async () => {
  const [own, lost] = [new ListenedSource(), vi.fn<(reason: string) => void>()];
  const load = vi.fn<() => Promise<ListenedSource>>(async () => {
    if (load.mock.calls.length < 3) throw new Error("no such file");
    return own;
  });
  new DeferredSource<string, string>(load).subscribe("env", { ...LISTENER, lost });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(own.topics).toEqual(["env"]);
  expect(lost.mock.calls).toEqual([["no such file"], ["no such file"]]);
});
