import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { HealthStatus, IssueGroupSchema } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted, words } from "@binnacle/words";
import { expect, test } from "vitest";
import { csvOf } from "@binnacle/presentation/export/table-files";
import { issueColumns } from "./filtered-why-list.tsx";

test("an issue leaves the page as one row, with the number of all its resources and the names that are known", async () => {
  const issue = create(IssueGroupSchema, {
    status: HealthStatus.DEGRADED,
    reason: "ImagePullBackOff",
    reasonWords: toWordsMessage(words("title/image/pull-failed")),
    since: timestampFromMs(Date.UTC(2026, 0, 2, 3, 4, 5)),
    membersTotal: 61,
    members: [{ ref: { kind: "Deployment", name: "web" } }, { ref: { kind: "Deployment", name: "api" } }],
    words: toWordsMessage(quoted('=cmd|"evil"')),
  });
  const lines = (await (await csvOf({ columns: issueColumns(), rows: [issue] }, { filters: [] })).content.text()).split("\r\n");
  expect(lines[0]).toBe("Issue,Status,Reason,Since,Resources,Message,Next step,Named resources");
  expect(lines[1]).toBe(
    `"web, api and 59 more: image cannot be pulled",Degraded,ImagePullBackOff,2026-01-02T03:04:05.000Z,61,"'=cmd|""evil""",,Deployment web; Deployment api`,
  );
});

test("a notice is called so, and not healthy", async () => {
  const notice = create(IssueGroupSchema, { status: HealthStatus.HEALTHY, notice: true, reason: "NoPods", membersTotal: 1 });
  expect(await (await csvOf({ columns: issueColumns(), rows: [notice] }, { filters: [] })).content.text()).toContain(
    "“NoPods”,Notice,NoPods",
  );
});
