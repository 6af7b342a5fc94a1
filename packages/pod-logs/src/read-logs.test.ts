import { LogSourceState, type LogPosition } from "@binnacle/proto/dashboard-logs";
import { nanosOf } from "@binnacle/proto/wire-values";
import { describe, expect, test } from "vitest";

import { LogFilterError } from "./filter/filter.ts";
import { LogClusterStandIn, WrittenLog } from "./log-cluster-stand-in.ts";
import type { LogsQuery } from "./logs-query.ts";
import { LogTally, podJson, QUERY, readerOf } from "./read-logs-harness.ts";
import { readLogs } from "./read-logs.ts";

const START = 1_767_225_600_000_000_000n;

function logOf(count: number, text = "line", from = START): WrittenLog {
  const log = new WrittenLog();
  log.write(...Array.from({ length: count }, (_, n) => ({ timeNanos: from + BigInt(n) * 1_000_000n, text: `${text} ${n}` })));
  return log;
}

async function read(cluster: LogClusterStandIn, query: Partial<LogsQuery> = {}, limits = {}): Promise<LogTally> {
  const tally = new LogTally();
  const reader = readerOf(cluster);
  const full = { ...QUERY, ...query };
  for await (const message of readLogs(full, { ...reader, limits: { ...reader.limits, ...limits } }, new AbortController().signal))
    tally.add(message);
  return tally;
}

function follow(cluster: LogClusterStandIn, query: Partial<LogsQuery> = {}, limits = {}) {
  const stop = new AbortController();
  const tally = new LogTally();
  const reader = readerOf(cluster);
  const reading = (async () => {
    const full = { ...QUERY, follow: true, ...query };
    for await (const message of readLogs(full, { ...reader, limits: { ...reader.limits, ...limits } }, stop.signal)) tally.add(message);
  })();
  return {
    tally,
    end: async () => {
      stop.abort();
      await reading;
    },
  };
}

const texts = (tally: LogTally): string[] => tally.lines.map(({ line }) => line.text);

