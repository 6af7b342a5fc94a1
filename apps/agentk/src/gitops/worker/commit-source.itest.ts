import { connect, type ClientHttp2Session } from "node:http2";

import { GRPC_CODE, type GrpcStatus } from "@binnacle/grpc-wire";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { FakeKas } from "../../testing/fake-kas.ts";
import type { Commit } from "../sync/commit.ts";
import { watchCommits } from "./commit-source.ts";

const REFUSED: GrpcStatus = { code: GRPC_CODE.failedPrecondition, message: "more than 1000 files match" };

let kas: FakeKas;
let session: ClientHttp2Session;
let clock: ManualClock;
let commits: Commit[];
let answers: number[];
/** Commits that kas has named in a refusal. */
let refused: string[];
let leave: AbortController;
let running: Promise<void>;

beforeEach(async () => {
  kas = await FakeKas.listen();
  session = connect(`http://127.0.0.1:${kas.port}`);
  clock = new ManualClock();
  [commits, answers, refused] = [[], [], []];
  leave = new AbortController();
  const options = {
    link: { waitForSession: async () => session },
    metadata: { get: () => new Map(), refused: () => {} },
    clock,
    log: createLogger("test", "silent"),
    project: { id: "group/app", globs: ["**"] },
    answered: ({ code }: GrpcStatus, commitId: string) => {
      answers.push(code);
      if (commitId !== "") refused.push(commitId);
    },
  };
  running = watchCommits(options, (commit) => void commits.push(commit), leave.signal);
});

afterEach(async () => {
  leave.abort();
  await running;
  session.destroy();
  await kas.close();
  clock.assertIdle();
});

/** The pause after an answer is over. */
async function pass(ms: number): Promise<void> {
  await until(() => clock.pending > 0);
  await clock.elapse(ms);
}

test("security-3 A5: after a rejection of a commit another one is requested, and the rejection stays the status of the project", async () => {
  const first = await kas.objects();
  expect(first.request).toMatchObject({ commitId: "", takesRefusedFiles: true });
  first.end(REFUSED, new Map([["binnacle-refused-commit", ["bad"]]]));
  await until(() => answers.length === 1);
  await pass(1_000);
  const waiting = await kas.objects();
  expect(waiting.request.commitId).toBe("bad");
  await pass(60_000);
  waiting.end();
  await pass(1_000);
  const second = await kas.objects();
  expect(second.request.commitId).toBe("bad");
  expect([answers, refused]).toEqual([[GRPC_CODE.failedPrecondition], ["bad"]]);
  second.send({ case: "header", value: { commitId: "good", projectId: 7n } });
  second.send({ case: "trailer", value: {} });
  second.end();
  expect((await kas.objects()).request.commitId).toBe("good");
  expect(answers).toEqual([GRPC_CODE.failedPrecondition, GRPC_CODE.ok]);
  expect(commits.map(({ commitId }) => commitId)).toEqual(["good"]);
});

test("security-3 A5: the refused commit is tried again when the wait breaks, which may lead to another kas", async () => {
  (await kas.objects()).end(REFUSED, new Map([["binnacle-refused-commit", ["bad"]]]));
  await until(() => answers.length === 1);
  await pass(1_000);
  const waiting = await kas.objects();
  expect(waiting.request.commitId).toBe("bad");
  waiting.end({ code: GRPC_CODE.unavailable, message: "leaving" });
  await until(() => answers.length === 2);
  await pass(60_000);
  expect((await kas.objects()).request.commitId).toBe("");
});

test("security-3 A5: a kas that does not name the commit gets the next request no sooner than it polls", async () => {
  (await kas.objects()).end(REFUSED);
  await until(() => answers.length === 1);
  await pass(19_000);
  let isRequested = false;
  const next = kas.objects().then((stream) => {
    isRequested = true;
    return stream;
  });
  await clock.elapse(0);
  expect(isRequested).toBe(false);
  await clock.elapse(1_000);
  expect((await next).request.commitId).toBe("");
});

test("security-3 A5: a file that kas refuses is a file of the commit, with its reason and without bytes", async () => {
  const stream = await kas.objects();
  stream.send({ case: "header", value: { commitId: "c1", projectId: 7n } });
  stream.send({ case: "object", value: { source: "link.yaml", refused: "is a symbolic link" } });
  stream.send({ case: "object", value: { source: "a.yaml", data: Buffer.from("a") } });
  stream.send({ case: "trailer", value: {} });
  stream.end();
  await until(() => commits.length === 1);
  expect(commits[0]?.files.map(({ source, data, refused }) => [source, String(data), refused])).toEqual([
    ["link.yaml", "", "is a symbolic link"],
    ["a.yaml", "a", undefined],
  ]);
});
