import { create } from "@bufbuild/protobuf";
import { ConfigurationRequestSchema, type ConfigurationResponse } from "@binnacle/proto/agent-configuration";
import { Fault } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { GitalyClient } from "../gitaly/gitaly-client.ts";
import { RepositoryPoller } from "../gitaly/repository-poller.ts";
import { TokenBucket } from "../limits/token-bucket.ts";
import type { AgentInfo } from "../main-application/agent-info.ts";
import { startGitaly, type FakeGitaly } from "../testing/fake-gitaly.ts";
import { startMainApplication, type FakeMainApplication } from "../main-application/testing/fake-main-application.ts";
import { TestRepository } from "../testing/test-repository.ts";
import { LocalConfigurationErrors } from "./configuration-errors.ts";
import { streamConfiguration } from "./configuration-stream.ts";
import { GitConfigurations } from "./git-configurations.ts";
import { PushNotices } from "../gitaly/push-notices.ts";

const PATH = ".gitlab/agents/demo/config.yaml";
const OPTIONS_PATH = ".gitlab/agents/demo/binnacle.yaml";
const GOOD = "user_access:\n  access_as:\n    agent: {}\nobservability:\n  logging:\n    level: debug\n";
const POLL_MS = 20_000;

let clock: ManualClock;
let repository: TestRepository;
let gitaly: FakeGitaly;
let main: FakeMainApplication;
let client: GitalyClient;
let errors: LocalConfigurationErrors;
let pushes: PushNotices;
let repositories: RepositoryPoller;
let left: AbortController;
beforeEach(async () => {
  clock = new ManualClock();
  repository = new TestRepository();
  gitaly = await startGitaly(repository.root);
  main = await startMainApplication();
  main.answer = () => ({ status: 204 });
  const rate = () => new TokenBucket(clock, { perSecond: 1_000, burst: 1_000 });
  client = new GitalyClient({ clock, globalRate: rate(), serverRate: rate });
  errors = new LocalConfigurationErrors(clock, 3 * POLL_MS);
  pushes = new PushNotices();
  repositories = new RepositoryPoller({ gitaly: client, pushes, clock, pollMs: POLL_MS });
  left = new AbortController();
});
afterEach(async () => {
  left.abort();
  client.close();
  gitaly.close();
  await main.close();
  repository.remove();
});

function infoOf(): AgentInfo {
  const names = { storageName: "default", relativePath: repository.relativePath, glRepository: "project-3", glProjectPath: "group/app" };
  const access = { address: gitaly.address, token: "secret", features: {} };
  return {
    agentId: 7n,
    agentName: "demo",
    projectId: 3n,
    projectPath: "group/app",
    source: { gitaly: access, repository: names, defaultBranch: "main" },
  };
}

function stream(
  options: {
    readonly commitId?: string;
    readonly authenticate?: () => Promise<AgentInfo>;
    readonly draining?: AbortSignal;
    readonly reportsProjects?: boolean;
    readonly onProjects?: (agentId: bigint, projects: readonly string[]) => void;
  } = {},
): AsyncGenerator<ConfigurationResponse> {
  const request = create(ConfigurationRequestSchema, { commitId: options.commitId ?? "" });
  const subject = {
    request,
    reportsProjects: options.reportsProjects ?? true,
    authenticate: options.authenticate ?? (() => Promise.resolve(infoOf())),
    signal: left.signal,
    draining: options.draining ?? left.signal,
  };
  return streamConfiguration(subject, {
    configurations: new GitConfigurations({
      gitaly: client,
      mainApplication: main.client({ clock }),
      repositories,
      log: createLogger("test", "silent"),
      maxFileBytes: 10_000,
    }),
    errors,
    clock,
    log: createLogger("test", "silent"),
    maxAgeMs: 24 * 3_600_000,
    externalUrl: "https://gitlab.example.com",
    ...(options.onProjects && { onProjects: options.onProjects }),
  });
}

/** What the stream does next; `done()` tells whether it has done it. */
function nextOf(responses: AsyncGenerator<ConfigurationResponse>) {
  let settled = false;
  const result = responses.next().finally(() => (settled = true));
  result.catch(() => undefined);
  return { result, done: () => settled };
}

/** Settles when the stream waits for its next poll: its age is the other timer. */
const polling = (): Promise<void> => until(() => clock.pending === 2);

/** Lets the stream poll once, and waits until it has looked. */
async function poll(): Promise<void> {
  await polling();
  const looks = gitaly.seen.length;
  clock.advance(POLL_MS);
  await until(() => gitaly.seen.length > looks);
}

