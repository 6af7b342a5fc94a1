import type { EndedActionFields } from "@binnacle/environment-view";
import type { AuditRecord } from "@binnacle/telemetry/audit";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { actionAudit } from "./audit-sink.ts";

const BEGUN = {
  action_id: "action-1",
  viewer: "ann",
  cluster_user: "gitlab:user:ann",
  cluster: "agent-a",
  verb: "create",
  group: "",
  version: "v1",
  resource: "pods",
  subresource: "eviction",
  namespace: "shop",
  name: "web-0",
  dry_run: true,
  content_bytes: 42,
} as const;
const ENDED: EndedActionFields = { ...BEGUN, outcome: "done", stage: "answered", code: 201, duration_ms: 12.4 };

function recordsOf(...fields: readonly (typeof BEGUN | EndedActionFields)[]): AuditRecord[] {
  const records: AuditRecord[] = [];
  const log = actionAudit({ audit: { add: (record) => void records.push(record) }, clock: new ManualClock(1_000) }, 7n);
  for (const each of fields) log.info(each, "");
  return records;
}

test("an action is one record, when it has ended: by whom, as whom, of what and with what result", () => {
  const purpose = { request_id: "dialog-0001", action: "evict", environment: "production" };
  expect(recordsOf({ ...BEGUN }, { ...ENDED, purpose })).toEqual([
    {
      atMs: 1_000,
      requestId: "dialog-0001",
      principal: { kind: "user", username: "ann" },
      as: "gitlab:user:ann",
      agentId: 7n,
      event: "complete",
      action: { verb: "create", apiGroup: "", resource: "pods", subresource: "eviction", namespace: "shop", name: "web-0" },
      purpose: { action: "evict", environment: "production", cluster: "agent-a" },
      dryRun: true,
      outcome: "done",
      durationMs: 12,
      code: 201,
      bytesIn: 42,
    },
  ]);
});

test("an action without a request id of the page has its own, and one without an answer has no code", () => {
  const { code: _, content_bytes: __, ...unanswered } = ENDED;
  const [record] = recordsOf({ ...unanswered, outcome: "unknown", stage: "started", dry_run: false });
  expect(record).toMatchObject({ requestId: "action-1", outcome: "unknown", dryRun: false });
  expect(record).not.toHaveProperty("code");
  expect(record).not.toHaveProperty("bytesIn");
});
