import { LogPositionSchema, type LogPosition } from "@binnacle/proto/dashboard-logs";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import { LogPositions } from "./log-positions.ts";

const position = (pod: string, run: number, seconds: number): LogPosition =>
  create(LogPositionSchema, {
    namespace: "shop",
    pod,
    container: "app",
    containerId: `run-${run}`,
    time: { seconds: BigInt(seconds) },
    restarts: run,
  });
const ended = (pod: string, seconds: number): LogPosition => ({ ...position(pod, 0, seconds), reachedEnd: true });

const runsOf = (positions: LogPositions, pod: string): string[] =>
  positions
    .list()
    .filter((each) => each.pod === pod)
    .map(({ containerId, time }) => `${containerId} at ${time?.seconds}`);

test("of a container that restarts for ever the last three runs have a position, and other containers have theirs", () => {
  const positions = new LogPositions([position("web-2", 0, 1)]);
  for (let run = 0; run < 1_000; run += 1) positions.advance([position("web-1", run, run)]);
  expect(runsOf(positions, "web-1")).toEqual(["run-997 at 997", "run-998 at 998", "run-999 at 999"]);
  expect(runsOf(positions, "web-2")).toEqual(["run-0 at 1"]);
});

test("the run before the present one has its position, also when its end is read late or a clock was set back", () => {
  const positions = new LogPositions([position("web-1", 0, 50), position("web-1", 1, 60), position("web-1", 2, 70)]);
  positions.advance([position("web-1", 3, 10)]);
  positions.advance([position("web-1", 2, 71)]);
  expect(runsOf(positions, "web-1")).toEqual(["run-1 at 60", "run-3 at 10", "run-2 at 71"]);
});

test("of pods that come and go for ever the newest have a position, and a quiet one that has not ended has its own", () => {
  const positions = new LogPositions([position("quiet", 0, 1)]);
  for (let job = 0; job < 5_000; job += 1) positions.advance([position(`job-${job}`, 0, job), ended(`job-${job}`, job)]);
  expect(positions.list()).toHaveLength(1_000);
  expect(runsOf(positions, "quiet")).toEqual(["run-0 at 1"]);
  expect(runsOf(positions, "job-4000")).toEqual([]);
  expect(runsOf(positions, "job-4001")).toEqual(["run-0 at 4001"]);
  expect(runsOf(positions, "job-4999")).toEqual(["run-0 at 4999"]);
});

test("of more containers that run than there is room for, those that were read last have a position", () => {
  const positions = new LogPositions();
  for (let pod = 0; pod < 1_000; pod += 1) positions.advance([position(`web-${pod}`, 0, 1)]);
  positions.advance([position("web-0", 0, 2), position("web-1000", 0, 2)]);
  expect(positions.list()).toHaveLength(1_000);
  expect([0, 1, 2, 1_000].map((pod) => runsOf(positions, `web-${pod}`))).toEqual([["run-0 at 2"], [], ["run-0 at 1"], ["run-0 at 2"]]);
});