test("an agent gets its configuration, and the main application the same", async () => {
  const commit = repository.push({ [PATH]: GOOD });
  const { value } = await stream().next();
  expect(value).toMatchObject({
    commitId: commit,
    configuration: {
      agentId: 7n,
      projectId: 3n,
      projectPath: "group/app",
      gitlabExternalUrl: "https://gitlab.example.com",
      observability: { logging: {} },
    },
  });
  expect(main.seen.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
    [
      "/api/v4/internal/kubernetes/agent_configuration",
      { agent_id: 7, agent_config: { user_access: { access_as: { agent: {} } }, observability: { logging: { level: "debug" } } } },
    ],
  ]);
});

test("an agent gets its options with its configuration, and the main application does not", async () => {
  const gitops = "gitops: {manifest_projects: [{id: group/app}]}\n";
  repository.push({ [PATH]: gitops, [OPTIONS_PATH]: "gitops: {manifest_projects: [{id: group/app, force_conflicts: true}]}\n" });
  const responses = stream();
  expect((await responses.next()).value).toMatchObject({
    configuration: { binnacle: { gitops: { manifestProjects: [{ id: "group/app", forceConflicts: true }] } } },
  });
  expect(main.seen.map(({ body }) => body)).toEqual([expect.not.stringContaining("force_conflicts")]);
  const next = nextOf(responses);
  await polling();
  const commit = repository.push({ [OPTIONS_PATH]: null });
  await poll();
  const { value } = await next.result;
  expect(value).toMatchObject({ commitId: commit });
  expect(value?.configuration?.binnacle).toBeUndefined();
});

test("broken options refuse the commit as a broken configuration does", async () => {
  const good = repository.push({ [PATH]: GOOD });
  const responses = stream();
  await responses.next();
  const next = nextOf(responses);
  await polling();
  repository.push({ [PATH]: "{}\n", [OPTIONS_PATH]: "gitops: {manifest_projects: [{id: a, drift: maybe}]}\n" });
  await poll();
  await expect.poll(() => errors.get(7n)).toBeDefined();
  expect(errors.get(7n)).toEqual({ reason: expect.stringMatching(/demo\/binnacle\.yaml.*drift/), lastGoodCommit: good });
  expect(next.done()).toBe(false);
  left.abort();
  await next.result.catch(() => undefined);
});

test("a broken commit leaves the last good configuration in force and says why, and a fixed one clears it", async () => {
  const good = repository.push({ [PATH]: GOOD });
  const responses = stream();
  await responses.next();
  const next = nextOf(responses);
  await polling();
  repository.push({ [PATH]: "user_acess: {}\n" });
  await poll();
  await expect.poll(() => errors.get(7n)).toBeDefined();
  expect(errors.get(7n)).toEqual({ reason: expect.stringContaining("user_acess"), lastGoodCommit: good });
  await polling();
  expect(next.done()).toBe(false);
  const fixed = repository.push({ [PATH]: "{}\n" });
  await poll();
  expect((await next.result).value).toMatchObject({ commitId: fixed });
  expect(errors.get(7n)).toBeUndefined();
});

test("a broken configuration is reported again at each poll, and expires when it is not reported any more", async () => {
  const good = repository.push({ [PATH]: GOOD });
  const responses = stream({ commitId: good });
  const next = nextOf(responses);
  await polling();
  repository.push({ [PATH]: "user_acess: {}\n" });
  const reported = vi.spyOn(errors, "set");
  for (let polls = 0; polls < 5; polls += 1) {
    await poll();
    // The look is over before the file is read.
    await until(() => reported.mock.calls.length > polls);
  }
  expect(errors.get(7n)).toMatchObject({ lastGoodCommit: good });
  left.abort();
  await next.result;
  clock.advance(3 * POLL_MS + 1);
  expect(errors.get(7n)).toBeUndefined();
});

test("going back to the good commit clears the error and sends nothing again", async () => {
  const good = repository.push({ [PATH]: GOOD });
  const responses = stream({ commitId: good });
  const next = nextOf(responses);
  await polling();
  repository.push({ [PATH]: ": [" });
  await poll();
  await expect.poll(() => errors.get(7n)).toBeDefined();
  await polling();
  repository.reset(good);
  await poll();
  await expect.poll(() => errors.get(7n)).toBeUndefined();
  await polling();
  expect(next.done()).toBe(false);
});

