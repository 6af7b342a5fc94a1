import { expect, test } from "vitest";

import { linesOf, type AuditRecord } from "./audit-record.ts";

const RECORD: AuditRecord = {
  atMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  requestId: "r-1",
  event: "complete",
  principal: { kind: "user", username: "ann", id: 1 },
  as: "gitlab:user:ann",
  agentId: 7n,
  action: { verb: "delete", apiGroup: "", resource: "pods", namespace: "shop", name: "web" },
  code: 200,
  bytesIn: 0,
  bytesOut: 2,
  durationMs: 5,
};
const OWN = { dropped: 0, isMarked: false };

test("a record is one line with the documented fields in their order", () => {
  expect(linesOf([RECORD], { dropped: 3, isMarked: true })).toBe(
    '{"audit":true,"at":"2026-01-02T03:04:05.006Z","request_id":"r-1","event":"complete","user":"ann","user_id":1,"as":"gitlab:user:ann",' +
      '"agent_id":7,"verb":"delete","api_group":"","resource":"pods","namespace":"shop","name":"web","code":200,"bytes_in":0,"bytes_out":2,' +
      '"duration_ms":5,"dropped":3}\n',
  );
});

test("a job has its id and project instead of a user, a service its name and method instead of a verb", () => {
  const { as: _as, ...unknownYet } = RECORD;
  const record = {
    ...unknownYet,
    principal: { kind: "job", id: 5, projectId: 3 },
    action: { service: "prometheus", method: "GET" },
  } as const;
  const fields = JSON.parse(linesOf([record], OWN));
  expect(fields).toMatchObject({ job: 5, project: 3, service: "prometheus", method: "GET" });
  expect(Object.keys(fields)).not.toEqual(expect.arrayContaining(["user"]));
  for (const absent of ["user", "user_id", "verb", "as", "audit", "dropped"]) expect(fields).not.toHaveProperty(absent);
});

test("T42: names that are long, or no text at all, neither break nor flood a line", () => {
  const name = `a\n{"audit":true}\u001b[2J\u009b\u202e\ud800é`;
  const lines = linesOf([{ ...RECORD, action: { ...RECORD.action, name, namespace: "é".repeat(100_000) } }, RECORD], OWN);
  expect(lines).toMatch(/^[\x20-\x7e]+\n[\x20-\x7e]+\n$/);
  expect(lines.length).toBeLessThan(3_000);
  const fields = JSON.parse(lines.split("\n", 1)[0] ?? "");
  expect([fields.name, fields.namespace]).toEqual([name, `${"é".repeat(256)}…`]);
});
