import { LogPositionSchema, type LogPosition } from "@binnacle/proto/dashboard-logs";
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

const position = (pod: string, run: number, seconds: number): LogPosition =>
  create(LogPositionSchema, {
    namespace: "shop",
    pod,
    container: "app",
    containerId: `run-${run}`,
    time: { seconds: BigInt(seconds) },
    restarts: run,
  });

const runsOf = (sources: LogSources, pod: string): string[] =>
  sources
    .positions()
    .filter((each) => each.pod === pod)
    .map(({ containerId, time }) => `${containerId} at ${time?.seconds}`);

test("of a container that restarts for ever the last three runs have a position, and other containers have theirs", () => {
  const sources = new LogSources();
  sources.advance([position("web-2", 0, 1)]);
  for (let run = 0; run < 1_000; run += 1) sources.advance([position("web-1", run, run)]);
  expect(runsOf(sources, "web-1")).toEqual(["run-997 at 997", "run-998 at 998", "run-999 at 999"]);
  expect(runsOf(sources, "web-2")).toEqual(["run-0 at 1"]);
});

test("the run before the present one has its position, also when its end is read late or a clock was set back", () => {
  const sources = new LogSources();
  sources.advance([position("web-1", 0, 50), position("web-1", 1, 60), position("web-1", 2, 70)]);
  sources.advance([position("web-1", 3, 10)]);
  sources.advance([position("web-1", 2, 71)]);
  expect(runsOf(sources, "web-1")).toEqual(["run-1 at 60", "run-3 at 10", "run-2 at 71"]);
});
