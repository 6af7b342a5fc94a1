import { ManualClock, settle } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { TokenBucket } from "../limits/token-bucket.ts";
import { startGitaly, type FakeGitaly } from "../testing/fake-gitaly.ts";
import { TestRepository } from "../testing/test-repository.ts";
import { GitalyClient } from "./gitaly-client.ts";

let repository: TestRepository;
let gitaly: FakeGitaly;
let client: GitalyClient;
let clock: ManualClock;
beforeEach(async () => {
  repository = new TestRepository();
  gitaly = await startGitaly(repository.root);
  clock = new ManualClock();
  const rate = (perSecond: number) => new TokenBucket(clock, { perSecond, burst: 1 });
  client = new GitalyClient({ clock, globalRate: rate(0.2), serverRate: () => rate(1) });
});
afterEach(() => {
  client.close();
  gitaly.close();
  repository.remove();
});

const head = (): Promise<string | undefined> =>
  client.headCommit(
    { address: gitaly.address, token: "", features: {} },
    { storageName: "default", relativePath: repository.relativePath, glRepository: "project-3", glProjectPath: "group/app" },
    "",
  );

test("KB4: a call to Gitaly that could not have its turn in time is rejected at once and never sent", async () => {
  const commit = repository.push({ a: "a" });
  expect(await head()).toBe(commit);
  const waiting = [1, 2].map(() => head());
  await clock.elapse(2_000);
  const refused = head().catch((error: unknown) => error);
  await clock.elapse(1_000);
  expect(await refused).toMatchObject({ reason: "gitaly_unavailable", retryAfterSeconds: expect.any(Number) });
  expect(gitaly.seen).toHaveLength(1);
  await clock.elapse(7_000);
  expect(await Promise.all(waiting)).toEqual([commit, commit]);
  await settle();
  clock.assertIdle();
});
