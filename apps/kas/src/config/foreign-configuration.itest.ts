import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { loadConfig } from "@binnacle/config";
import { afterAll, beforeAll, expect, test } from "vitest";

import { ignoredKeys } from "./ignored-keys.ts";
import { kasConfigSchema } from "./schema.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kas-config-"));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const parameters = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=test"];
  execFileSync("openssl", ["req", "-x509", ...parameters, "-keyout", key, "-out", certificate], { stdio: "ignore" });
  copyFileSync(certificate, join(folder, "authority.pem"));
  for (const name of ["gitlab-secret", "api-secret", "private-api-secret"])
    writeFileSync(join(folder, name), Buffer.alloc(32, 7).toString("base64"));
  writeFileSync(join(folder, "password"), "hunter2");
});
afterAll(() => rmSync(folder, { recursive: true }));

const foreign = readFileSync(join(import.meta.dirname, "../../fixtures/gitlab-agent-server.yaml"), "utf8");

test("I9: a configuration with every key of the GitLab agent server starts this kas, and each key that does nothing is named once", () => {
  const yaml = foreign.replaceAll("/etc/kas/", `${folder}/`);
  const file = join(folder, "kas.yaml");
  writeFileSync(file, yaml);
  const config = loadConfig({ schema: kasConfigSchema, file, env: {}, envPrefix: "KAS" });
  expect(config).toMatchObject({
    agent: { listen: { address: "127.0.0.1:8150" } },
    gitaly: { per_server_api_rate_limit: { bucket_size: 10 } },
  });
  expect(ignoredKeys(kasConfigSchema, config).map(({ path }) => path)).toEqual([
    "agent.listen.listen_grace_period",
    "agent.listen.websocket",
    "agent.kubernetes_api.listen.listen_grace_period",
    "agent.kubernetes_api.listen.shutdown_grace_period",
    "agent.redis_conn_info_refresh",
    "agent.redis_conn_info_gc",
    "observability.event_reporting_period",
    "observability.tracing",
    "observability.sentry",
    "observability.google_profiler",
    "observability.listen.certificate_file",
    "observability.listen.key_file",
    "observability.logging.grpc_level",
    "redis.pool_size",
    "redis.write_timeout",
    "redis.idle_timeout",
    "api.listen.listen_grace_period",
    "private_api.listen.listen_grace_period",
  ]);
});
