// needs: redis
import { create } from "@bufbuild/protobuf";
import { ConfigurationRequestSchema } from "@binnacle/proto/agent-configuration";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, startRedisServer, until, type RedisServer } from "@binnacle/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { GitalyClient } from "../gitaly/gitaly-client.ts";
import { RepositoryPoller } from "../gitaly/repository-poller.ts";
import { TokenBucket } from "../limits/token-bucket.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";
import { startGitaly } from "../testing/fake-gitaly.ts";
import { startMainApplication } from "../main-application/testing/fake-main-application.ts";
import { connectRedis } from "../redis/testing/redis-connections.ts";
import { TestRepository } from "../testing/test-repository.ts";
import { LocalConfigurationErrors } from "./configuration-errors.ts";
import { streamConfiguration } from "./configuration-stream.ts";
import { GitConfigurations } from "./git-configurations.ts";
import { PushNotices } from "../gitaly/push-notices.ts";

let server: RedisServer;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The notices of one kas, listening. */
async function noticesOfKas(): Promise<{ readonly notices: PushNotices; readonly redis: RedisConnection }> {
  const redis = await connectRedis(server);
  closing.push(() => redis.close());
  const notices = new PushNotices(redis);
  // The subscription travels before it on the same connection.
  await redis.subscriber.ping();
  return { notices, redis };
}

test("KS6: a push that one kas receives wakes the configuration stream at another", async () => {
  const repository = new TestRepository();
  const gitaly = await startGitaly(repository.root);
  const main = await startMainApplication();
  main.answer = () => ({ status: 204 });
  const left = new AbortController();
  const clock = new ManualClock();
  const rate = () => new TokenBucket(clock, { perSecond: 1_000, burst: 1_000 });
  const client = new GitalyClient({ clock, globalRate: rate(), serverRate: rate });
  closing.push(
    () => repository.remove(),
    () => main.close(),
    () => gitaly.close(),
    () => client.close(),
    () => left.abort(),
  );
  const notified = await noticesOfKas();
  const streaming = await noticesOfKas();
  const path = ".gitlab/agents/demo/config.yaml";
  repository.push({ [path]: "{}" });
  const names = { storageName: "default", relativePath: repository.relativePath, glRepository: "project-3", glProjectPath: "group/app" };
  const info = {
    agentId: 7n,
    agentName: "demo",
    projectId: 3n,
    projectPath: "group/app",
    source: { gitaly: { address: gitaly.address, token: "", features: {} }, repository: names, defaultBranch: "main" },
  };
  const subject = {
    request: create(ConfigurationRequestSchema),
    reportsProjects: true,
    authenticate: async () => info,
    signal: left.signal,
    draining: new AbortController().signal,
  };
  const stream = streamConfiguration(subject, {
    configurations: new GitConfigurations({
      gitaly: client,
      mainApplication: main.client({ clock }),
      // The clock stands still: without the push there is no second poll.
      repositories: new RepositoryPoller({ gitaly: client, pushes: streaming.notices, clock, pollMs: 20_000 }),
      log: createLogger("test", "silent"),
      maxFileBytes: 10_000,
    }),
    errors: new LocalConfigurationErrors(clock, 60_000),
    clock,
    log: createLogger("test", "silent"),
    maxAgeMs: 3_600_000,
    externalUrl: "https://gitlab.example.com",
  });
  await stream.next();
  const next = stream.next();
  const commit = repository.push({ [path]: "observability: {}\n" });
  notified.notices.pushed("group/app");
  expect((await next).value).toMatchObject({ commitId: commit });
});

test("KS6: each kas delivers a push once, long paths too, and not to streams of another project", async () => {
  const first = await noticesOfKas();
  const second = await noticesOfKas();
  const heard: string[] = [];
  const long = `group/${"x".repeat(5_000)}`;
  first.notices.onPush(long, () => heard.push("first"));
  second.notices.onPush(long, () => heard.push("second"));
  second.notices.onPush("group/other", () => heard.push("other"));
  first.notices.pushed(long);
  await until(() => heard.includes("second"));
  await first.redis.subscriber.ping();
  expect(heard.toSorted()).toEqual(["first", "second"]);
});
