import { LogProgressSchema, LogSourceSchema, LogSourceState, type LogProgress, type LogSource } from "@binnacle/proto/dashboard-logs";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { LogSources, sourceLabels, type ShownSource } from "./log-sources.ts";

const source = (id: number, name: string, restarts?: number): ShownSource => {
  const [namespace = "", pod = "", container = ""] = name.split("/");
  return {
    id,
    namespace,
    pod,
    container,
    kind: 0,
    containerId: String(id),
    restarts,
    state: 2,
    words: undefined,
    roleYaml: "",
    hasLeft: false,
    colour: 0,
    progress: undefined,
  };
};

test.each([
  [["shop/web-1/app"], ["app"]],
  [
    ["shop/web-1/app", "shop/web-1/proxy"],
    ["app", "proxy"],
  ],
  [
    ["shop/web-1/app", "shop/web-2/app"],
    ["web-1", "web-2"],
  ],
  [
    ["shop/web-1/app", "shop/web-2/proxy"],
    ["web-1/app", "web-2/proxy"],
  ],
  [
    ["shop/web-1/app", "db/web-1/app"],
    ["shop/web-1", "db/web-1"],
  ],
])("%j are called %j", (names, labels) => {
  expect([...sourceLabels(names.map((name, index) => source(index, name))).values()]).toEqual(labels);
});

test("runs of one container differ by their restarts", () => {
  const runs = [source(1, "shop/web-1/app", 3), source(2, "shop/web-1/app", 4), source(3, "shop/web-1/proxy", 0)];
  expect([...sourceLabels(runs).values()]).toEqual(["app #3", "app #4", "proxy"]);
});

const { ENDED, READING } = LogSourceState;
/** @param of "{pod}#{run}" */
const named = (id: number, of: string, state: LogSourceState): LogSource => {
  const [pod = "", run] = of.split("#");
  return create(LogSourceSchema, { id, namespace: "shop", pod, container: "app", containerId: `run-${run}`, restarts: Number(run), state });
};

test("a container that restarts for ever leaves the last runs, and those with a retained line", () => {
  const sources = new LogSources();
  sources.beginStream();
  sources.take([named(1, "quiet#0", READING), named(2, "web#0", READING)]);
  sources.addRow(2);
  const dropped: number[] = [];
  for (let run = 0; run < 1_000; run += 1) {
    const [now, next] = [named(run + 2, `web#${run}`, ENDED), named(run + 3, `web#${run + 1}`, READING)];
    dropped.push(...sources.take([now, next]));
  }
  const runs = sources.list().filter(({ pod }) => pod === "web");
  expect(runs.map(({ restarts }) => restarts)).toEqual([0, ...Array.from({ length: 101 }, (_, n) => 900 + n)]);
  expect(dropped).toHaveLength(1_001 - runs.length);
  expect(sources.list().filter(({ pod }) => pod === "quiet")).toHaveLength(1);
  expect(new Set(runs.map(({ colour }) => colour)).size).toBe(1);

  sources.dropRow(2);
  expect(sources.take([named(5_000, "web#1001", ENDED)])).toEqual([2, 902]);
  expect(sources.get(2)).toBeUndefined();
  expect([sources.idOf(2), sources.idOf(1)]).toEqual([undefined, 1]);
});

test("a source that was dropped and is named again is another one with the colour of its container", () => {
  const sources = new LogSources();
  sources.beginStream();
  sources.take([named(1, "web#0", ENDED), named(2, "web#1", READING)]);
  const colour = sources.get(2)?.colour;
  for (let job = 0; job < 100; job += 1) sources.take([named(job + 3, `job-${job}#0`, ENDED)]);
  expect(sources.get(1)).toBeUndefined();
  sources.beginStream();
  sources.take([named(1, "web#0", READING)]);
  expect(sources.get(sources.idOf(1) ?? 0)).toMatchObject({ pod: "web", containerId: "run-0", colour });
});

test("lines of sources that are not listed any more are counted, whenever their counts come, once", () => {
  const sources = new LogSources();
  const counted = (source: number, lines: number): LogProgress => create(LogProgressSchema, { source, lines: BigInt(lines) });
  const total = (): number => sources.list().reduce((sum, { progress }) => sum + (progress?.lines ?? 0), sources.droppedLines);
  sources.beginStream();
  for (let job = 1; job <= 250; job += 1) {
    sources.take([named(job, `job-${job}#0`, READING)]);
    if (job <= 200) sources.progress([counted(job, 7)]);
    sources.take([named(job, `job-${job}#0`, ENDED)]);
  }
  expect(sources.list()).toHaveLength(100);
  expect([sources.droppedLines, total()]).toEqual([150 * 7, 200 * 7]);
  // Of a source that was dropped, and of the last ones.
  sources.progress([counted(1, 10), ...Array.from({ length: 50 }, (_, index) => counted(201 + index, 7))]);
  expect(total()).toBe(250 * 7 + 3);
  sources.beginStream();
  sources.progress([counted(1, 1)]);
  expect(total()).toBe(250 * 7 + 3);
  for (let job = 251; job <= 300; job += 1) sources.take([named(job, `job-${job}#0`, ENDED)]);
  expect(total()).toBe(250 * 7 + 3);
});
