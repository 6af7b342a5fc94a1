import { createHash } from "node:crypto";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { podOf } from "../pod.ts";
import { countAt, lineText, logProfile, timeOfLine } from "./log-lines.ts";
import { logInstance, parseLogQuery, type LogInstance } from "./log-query.ts";
import { logBytes } from "./log-stream.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const NEVER = new AbortController().signal;

/** A clock that a test moves; timers run when their time has come. */
class ManualClock {
  #now: number;
  #timers: { at: number; action: () => void }[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { at: this.#now + delayMs, action };
    this.#timers.push(timer);
    return () => (this.#timers = this.#timers.filter((one) => one !== timer));
  }

  advance(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter((one) => one.at <= this.#now);
    this.#timers = this.#timers.filter((one) => one.at > this.#now);
    for (const timer of due) timer.action();
  }
}

function instance(annotations: Readonly<Record<string, string>> = {}, finishedMs?: number): LogInstance {
  return { profile: logProfile(annotations, { seed: "uid/web/0", container: "web", startedMs: START }), restart: 0, finishedMs };
}

async function read(of: LogInstance, query: string, nowMs: number): Promise<string> {
  const clock = new ManualClock(nowMs);
  const chunks: Buffer[] = [];
  const context = { clock, signal: NEVER, endedMs: () => Promise.resolve(undefined) };
  for await (const chunk of logBytes(of, parseLogQuery(new URLSearchParams(query), nowMs), context)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const lines = (text: string): string[] => text.replace(/\n$/, "").split("\n");

describe("the lines of a container", () => {
  test("are a pure function of pod, container, restart and number", () => {
    const { profile } = instance();
    const sum = (): string =>
      createHash("sha256")
        .update(Array.from({ length: 500 }, (_, n) => lineText(profile, n)).join("\n"))
        .digest("hex");
    expect(sum()).toBe(sum());
    expect(lineText({ ...profile, seed: "uid/web/1" }, 7)).not.toBe(lineText(profile, 7));
  });

  test("exist exactly from their time on, whatever the rate", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 100_000, noNaN: true }), fc.nat(100_000), (rate, n) => {
        const { profile } = instance({ "bench.kas/log-rate": String(rate) });
        const time = timeOfLine(profile, n);
        expect(time).toBeLessThan(timeOfLine(profile, n + 1));
        expect(countAt(profile, Number(time / 1_000_000n) + 1)).toBeGreaterThan(n);
      }),
    );
  });

  test.each([
    ["json", /^\{"time":"2026-01-01T00:00:0.*Z","level":"\w+","msg":/],
    ["logfmt", /^time=\S+ level=\w+ msg="/],
    ["klog", /^[IWED]0101 00:00:\d\d\.\d{6} +1 web\.go:\d+\] /],
    ["bracket", /^\[(INFO|WARN|ERROR|DEBUG)\] web: /],
    ["text", /^web: /],
  ])("have the style %s", (style, expected) => {
    const { profile } = instance({ "bench.kas/log-style": style });
    for (const n of [0, 1, 5, 9]) expect(lineText(profile, n)).toMatch(expected);
  });
});

