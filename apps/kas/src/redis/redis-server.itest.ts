// needs: redis
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { createKasSecrets, selfSigned, startKasProcess, startRedisServer, until } from "@binnacle/testing";
import { expect, onTestFinished, test } from "vitest";

import { LogLines } from "../testing/log-lines.ts";
import { KeptRecords } from "./kept-records.ts";
import { openRedis, warnOfClockDifference } from "./redis-connection.ts";

function directoryOf(): string {
  const directory = mkdtempSync(join(tmpdir(), "redis-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function secretsOf() {
  const secrets = createKasSecrets();
  onTestFinished(() => rmSync(secrets.directory, { recursive: true, force: true }));
  return secrets;
}

test("kas refuses to start with a Redis Cluster, in one sentence that says what to name instead", async () => {
  const directory = directoryOf();
  const server = await startRedisServer(["--cluster-enabled", "yes", "--dir", directory, "--cluster-config-file", "nodes.conf"]);
  onTestFinished(() => server.stop());
  const start = startKasProcess({ mainApplication: "http://127.0.0.1:1", secrets: secretsOf(), redis: `127.0.0.1:${server.port}` });
  await expect(start).rejects.toThrow(/ended with 2:[\s\S]*redis: is a Redis Cluster, which kas does not support: name a single server/);
});

test("a start with a Redis that speaks TLS logs no failure", async () => {
  const directory = directoryOf();
  const { certificate, key } = selfSigned(["DNS:localhost", "IP:127.0.0.1"]);
  const [certFile, keyFile] = [join(directory, "cert.pem"), join(directory, "key.pem")];
  writeFileSync(certFile, certificate);
  writeFileSync(keyFile, key, { mode: 0o600 });
  const tls = ["--tls-port", "{port}", "--port", "0", "--tls-cert-file", certFile, "--tls-key-file", keyFile, "--tls-auth-clients", "no"];
  const server = await startRedisServer([...tls, "--tls-ca-cert-file", certFile]);
  onTestFinished(() => server.stop());
  const kas = await startKasProcess({
    mainApplication: "http://127.0.0.1:1",
    secrets: secretsOf(),
    redis: `localhost:${server.port}`,
    configuration: { redis: { tls: { enabled: true, ca_certificate_file: certFile } } },
  });
  onTestFinished(() => kas.stop());
  await until(() => kas.program.output.includes('"role":"subscriber","msg":"redis connected"'));
  expect(kas.program.output).not.toMatch(/enableOfflineQueue|"stack"/);
});

test("records that are made before Redis is connected are written when it is, and nothing is logged of them", async () => {
  const server = await startRedisServer();
  onTestFinished(() => server.stop());
  const lines = new LogLines();
  const redis = openRedis(
    { endpoint: { kind: "server", host: "127.0.0.1", port: server.port }, keyPrefix: "test" },
    createLogger("test", "silent"),
  );
  onTestFinished(() => redis.close());
  const records = new KeptRecords({ redis, clock: systemClock, log: lines.log, ttlMs: 60_000 });
  records.put({ id: "a", hashes: ["test:h"], field: "f", encode: () => Buffer.from("v"), expiryOf: () => undefined });
  await records.flushed();
  const stop = new AbortController();
  const running = records.run(stop.signal);
  let value: string | null = null;
  const look = (): void => {
    redis.commands.hget("test:h", "f").then(
      (found) => (value = found),
      () => undefined,
    );
  };
  await until(() => (look(), value === "v"));
  expect(lines.of("writing to redis failed")).toEqual([]);
  stop.abort();
  await running;
});

const CLOCK_WARNING =
  "the clock of this kas differs from that of Redis: agents of other kas may seem away; synchronise the clocks of all kas";

test("security-3: a clock that differs from that of Redis by more than kas forgive each other is named, one within it is not", async () => {
  const server = await startRedisServer();
  onTestFinished(() => server.stop());
  const settings = { endpoint: { kind: "server" as const, host: "127.0.0.1", port: server.port }, keyPrefix: "test" };
  const warningsAt = async (aheadMs: number): Promise<readonly unknown[]> => {
    const lines = new LogLines();
    const redis = openRedis(settings, lines.log);
    onTestFinished(() => redis.close());
    warnOfClockDifference(redis, { ...systemClock, now: () => Date.now() + aheadMs }, lines.log);
    await new Promise<void>((resolve) => redis.commands.once("ready", () => resolve()));
    // Behind the question, in the same connection.
    await redis.commands.ping();
    return lines.of(CLOCK_WARNING);
  };
  expect(await warningsAt(4_000)).toEqual([]);
  for (const aheadMs of [300_000, -300_000]) {
    // To within a minute: asking takes its time.
    expect(await warningsAt(aheadMs)).toEqual([{ ahead_ms: expect.closeTo(aheadMs, -5) as number }]);
  }
});
