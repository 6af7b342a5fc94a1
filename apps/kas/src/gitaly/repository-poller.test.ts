import { Fault } from "@binnacle/rpc";
import { ManualClock, settle } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { PushNotices } from "./push-notices.ts";
import { RepositoryPoller, type Follower, type Look } from "./repository-poller.ts";
import type { ProjectRepository } from "../main-application/agent-info.ts";

const POLL_MS = 20_000;

let clock: ManualClock;
let pushes: PushNotices;
let looks: ProjectRepository[];
let answer: () => Promise<string | undefined>;
let poller: RepositoryPoller;
let followers: Follower[];
const forever = new AbortController().signal;

beforeEach(() => {
  clock = new ManualClock();
  pushes = new PushNotices();
  looks = [];
  answer = async () => "c1";
  followers = [];
  poller = new RepositoryPoller({
    gitaly: {
      headCommit(gitaly, repository, defaultBranch) {
        looks.push({ gitaly, repository, defaultBranch });
        return answer();
      },
    },
    pushes,
    clock,
    pollMs: POLL_MS,
  });
});
afterEach(() => {
  for (const follower of followers) follower.close();
  clock.assertIdle();
});

const at = (path = "group/app", token = "t"): ProjectRepository => ({
  gitaly: { address: "tcp://g:1", token, features: {} },
  repository: { storageName: "default", relativePath: `${path}.git`, glRepository: "", glProjectPath: path },
  defaultBranch: "main",
});

function follow(path?: string): Follower {
  const follower = poller.follow(at(path));
  followers.push(follower);
  return follower;
}

test("KS6: a hundred streams of one repository cost one poll per period, and all of them get the result", async () => {
  const all = Array.from({ length: 100 }, () => follow());
  for (let period = 1; period <= 3; period += 1) {
    const heard = await Promise.all(all.map((each) => each.next(forever)));
    expect(new Set(heard.map((look) => JSON.stringify(look)))).toEqual(new Set([JSON.stringify({ kind: "head", commit: `c${period}` })]));
    expect(looks).toHaveLength(period);
    answer = async () => `c${period + 1}`;
    clock.advance(POLL_MS);
  }
});

test("KS6: repositories are looked at apart, and by the branch that was named", async () => {
  await Promise.all([follow("a/b"), follow("a/c")].map((each) => each.next(forever)));
  const other = poller.follow({ ...at("a/b"), defaultBranch: "release" });
  followers.push(other);
  await other.next(forever);
  expect(looks.map(({ repository, defaultBranch }) => `${repository.glProjectPath} ${defaultBranch}`)).toEqual([
    "a/b main",
    "a/c main",
    "a/b release",
  ]);
});

test("KS6: a later follower gets a poll of its own, never an old one, and shares it", async () => {
  const first = follow();
  await first.next(forever);
  clock.advance(5_000);
  answer = async () => "c2";
  const later = [follow(), follow()];
  expect(await Promise.all(later.map((each) => each.next(forever)))).toEqual([
    { kind: "head", commit: "c2" },
    { kind: "head", commit: "c2" },
  ]);
  expect(await first.next(forever)).toEqual({ kind: "head", commit: "c2" });
  expect(looks).toHaveLength(2);
});

test("KS6: a push is looked after at once, one during a look is not lost, and a flood of pushes is paced", async () => {
  const follower = follow();
  await follower.next(forever);
  pushes.pushed("group/app");
  await follower.next(forever);
  expect(looks).toHaveLength(2);
  for (let count = 0; count < 10_000; count += 1) pushes.pushed("group/app");
  await settle();
  expect(looks).toHaveLength(2);
  let finish: (commit: string) => void = () => {};
  answer = () => new Promise((resolve) => (finish = resolve));
  clock.advance(1_000);
  expect(looks).toHaveLength(3);
  pushes.pushed("group/app");
  finish("c3");
  await follower.next(forever);
  answer = async () => "c4";
  clock.advance(1_000);
  expect(await follower.next(forever)).toEqual({ kind: "head", commit: "c4" });
  expect(looks).toHaveLength(4);
});

test("a failed poll is reported and repeated after a backoff, and a missing repository has no commit", async () => {
  const follower = follow();
  answer = () => Promise.reject(new Fault("gitaly_unavailable", "down"));
  await follower.next(forever);
  clock.advance(POLL_MS);
  expect(await follower.next(forever)).toMatchObject({ kind: "failed", error: { reason: "gitaly_unavailable" } });
  answer = () => Promise.reject(new Fault("not_found", "absent"));
  clock.advance(10_000);
  expect(await follower.next(forever)).toEqual({ kind: "head", commit: undefined });
});

test("a repository that moves is followed to where it is, with the token that is good by then", async () => {
  const follower = follow();
  await follower.next(forever);
  follower.aim(at("group/app", "new token"));
  clock.advance(POLL_MS);
  await follower.next(forever);
  expect(looks.at(-1)?.gitaly.token).toBe("new token");
  follower.aim(at("group/moved"));
  expect(poller.size).toBe(1);
  await follower.next(forever);
  expect(looks.at(-1)?.repository.glProjectPath).toBe("group/moved");
});

test("who leaves while a look is under way leaves nothing behind", async () => {
  let finish: (commit: string) => void = () => {};
  answer = () => new Promise((resolve) => (finish = resolve));
  const leaving = new AbortController();
  const follower = follow();
  const next: Promise<Look | undefined> = follower.next(leaving.signal);
  leaving.abort();
  expect(await next).toBeUndefined();
  follower.close();
  finish("c1");
  await settle();
  expect([poller.size, clock.pending]).toEqual([0, 0]);
});

test("followers with different periods share the looks, and the shorter period counts while its follower is there", async () => {
  const slow = poller.follow(at(), 3 * POLL_MS);
  followers.push(slow);
  await slow.next(forever);
  clock.advance(POLL_MS);
  expect(looks).toHaveLength(1);
  // It follows within a second of a poll, and shares it.
  clock.advance(2 * POLL_MS);
  await slow.next(forever);
  const quick = poller.follow(at(), POLL_MS);
  await quick.next(forever);
  expect(looks).toHaveLength(2);
  clock.advance(POLL_MS);
  await Promise.all([slow.next(forever), quick.next(forever)]);
  expect(looks).toHaveLength(3);
  quick.close();
  clock.advance(POLL_MS);
  await slow.next(forever);
  expect(looks).toHaveLength(4);
  clock.advance(2 * POLL_MS);
  expect(looks).toHaveLength(4);
});
