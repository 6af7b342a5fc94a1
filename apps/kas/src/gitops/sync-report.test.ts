import { create, fromBinary, toBinary, toJson } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { GetSyncResponseSchema, GitopsSyncState, ReportSyncRequestSchema, type ReportSyncRequest } from "@binnacle/proto/kas-gitops";
import { expect, test } from "vitest";

import { readSyncReport } from "./sync-report.ts";

async function* one(message: ReportSyncRequest): AsyncGenerator<ReportSyncRequest> {
  yield fromBinary(ReportSyncRequestSchema, toBinary(ReportSyncRequestSchema, message));
}

test("T40: a report with a time of no calendar and a state of no contract is stored without them, and can be written as JSON", async () => {
  const value = {
    project: "group/app",
    // A state that only a newer agent has.
    state: 999 as GitopsSyncState,
    startedAt: create(TimestampSchema, { seconds: 2n ** 63n - 1n }),
    finishedAt: create(TimestampSchema, { seconds: 1n, nanos: -5 }),
    objects: 3,
  };
  const report = await readSyncReport(one(create(ReportSyncRequestSchema, { piece: { case: "sync", value } })));
  expect(report.sync).toMatchObject({ project: "group/app", state: GitopsSyncState.UNSPECIFIED, objects: 3 });
  expect([report.sync?.startedAt, report.sync?.finishedAt]).toEqual([undefined, undefined]);
  expect(toJson(GetSyncResponseSchema, report)).toMatchObject({ sync: { project: "group/app" } });
});