describe("a log", () => {
  test("has three lines at the start and one each second", async () => {
    expect(lines(await read(instance(), "", START))).toEqual(["web: starting", "web: hello from a simulated container", "web: ready"]);
    expect(lines(await read(instance(), "", START + 10_000))).toHaveLength(13);
  });

  test("is cut by tailLines, sinceTime, sinceSeconds and limitBytes", async () => {
    const [of, now] = [instance(), START + 10_000];
    const all = lines(await read(of, "timestamps=true", now));
    expect(lines(await read(of, "timestamps=true&tailLines=4", now))).toEqual(all.slice(-4));
    expect(await read(of, "tailLines=0", now)).toBe("");
    const since = all[5]?.split(" ")[0] ?? "";
    expect(lines(await read(of, `timestamps=true&sinceTime=${encodeURIComponent(since)}`, now))).toEqual(all.slice(5));
    expect(lines(await read(of, "timestamps=true&sinceSeconds=3", now))).toEqual(all.slice(-4));
    expect(await read(of, "timestamps=true&limitBytes=50", now)).toBe(all.join("\n").slice(0, 50));
  });

  test("has timestamps with nine digits", async () => {
    expect((await read(instance(), "timestamps=true&tailLines=1", START)).split(" ")[0]).toMatch(/^2026-01-01T00:00:00\.\d{9}Z$/);
  });

  test("begins with the newest file after a rotation", async () => {
    const text = await read(instance({ "bench.kas/log-rotate-lines": "10", "bench.kas/log-rate": "10" }), "", START + 2_000);
    expect(lines(text)).toHaveLength(3);
  });

  test("has one line of 10 MB in chunks of 64 KiB", async () => {
    const of = instance({ "bench.kas/log-long-line": "1" });
    const clock = new ManualClock(START);
    let [bytes, largest] = [0, 0];
    for await (const chunk of logBytes(of, parseLogQuery(new URLSearchParams(), START), {
      clock,
      signal: NEVER,
      endedMs: () => Promise.resolve(undefined),
    })) {
      bytes += chunk.length;
      largest = Math.max(largest, chunk.length);
    }
    expect(bytes).toBeGreaterThan(10_000_000);
    expect(largest).toBeLessThanOrEqual(64 * 1024);
  });

  test("followed from any moment has every line once, across a rotation, until the run ends", async () => {
    const of = instance({ "bench.kas/log-rate": "500", "bench.kas/log-rotate-lines": "300" });
    const clock = new ManualClock(START + 100);
    let ended: number | undefined;
    const chunks: Buffer[] = [];
    const context = { clock, signal: NEVER, endedMs: () => Promise.resolve(ended) };
    const following = (async () => {
      for await (const chunk of logBytes(of, parseLogQuery(new URLSearchParams("follow=true"), clock.now()), context)) chunks.push(chunk);
    })();
    for (let step = 0; step < 40; step += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(77);
    }
    ended = clock.now();
    clock.advance(250);
    await following;
    const text = lines(Buffer.concat(chunks).toString());
    const count = countAt(of.profile, ended);
    expect(count).toBeGreaterThan(1500);
    expect(text).toEqual([...Array.from({ length: count }, (_, n) => lineText(of.profile, n)), "web: last words of this container"]);
  });

  test.each([
    "tailLines=-1",
    "limitBytes=0",
    "sinceSeconds=0",
    "tailLines=x",
    "sinceTime=yesterday",
    "sinceTime=2026-01-01T00:00:00Z&sinceSeconds=1",
  ])("%s is rejected with 400", (query) => {
    expect(() => parseLogQuery(new URLSearchParams(query), START)).toThrow(expect.objectContaining({ code: 400 }));
  });
});

describe("the run whose log is read", () => {
  const pod = (status: object) =>
    podOf({
      metadata: { name: "p", uid: "u" },
      spec: { containers: [{ name: "web" }] },
      status: { phase: "Running", containerStatuses: [{ name: "web", ...status }] },
    });
  const at = (status: object, previous = false) => {
    const of = pod(status);
    const [container] = of.containers;
    if (container === undefined) throw new Error("the pod has no container");
    return logInstance(of, container, previous);
  };
  const terminated = { terminated: { startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:00:05Z" } };

  test("is the last one while the container waits for its next start", () => {
    expect(at({ restartCount: 3, state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: terminated })).toMatchObject({
      restart: 2,
      finishedMs: START + 5000,
    });
  });

  test("with previous is the one before", () => {
    expect(at({ restartCount: 1, state: { running: { startedAt: "2026-01-01T00:01:00Z" } }, lastState: terminated }, true)).toMatchObject({
      restart: 0,
    });
  });

  test.each([
    [
      { state: { waiting: { reason: "ImagePullBackOff" } } },
      false,
      'container "web" in pod "p" is waiting to start: trying and failing to pull image',
    ],
    [{ state: { waiting: { reason: "ContainerCreating" } } }, false, 'container "web" in pod "p" is waiting to start: ContainerCreating'],
    [{ state: { running: {} } }, true, 'previous terminated container "web" in pod "p" not found'],
  ])("is missing for %j, previous %s", (status, previous, message) => {
    expect(() => at(status, previous)).toThrow(message);
  });
});