describe("sources", () => {
  test("over the limit are read one after the other when nothing is followed", async () => {
    const cluster = new LogClusterStandIn();
    for (const name of ["a", "b", "c"]) cluster.setPod(podJson(name, { id: name }), { web: { present: logOf(3, name) } });
    const tally = await read(cluster, {}, { reads: 1 });
    expect(texts(tally).toSorted()).toEqual(["a", "b", "c"].flatMap((name) => [0, 1, 2].map((n) => `${name} ${n}`)));
    expect(tally.states()).toEqual([LogSourceState.ENDED, LogSourceState.ENDED, LogSourceState.ENDED]);
  });

  test("over the limit have that state when they are followed, and are read when another one has ended", async () => {
    const cluster = new LogClusterStandIn();
    const first = logOf(1, "a");
    cluster.setPod(podJson("a", { id: "a" }), { web: { present: first } });
    cluster.setPod(podJson("b", { id: "b" }), { web: { present: logOf(1, "b") } });
    const { tally, end } = follow(cluster, {}, { reads: 1 });
    await tally.until(() => tally.states().includes(LogSourceState.OVER_LIMIT) && texts(tally).length === 1);
    cluster.setPod(podJson("a", { id: "a", isTerminated: true }), { web: { present: first } });
    first.end();
    await tally.until(() => texts(tally).length === 2);
    await end();
    expect(texts(tally)).toEqual(["a 0", "b 0"]);
  });

  test("beyond those that are listed are named as such", async () => {
    const cluster = new LogClusterStandIn();
    for (const name of ["a", "b"]) cluster.setPod(podJson(name, { id: name }), { web: { present: logOf(1, name) } });
    const tally = await read(cluster, {}, { sources: 1 });
    expect([...tally.sources.values()].map(({ words }) => words?.id)).toContain("logs/too-many");
    expect(texts(tally)).toHaveLength(1);
  });

  test("join and leave with their pods; what they had written is not lost", async () => {
    const cluster = new LogClusterStandIn();
    const first = logOf(2, "a");
    cluster.setPod(podJson("a", { id: "a" }), { web: { present: first } });
    const { tally, end } = follow(cluster, { tailLines: 1 });
    await tally.until(() => texts(tally).length === 1);
    cluster.setPod(podJson("b", { id: "b" }), { web: { present: logOf(2, "b") } });
    await tally.until(() => texts(tally).length === 3);
    first.end();
    cluster.removePod("a");
    await tally.until(() => [...tally.sources.values()].some(({ hasLeft, state }) => hasLeft && state === LogSourceState.ENDED));
    await end();
    expect(texts(tally)).toEqual(["a 1", "b 0", "b 1"]);
    expect(tally.gaps).toEqual([]);
  });

  test("that were cut off while their pod went away have a gap without an end", async () => {
    const cluster = new LogClusterStandIn();
    cluster.setPod(podJson("a", { id: "a" }), { web: { present: logOf(2, "a") } });
    const before = await read(cluster);
    cluster.removePod("a");
    const positions = before.positions.map((position) => ({ ...position, reachedEnd: false }));
    const tally = await read(cluster, { positions });
    expect(tally.gaps).toEqual([{ after: START + 1_000_000n, before: undefined }]);
    expect([...tally.sources.values()]).toMatchObject([{ pod: "a", hasLeft: true, state: LogSourceState.ENDED }]);
  });

  test("that break off while their pod goes away have a gap without an end", async () => {
    let requests = 0;
    const cluster = new LogClusterStandIn({ breakAfter: () => (requests++ === 0 ? undefined : 1) });
    cluster.setPod(podJson("a", { id: "a" }), { web: { present: logOf(2, "a") } });
    const { tally, end } = follow(cluster);
    await tally.until(() => tally.states().includes(LogSourceState.FAILED) && texts(tally).length === 2);
    cluster.removePod("a");
    await tally.until(() => tally.states().includes(LogSourceState.ENDED) && tally.gaps.length > 0);
    await end();
    expect(tally.gaps).toEqual([{ after: START + 1_000_000n, before: undefined }]);
  });

  test("have positions behind lines that were sent, never behind those that wait", async () => {
    const cluster = new LogClusterStandIn();
    cluster.setPod(podJson("a", { id: "a" }), { web: { present: logOf(200, "a".repeat(100)) } });
    const reader = readerOf(cluster);
    const messages = readLogs(QUERY, { ...reader, limits: { ...reader.limits, batchBytes: 1_000 } }, new AbortController().signal);
    let sentNanos = 0n;
    let positions = 0;
    for await (const { message } of messages) {
      // A slow client: lines wait meanwhile.
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (message.case !== "lines") continue;
      sentNanos = message.value.lines.at(-1)?.timeNanos ?? sentNanos;
      for (const { time } of message.value.positions) {
        positions += 1;
        expect(time && nanosOf(time)).toBe(sentNanos);
      }
    }
    expect(positions).toBeGreaterThan(10);
    expect(sentNanos).toBe(START + 199_000_000n);
  });

  test.each([
    ["in the last run", 5, ["r5 3"]],
    ["in the next one", 6, ["r5 3", "r6 0", "r6 1"]],
    ["while the pod's status is late by one run", 4, []],
  ])("resume with the positions of the last three runs as with those of all: %s", async (_, present, expected) => {
    const logOfRun = (run: number, count: number): WrittenLog => logOf(count, `r${run}`, START + BigInt(run) * 60_000_000_000n);
    const showRun = (cluster: LogClusterStandIn, run: number, counts: { readonly present: number; readonly previous: number }): void => {
      const pod = podJson("a", { id: `run-${run}`, restarts: run, previousId: `run-${run - 1}` });
      cluster.setPod(pod, { web: { present: logOfRun(run, counts.present), previous: logOfRun(run - 1, counts.previous) } });
    };
    const positions: LogPosition[] = [];
    for (let run = 1; run <= 5; run += 1) {
      const cluster = new LogClusterStandIn();
      showRun(cluster, run, { present: 3, previous: 3 });
      // oxlint-disable-next-line no-await-in-loop -- one run after the other
      positions.push(...(await read(cluster)).positions.map((position) => ({ ...position, reachedEnd: run < 5 })));
    }
    const resumed = async (from: readonly LogPosition[]) => {
      const cluster = new LogClusterStandIn();
      showRun(cluster, present, present === 6 ? { present: 2, previous: 4 } : { present: present === 5 ? 4 : 3, previous: 3 });
      const tally = await read(cluster, { positions: from });
      return { texts: texts(tally), gaps: tally.gaps };
    };
    expect(positions.map(({ containerId }) => containerId)).toEqual(["run-1", "run-2", "run-3", "run-4", "run-5"]);
    const all = await resumed(positions);
    expect(all).toEqual({ texts: expected, gaps: [] });
    expect(await resumed(positions.slice(-3))).toEqual(all);
  });

  test("that have ended before are not missed by a client that comes back", async () => {
    const cluster = new LogClusterStandIn();
    cluster.setPod(podJson("a", { id: "a", isTerminated: true }), { web: { present: logOf(2, "a") } });
    const { positions } = await read(cluster);
    expect(positions).toMatchObject([{ reachedEnd: true }]);
    cluster.removePod("a");
    const tally = await read(cluster, { positions });
    expect([tally.gaps, tally.lines, tally.sources.size]).toEqual([[], [], 0]);
  });

  test("whose restart was missed begin with a gap", async () => {
    const cluster = new LogClusterStandIn();
    cluster.setPod(podJson("a", { id: "one" }), { web: { present: logOf(2, "one") } });
    const { positions } = await read(cluster);
    const logs = { previous: logOf(1, "three", START + 20_000_000_000n), present: logOf(1, "four", START + 30_000_000_000n) };
    cluster.setPod(podJson("a", { id: "four", restarts: 3, previousId: "three" }), { web: logs });
    const tally = await read(cluster, { positions });
    expect(texts(tally)).toEqual(["three 0", "four 0"]);
    expect(tally.gaps).toEqual([{ after: START + 1_000_000n, before: START + 20_000_000_000n }]);
  });

  test("without the right name the rule and have no lines", async () => {
    const cluster = new LogClusterStandIn({ status: () => 403 });
    cluster.setPod(podJson("a", { id: "a" }), { web: { present: logOf(1) } });
    const [source] = (await read(cluster)).sources.values();
    expect(source).toMatchObject({ state: LogSourceState.REFUSED, words: { id: "logs/refused" } });
    expect(source?.roleYaml).toContain("kind: Role");
  });

  test("that fail have the reason and continue by themselves", async () => {
    const cluster = new LogClusterStandIn({ status: (n) => (n < 3 ? 500 : undefined) });
    cluster.setPod(podJson("a", { id: "a" }), { web: { present: logOf(2, "a") } });
    const tally = await read(cluster);
    const states = tally.messages.flatMap(({ message }) =>
      message.case === "sources" ? message.value.sources.map(({ state }) => state) : [],
    );
    expect(states).toContain(LogSourceState.FAILED);
    expect(texts(tally)).toEqual(["a 0", "a 1"]);
  });

  test("of the instance before the restart are read with `previous`", async () => {
    const cluster = new LogClusterStandIn();
    cluster.setPod(podJson("a", { id: "new", restarts: 1, previousId: "old" }), {
      web: { present: logOf(1, "new"), previous: logOf(1, "old") },
    });
    expect(texts(await read(cluster, { previous: true }))).toEqual(["old 0"]);
  });

  test("whose lines are not taken are not read further", async () => {
    const cluster = new LogClusterStandIn();
    cluster.setPod(podJson("a", { id: "a" }), { web: { present: logOf(10_000, "x".repeat(1000)) } });
    const reader = readerOf(cluster);
    const messages = readLogs(QUERY, { ...reader, limits: { ...reader.limits, batchBytes: 1000 } }, new AbortController().signal);
    let lines = 0;
    while (lines < 5) {
      const { value } = await messages.next();
      if (value?.message.case === "lines") lines += value.message.value.lines.length;
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(cluster.sentLines).toBeLessThan(100);
    await messages.return();
  });
});

test("a read ends with an expression that cannot be used, and is not tried again", async () => {
  const cluster = new LogClusterStandIn();
  cluster.setPod(podJson("a", { id: "a" }), { web: { present: logOf(3, "a") } });
  await expect(read(cluster, { follow: true, filter: { pattern: "(", isRegularExpression: true } })).rejects.toThrow(LogFilterError);
  expect(cluster.requests.filter((path) => path.includes("/log?"))).toHaveLength(1);
});

test("lines of one time range only, and the last ones, are what is requested", async () => {
  const cluster = new LogClusterStandIn();
  cluster.setPod(podJson("a", { id: "a" }), { web: { present: logOf(10, "a") } });
  expect(texts(await read(cluster, { sinceNanos: START + 3_000_000n, untilNanos: START + 5_000_000n }))).toEqual(["a 3", "a 4"]);
  expect(texts(await read(cluster, { tailLines: 2 }))).toEqual(["a 8", "a 9"]);
  expect(texts(await read(cluster, { tailLines: 0 }))).toEqual([]);
});
