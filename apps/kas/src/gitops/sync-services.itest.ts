// needs: redis
import { GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { startRedisServer, until, type RedisServer } from "@binnacle/testing";
import { Code } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { LocalSyncStore } from "./sync-store.ts";
import { codeOf, objectOf, PLACE, SyncBench } from "./testing/sync-bench.ts";

let server: RedisServer;
let bench: SyncBench;
beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  bench = await SyncBench.start(server);
});
afterEach(() => bench.stop());

test("what an agent reports at one kas is read at another, with the commit's author by kas, and watched there", async () => {
  const [here, there] = [await bench.startKas(await bench.redisStore()), await bench.startKas(await bench.redisStore())];
  const leave = new AbortController();
  const watched = there.api.watchSyncs({ agentId: 7n }, { signal: leave.signal })[Symbol.asyncIterator]();
  expect((await watched.next()).value).toMatchObject({ syncs: [] });
  const next = watched.next();
  await until(() => bench.clock.pending > 0);
  await bench.report(here);
  const turns = setInterval(() => bench.clock.advance(100), 5);
  const { value } = await next;
  clearInterval(turns);
  expect(value?.syncs).toMatchObject([
    {
      project: "group/app",
      projectId: 3n,
      commitId: bench.commit,
      state: GitopsSyncState.FAILED,
      author: "test",
      subject: "change",
      branch: bench.project.defaultBranch,
      pollPeriod: { seconds: 20n },
      failed: 1,
      drifted: 1,
      ...PLACE,
    },
  ]);
  leave.abort();
  await watched.next().catch(() => undefined);
  expect((await there.api.getSync({ agentId: 7n, project: "group/app" })).objects).toMatchObject([
    objectOf("a0"),
    objectOf("b0", "denied"),
  ]);
  expect((await there.api.listSyncs({ agentId: 8n })).syncs).toEqual([]);
  expect(await codeOf(there.api.getSync({ agentId: 8n, project: "group/app" }))).toBe(Code.NotFound);
});

test("author and first line are fetched once per commit", async () => {
  const kas = await bench.startKas(new LocalSyncStore(bench.clock));
  for (let count = 0; count < 3; count += 1) await bench.report(kas);
  expect(bench.gitaly.calls.get("FindCommit")).toBe(1);
});

test("T49: commits between the applied and the newest one are counted by kas, up to a hundred, with their authors", async () => {
  const kas = await bench.startKas(new LocalSyncStore(bench.clock));
  const waiting = async () => {
    const { syncs } = await kas.api.listSyncs({ agentId: 7n });
    return syncs.map(({ waitingCommits, moreWaiting, waitingAuthors, newestCommitId }) => {
      return [waitingCommits, moreWaiting, waitingAuthors, newestCommitId];
    });
  };
  // One that the repository does not have.
  await bench.report(kas);
  expect(await waiting()).toEqual([[undefined, false, [], ""]]);
  await bench.report(kas, { appliedCommitId: "main" });
  expect(await waiting()).toEqual([[undefined, false, [], ""]]);
  await bench.report(kas, { appliedCommitId: bench.commit });
  expect(await waiting()).toEqual([[0, false, [], ""]]);
  bench.repository.push({ "a.yaml": "2" });
  const newest = bench.repository.push({ "a.yaml": "3" });
  for (let count = 0; count < 3; count += 1) await bench.report(kas, { appliedCommitId: bench.commit });
  expect(await waiting()).toEqual([[0, false, [], ""]]);
  expect(bench.gitaly.calls.get("ListCommits")).toBe(2);
  bench.clock.advance(20_000);
  await bench.report(kas, { appliedCommitId: bench.commit });
  expect(await waiting()).toEqual([[2, false, ["test"], newest]]);
  bench.repository.pushEmpty(99);
  bench.clock.advance(20_000);
  await bench.report(kas, { appliedCommitId: bench.commit });
  expect(await waiting()).toMatchObject([[100, true, ["test"], expect.any(String)]]);
  bench.gitaly.down = true;
  bench.clock.advance(20_000);
  await bench.report(kas, { appliedCommitId: bench.commit });
  expect(await waiting()).toEqual([[undefined, false, [], ""]]);
});

test("a project that the agent may not read any more has a status all the same, without author and id", async () => {
  bench.isReadable = false;
  const kas = await bench.startKas(new LocalSyncStore(bench.clock));
  await bench.report(kas);
  expect((await kas.api.listSyncs({ agentId: 7n })).syncs).toMatchObject([
    { project: "group/app", projectId: 0n, author: "", subject: "" },
  ]);
});

test("a report is bounded in all, must begin with its sync, and an agent may make only so many", async () => {
  const kas = await bench.startKas(new LocalSyncStore(bench.clock));
  expect(await codeOf(bench.report(kas, { pieces: 10_000 }))).toBe(Code.ResourceExhausted);
  const headers = { authorization: "Bearer 7" };
  const empty = kas.reports.reportSync((async function* () {})(), { headers });
  expect(await codeOf(empty)).toBe(Code.InvalidArgument);
  expect(await codeOf(bench.report(kas, { project: "" }))).toBe(Code.InvalidArgument);
  expect((await kas.api.listSyncs({ agentId: 7n })).syncs).toEqual([]);
  for (let count = 4; count < 300; count += 1) await kas.counter.add("gitops report 7");
  await bench.report(kas);
  expect(await codeOf(bench.report(kas))).toBe(Code.ResourceExhausted);
  await bench.report(kas, { agent: "8" });
});
