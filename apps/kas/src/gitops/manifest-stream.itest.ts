import type { ObjectsToSynchronizeResponse } from "@binnacle/proto/gitops";
import { GitopsSourceProblem } from "@binnacle/proto/kas-gitops";
import { Fault } from "@binnacle/rpc";
import { settle, until } from "@binnacle/testing";
import { status } from "@grpc/grpc-js";
import { afterEach, beforeEach, expect, test } from "vitest";

import { GitalyError } from "../testing/fake-gitaly.ts";
import { POLL_MS, startGitopsBench, type GitopsBench } from "./testing/gitops-bench.ts";
import { readBatch } from "./testing/read-batch.ts";

let bench: GitopsBench;
beforeEach(async () => {
  bench = await startGitopsBench();
});
afterEach(() => bench.stop());

/** What the stream does next; `done()` tells whether it has done it. */
function nextOf(messages: AsyncGenerator<ObjectsToSynchronizeResponse, void>) {
  let settled = false;
  const result = messages.next().finally(() => (settled = true));
  result.catch(() => undefined);
  return { result, done: () => settled };
}

/** Settles when the stream waits for its next look: its age is the other timer. */
const waiting = (): Promise<void> => until(() => bench.clock.pending === 2);

/** Lets a period pass, and waits until the repository was looked at. */
async function poll(): Promise<void> {
  await waiting();
  const looks = bench.gitaly.advertisements;
  bench.clock.advance(POLL_MS);
  await until(() => bench.gitaly.advertisements > looks);
}

test("an agent that has the newest commit waits until a push, and gets what was pushed", async () => {
  const known = bench.repository.push({ "a.yaml": "a: 1\n" });
  const messages = bench.stream({ commitId: known });
  const first = nextOf(messages);
  await poll();
  await waiting();
  expect(first.done()).toBe(false);
  expect(bench.called("GetTreeEntries")).toBe(0);
  const commit = bench.repository.push({ "a.yaml": "a: 2\n" });
  bench.pushes.pushed("group/other");
  bench.pushes.pushed("group/app");
  expect((await first.result).value).toMatchObject({ message: { case: "header", value: { commitId: commit, projectId: 3n } } });
  const rest: string[] = [];
  for await (const { message } of messages) rest.push(message.case ?? "");
  expect(rest).toEqual(["object", "trailer"]);
});

test("an older commit than the agent's, after a forced push, is another commit", async () => {
  const old = bench.repository.push({ "a.yaml": "a: 1\n" });
  const known = bench.repository.push({ "a.yaml": "a: 2\n" });
  bench.repository.reset(old);
  expect(await readBatch(bench.stream({ commitId: known }))).toMatchObject({ commit: old, complete: true });
});

test.each([
  ["an empty repository", () => undefined],
  ["a branch that was deleted", () => (bench.repository.push({ "a.yaml": "1" }), bench.repository.removeBranch())],
  ["a repository that was removed", () => bench.repository.remove()],
])("%s is no empty set of manifests: nothing is sent, and the wait goes on", async (_, arrange) => {
  arrange();
  const problems: GitopsSourceProblem[] = [];
  const messages = bench.stream({ commitId: "1".repeat(40) }, { source: (problem) => void problems.push(problem) });
  const first = nextOf(messages);
  await poll();
  await poll();
  await waiting();
  expect(first.done()).toBe(false);
  expect(problems.length).toBeGreaterThan(1);
  expect(new Set(problems)).toEqual(new Set([GitopsSourceProblem.NO_COMMIT]));
  bench.left.abort();
  expect((await first.result).done).toBe(true);
});

test.each([
  ["a repository that is removed", () => bench.repository.remove()],
  ["a commit that is lost", () => bench.repository.forget()],
])("%s between the look and the reading is no empty set either: nothing is sent, and it is tried again", async (_, lose) => {
  bench.repository.push({ "a.yaml": "1" });
  let queries = 0;
  const authorize = async () => {
    // The second time is after the look.
    if ((queries += 1) === 2) lose();
    return bench.authorized();
  };
  const outcomes: string[] = [];
  const metrics = { ...bench.options.metrics, batch: (outcome: string) => outcomes.push(outcome) };
  const first = nextOf(bench.stream({}, { authorize }, { metrics }));
  await until(() => outcomes.length === 1);
  expect(outcomes).toEqual(["failed"]);
  expect(bench.called("GetTreeEntries")).toBe(1);
  expect(bench.called("FindCommit")).toBe(1);
  expect(first.done()).toBe(false);
});

test("a Gitaly that is down before the first byte keeps the stream, which goes on when it is back", async () => {
  const commit = bench.repository.push({ "a.yaml": "1" });
  bench.gitaly.down = true;
  const problems: GitopsSourceProblem[] = [];
  const whole = readBatch(bench.stream({}, { source: (problem) => void problems.push(problem) }));
  await waiting();
  bench.gitaly.down = false;
  bench.clock.advance(60_000);
  expect(await whole).toMatchObject({ commit, complete: true });
  expect(problems[0]).toBe(GitopsSourceProblem.UNREADABLE);
  expect(problems.at(-1)).toBe(GitopsSourceProblem.UNSPECIFIED);
});

