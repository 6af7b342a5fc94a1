import { HealthStatus, ProjectSchema, ProjectSummarySchema, type ProjectSummary } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { byNeed } from "./project-order.ts";

const { HEALTHY, DEGRADED, PROGRESSING } = HealthStatus;

/** Paths in the order of need. */
function ordered(lines: Readonly<Record<string, MessageInitShape<typeof ProjectSummarySchema> | undefined>>): readonly string[] {
  const summaries = new Map<string, ProjectSummary>();
  for (const [fullPath, line] of Object.entries(lines)) if (line) summaries.set(fullPath, create(ProjectSummarySchema, line));
  const projects = Object.keys(lines).map((fullPath) => create(ProjectSchema, { fullPath }));
  return byNeed(projects, summaries).map(({ fullPath }) => fullPath);
}

test("S12: projects are sorted by need: workloads that are down, worst status, environments that need attention, newest change, path", () => {
  const lines = {
    "g/well": { worst: HEALTHY, workloads: 4 },
    "g/degraded-1": { worst: DEGRADED, workloads: 4, attention: 1 },
    "g/degraded-2": { worst: DEGRADED, workloads: 4, attention: 2 },
    "g/down": { worst: PROGRESSING, workloads: 4, workloadsDown: 1 },
    "g/changed": { worst: HEALTHY, workloads: 4, lastChange: timestampFromMs(2) },
    "g/a-well": { worst: HEALTHY, workloads: 0 },
  };
  expect(ordered(lines)).toEqual(["g/down", "g/degraded-2", "g/degraded-1", "g/changed", "g/a-well", "g/well"]);
});

test("S12: what is not known yet comes last, by path: it is neither well nor in need", () => {
  expect(ordered({ "g/b": undefined, "g/a": {}, "g/well": { worst: HEALTHY } })).toEqual(["g/well", "g/a", "g/b"]);
});
