import { ChangeSchema, DeploymentSchema, ResourceEventSchema } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { momentsOf } from "./events-tab.tsx";

const event = (reason: string, ms?: number) =>
  create(ResourceEventSchema, { reason, ...(ms === undefined ? {} : { lastAt: timestampFromMs(ms) }) });
const change = (manager: string, ms: number) => create(ChangeSchema, { manager, at: timestampFromMs(ms) });

function names(moments: ReturnType<typeof momentsOf>): string[] {
  return moments.map((moment) => {
    if ("event" in moment) return moment.event.reason;
    return "change" in moment ? moment.change.manager : moment.deployment.sha;
  });
}

test("W9: Events and changes stand in one order, newest first", () => {
  const events = [event("Pulled", 3_000), event("Created", 1_000)];
  const changes = [change("kubectl-edit", 4_000), change("helm", 2_000)];
  const deployments = [create(DeploymentSchema, { sha: "abc", at: timestampFromMs(2_500) })];
  expect(names(momentsOf({ events, changes, deployments }))).toEqual(["kubectl-edit", "Pulled", "abc", "helm", "Created"]);
});

test("of Events of one second the later step of a pod is the newer", () => {
  const events = [event("Scheduled", 1_000), event("BackOff", 1_000), event("Pulled", 1_000)];
  expect(names(momentsOf({ events, changes: [], deployments: [] }))).toEqual(["BackOff", "Pulled", "Scheduled"]);
});

test("what has no time comes last, and of equals the change comes after the Event", () => {
  expect(
    names(
      momentsOf({ events: [event("Unknown"), event("Also"), event("Scaled", 1_000)], changes: [change("hpa", 1_000)], deployments: [] }),
    ),
  ).toEqual(["Scaled", "hpa", "Unknown", "Also"]);
});
