import { ByteBudget, type KubeTransport } from "@binnacle/environment-view";
import { createLogger, Secret } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { KeptProofs } from "./kept-proofs.ts";
import { GitopsSyncs, type ReportAccess } from "./gitops-syncs.ts";
import { ReaderAssertion } from "./reader-assertion.ts";

const SHA = "abcdef12";

test("the location of manifests is queried once for a commit, again when the sync's report is old, and a while after a failed query", async () => {
  let queries = 0;
  const sync = { project: "group/app", commitId: SHA.padEnd(40, "0"), globs: ["/deploy/**"], branch: "main" };
  const kas: KubeTransport = {
    async request() {
      queries += 1;
      const body = new Blob([JSON.stringify({ sync })]).stream();
      return { status: 200, header: () => undefined, body, close: () => undefined };
    },
  };
  const access: ReportAccess = { credentialKey: "mara", agentId: 3n, kas, kasSaying: () => kas, reading: new ByteBudget(1_000_000) };
  const clock = new ManualClock();
  const readers = new ReaderAssertion(new Secret(Buffer.alloc(32, 7).toString("base64")), clock);
  const syncs = new GitopsSyncs({ clock, log: createLogger("web", "silent"), pollMs: 10_000, proofs: new KeptProofs(undefined), readers });
  const source = (sha: string) => syncs.source(access, { project: "group/app", sha });
  expect(await source(SHA)).toMatchObject({ globs: ["/deploy/**"], branch: "main" });
  clock.advance(30_000);
  await source(SHA);
  expect(queries).toBe(1);
  await source("12abcdef");
  expect(queries).toBe(2);
  clock.advance(10_000);
  sync.project = "group/other";
  for (let times = 0; times < 3; times += 1) {
    expect(await source("cdef1234")).toEqual({ globs: [], branch: "" });
    clock.advance(20_000);
  }
  expect(queries).toBe(3);
  await source("cdef1234");
  expect(queries).toBe(4);
});