test("a Gitaly that fails before the first byte of a file has sent nothing yet, and is called again", async () => {
  const commit = bench.repository.push({ "a.yaml": "1" });
  bench.gitaly.tamper = () => {
    throw new GitalyError(status.RESOURCE_EXHAUSTED, "busy");
  };
  const outcomes: string[] = [];
  const metrics = { ...bench.options.metrics, batch: (outcome: string) => outcomes.push(outcome) };
  const whole = readBatch(bench.stream({}, {}, { metrics }));
  await until(() => outcomes.length === 1);
  bench.gitaly.tamper = undefined;
  await until(() => bench.clock.pending === 3);
  bench.clock.advance(10_000);
  expect(await whole).toMatchObject({ commit, complete: true });
  expect(outcomes).toEqual(["failed", "sent"]);
});

test.each(["token_unknown", "agent_forbidden", "not_found"] as const)("%s in the middle of the wait goes to the agent", async (reason) => {
  const known = bench.repository.push({ "a.yaml": "1" });
  let isOver = false;
  const authorize = async () => {
    if (isOver) throw new Fault(reason, "over");
    return bench.authorized();
  };
  const first = nextOf(bench.stream({ commitId: known }, { authorize }));
  await waiting();
  isOver = true;
  bench.repository.push({ "a.yaml": "2" });
  bench.clock.advance(POLL_MS);
  await expect(first.result).rejects.toMatchObject({ reason });
  expect(bench.called("GetTreeEntries")).toBe(0);
  expect(bench.clock.pending).toBe(0);
});

test("a main application that is unavailable is queried again, at the beginning and later", async () => {
  const known = bench.repository.push({ "a.yaml": "1" });
  let isDown = true;
  let queries = 0;
  const authorize = async () => {
    queries += 1;
    if (isDown) throw new Fault("main_application_unavailable", "down");
    return bench.authorized();
  };
  const first = nextOf(bench.stream({ commitId: known }, { authorize }));
  await waiting();
  bench.clock.advance(10_000);
  await until(() => queries === 2);
  isDown = false;
  await waiting();
  bench.clock.advance(20_000);
  await until(() => bench.gitaly.advertisements === 1);
  await waiting();
  isDown = true;
  const commit = bench.repository.push({ "a.yaml": "2" });
  const before = queries;
  bench.pushes.pushed("group/app");
  await until(() => queries === before + 1);
  // Its age, the next look, and the next attempt.
  await until(() => bench.clock.pending === 3);
  isDown = false;
  bench.clock.advance(10_000);
  expect((await first.result).value).toMatchObject({ message: { value: { commitId: commit } } });
});

test("the wait ends cleanly at its age, at drain, and when the agent leaves, and leaves no timer", async () => {
  const known = bench.repository.push({ "a.yaml": "1" });
  const draining = new AbortController();
  const drained = nextOf(bench.stream({ commitId: known }, { draining: draining.signal }));
  await waiting();
  draining.abort();
  expect((await drained.result).done).toBe(true);
  expect(bench.clock.pending).toBe(0);
  const old = nextOf(bench.stream({ commitId: known }, {}, { maxAgeMs: 1_000 }));
  await waiting();
  bench.clock.advance(949);
  await settle();
  expect(old.done()).toBe(false);
  bench.clock.advance(102);
  expect((await old.result).done).toBe(true);
  const leaving = nextOf(bench.stream({ commitId: known }));
  await waiting();
  bench.left.abort();
  expect((await leaving.result).done).toBe(true);
  expect(bench.clock.pending).toBe(0);
});

test("300 agents of one repository cost one poll per period, and all receive a push", async () => {
  const known = bench.repository.push({ "a.yaml": "1" });
  const all = Array.from({ length: 300 }, () => nextOf(bench.stream({ commitId: known })));
  await until(() => bench.clock.pending === 301);
  expect(bench.gitaly.advertisements).toBe(1);
  for (let period = 2; period <= 4; period += 1) {
    bench.clock.advance(POLL_MS);
    await until(() => bench.gitaly.advertisements === period && bench.clock.pending === 301);
  }
  expect(bench.gitaly.seen).toHaveLength(4);
  const commit = bench.repository.push({ "a.yaml": "2" });
  bench.pushes.pushed("group/app");
  const received = await Promise.all(all.map((each) => each.result));
  expect(new Set(received.map(({ value }) => (value?.message.case === "header" ? value.message.value.commitId : "")))).toEqual(
    new Set([commit]),
  );
  expect(bench.gitaly.advertisements).toBe(5);
});

test("batches, their bytes and the intervals of looks are counted", async () => {
  bench.repository.push({ "a.yaml": "12345" });
  await readBatch(bench.stream());
  await readBatch(bench.stream({ globs: ["*.yaml", "a*"] })).catch(() => undefined);
  const text = await bench.registry.metrics();
  expect(text).toContain('kas_gitops_batches_total{outcome="sent"} 1');
  expect(text).toContain('kas_gitops_batches_total{outcome="refused"} 1');
  expect(text).toContain("kas_gitops_sent_bytes_total 5");
  expect(text).toContain("gitops_poll_interval_count 0");
});