test.each([
  ["a missing file", { "README.md": "x" }, `Config: ${PATH} is missing`],
  ["a file with an unknown key", { [PATH]: "nonsense: 1" }, /^Config: .*nonsense/],
  ["a file that is no YAML", { [PATH]: "a: [" }, /^Config: /],
  ["a file that is too large", { [PATH]: `# ${"x".repeat(10_000)}` }, `Config: ${PATH} is larger than 10000 bytes`],
])("%s without a good one before fails the stream", async (_, files, message) => {
  repository.push(files);
  const failed = stream().next();
  await expect(failed).rejects.toThrow(message);
  await expect(failed).rejects.toMatchObject({ reason: "configuration_invalid" });
  expect(errors.get(7n)?.lastGoodCommit).toBe("");
});

test("a repository without a commit fails the stream", async () => {
  await expect(stream().next()).rejects.toThrow("Config: the repository has no commit");
});

test("an agent that has the newest configuration gets nothing until it changes", async () => {
  const known = repository.push({ [PATH]: GOOD });
  const next = nextOf(stream({ commitId: known }));
  await poll();
  await polling();
  expect(next.done()).toBe(false);
  const changed = repository.push({ [PATH]: "{}" });
  await poll();
  expect((await next.result).value).toMatchObject({ commitId: changed });
});

test("a push is seen at once", async () => {
  const responses = stream({ commitId: repository.push({ [PATH]: GOOD }) });
  const next = nextOf(responses);
  await polling();
  const changed = repository.push({ [PATH]: "{}" });
  pushes.pushed("group/other");
  pushes.pushed("group/app");
  expect((await next.result).value).toMatchObject({ commitId: changed });
});

test("a report that failed is made again, and one that was taken is not", async () => {
  main.answer = () => ({ status: 503 });
  const known = repository.push({ [PATH]: GOOD });
  void nextOf(stream({ commitId: known }));
  await until(() => main.seen.length === 1);
  main.answer = () => ({ status: 204 });
  await poll();
  await until(() => main.seen.length === 2);
  await poll();
  await polling();
  expect(main.seen).toHaveLength(2);
});

test("a Gitaly that is down keeps the stream, which goes on when it is back", async () => {
  gitaly.down = true;
  const commit = repository.push({ [PATH]: GOOD });
  const next = nextOf(stream());
  await polling();
  expect(next.done()).toBe(false);
  gitaly.down = false;
  clock.advance(60_000);
  expect((await next.result).value).toMatchObject({ commitId: commit });
});

test("a token that was revoked ends the stream at the next poll", async () => {
  let revoked = false;
  const known = repository.push({ [PATH]: GOOD });
  const authenticate = (): Promise<AgentInfo> =>
    revoked ? Promise.reject(new Fault("token_unknown", "unauthenticated")) : Promise.resolve(infoOf());
  const next = nextOf(stream({ commitId: known, authenticate }));
  await polling();
  revoked = true;
  clock.advance(POLL_MS);
  await expect(next.result).rejects.toMatchObject({ reason: "token_unknown" });
});

test("I12: the stream ends cleanly after GOAWAY on the connection of its agent", async () => {
  const known = repository.push({ [PATH]: GOOD });
  const draining = new AbortController();
  const next = nextOf(stream({ commitId: known, draining: draining.signal }));
  await polling();
  draining.abort();
  expect((await next.result).done).toBe(true);
  expect(clock.pending).toBe(0);
});

test("the stream ends cleanly at its age, and when the agent leaves, and leaves no timer", async () => {
  const known = repository.push({ [PATH]: GOOD });
  const old = nextOf(stream({ commitId: known }));
  await polling();
  clock.advance(26 * 3_600_000);
  expect((await old.result).done).toBe(true);
  const leaving = nextOf(stream({ commitId: known }));
  await polling();
  left.abort();
  expect((await leaving.result).done).toBe(true);
  expect(clock.pending).toBe(0);
});

test("B2: the manifest projects of an agent that reports them are named at each look, also when it has the commit already", async () => {
  const commitId = repository.push({ [PATH]: "gitops:\n  manifest_projects:\n    - id: group/one\n    - id: group/two\n" });
  const named: string[] = [];
  const onProjects = (agentId: bigint, projects: readonly string[]) => void named.push(`${agentId} ${projects.join(" ")}`);
  const silent: string[] = [];
  void stream({ commitId, onProjects: () => void silent.push("named"), reportsProjects: false }).next();
  void stream({ commitId, onProjects }).next();
  await until(() => named.length === 1);
  clock.advance(POLL_MS);
  await until(() => named.length === 2);
  expect(named).toEqual(["7 group/one group/two", "7 group/one group/two"]);
  expect(silent).toEqual([]);
});
