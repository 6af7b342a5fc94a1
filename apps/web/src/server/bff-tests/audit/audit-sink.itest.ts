import { ActionKind, ActionOutcome } from "@binnacle/proto/dashboard";
import { linesOf } from "@binnacle/telemetry/audit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { ActionBench, CLUSTERS, workloadSpec } from "../../testing/action-bench.ts";
import { NAMES } from "../../testing/dashboard-tab.ts";

const CANARY = "canary-4711";
let bench: ActionBench;

beforeAll(async () => {
  const [, start] = CLUSTERS[0] ?? [];
  if (start === undefined) throw new Error("there is no embedded cluster");
  bench = await ActionBench.start(start);
});
afterAll(() => bench.stop());
beforeEach(() => bench.open());
afterEach(() => bench.close());

/** The lines that a file of the audit would have. */
function lines(): Record<string, unknown>[] {
  const text = linesOf(bench.world.audit, { dropped: 0, isMarked: false });
  // Each line is one object.
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("T59: each dry run and each action is one record, with the viewer, the object, the result and the request id; contents are in none", async () => {
  const { target } = await bench.create("apps/deployments", "Deployment", {
    metadata: { annotations: { note: CANARY } },
    spec: workloadSpec({}, { annotations: { note: CANARY } }),
  });
  const name = target.ref.name;
  const action = { kind: ActionKind.SCALE, parameters: { replicas: 3 }, request: { requestId: "dialog-0001" } };
  const shown = await bench.preview(target, action);
  await bench.perform(target, action, shown);
  const who = { user: "maintainer", agent_id: expect.any(Number), event: "complete" };
  const what = { verb: "patch", api_group: "apps", resource: "deployments", subresource: "scale", namespace: "prod", name };
  const purpose = { action: "scale", environment: NAMES.environment, project_path: NAMES.projectPath };
  expect(lines()).toMatchObject([
    { ...who, ...what, purpose, dry_run: true, outcome: "done", code: 200 },
    { ...who, ...what, purpose, dry_run: false, outcome: "done", code: 200, request_id: "dialog-0001" },
  ]);
  expect(await bench.perform(target, action, shown)).toMatchObject({ outcome: ActionOutcome.DONE });
  expect(lines(), "a result that is returned again has one record").toHaveLength(2);
  // What another process answers without a request to the cluster has a record, too.
  await bench.restart();
  expect(await bench.perform(target, action, shown)).toMatchObject({ outcome: ActionOutcome.DONE });
  const other = { ...action, parameters: { replicas: 5 }, request: { requestId: "dialog-0002" } };
  expect(await bench.perform(target, other, shown)).toMatchObject({ outcome: ActionOutcome.CONFLICT });
  expect(lines()).toMatchObject([
    { ...what, dry_run: false, outcome: "done_before", request_id: "dialog-0001" },
    { ...what, dry_run: false, outcome: "conflict", request_id: "dialog-0002" },
  ]);
  expect(JSON.stringify(lines())).not.toContain(CANARY);
});
