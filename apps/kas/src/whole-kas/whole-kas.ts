import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createLogger, type Logger } from "@binnacle/telemetry";
import { SignJWT } from "jose";

import { kasConfigSchema } from "../config/schema.ts";
import { openKasListeners, type BoundAddresses } from "../process/kas-listeners.ts";
import { createKasParts } from "../process/kas-parts.ts";
import { createKasMetrics, type KasMetrics } from "../process/metrics.ts";
import { startMainApplication, type FakeMainApplication } from "../main-application/testing/fake-main-application.ts";
import type { UsageCounts } from "../usage/usage-counts.ts";

/** A kas as `main.ts` builds it, with every listener, in this process. */
export interface WholeKas {
  readonly bound: BoundAddresses;
  readonly metrics: KasMetrics;
  readonly mainApplication: FakeMainApplication;
  /** What the main application is to hear of its use. */
  usage(): UsageCounts["now"];
  /** Records of proxied requests, as they are in its file. */
  audited(): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Value of `authorization` for the API listener. */
  jwt(): Promise<string>;
  /** How often a listener refused for a reason. */
  refused(listener: string, reason: string): Promise<number>;
  /** Its listeners and what stands behind them take leave, as at SIGTERM. */
  leave(): Promise<void>;
  stop(): Promise<void>;
}

/** Where the project of the agent is. */
interface ProjectAt {
  /** Of a Gitaly: "tcp://127.0.0.1:port". */
  readonly address: string;
  readonly relativePath: string;
}

const NOWHERE: ProjectAt = { address: "tcp://127.0.0.1:1", relativePath: "" };

/** Whom every personal token is of. */
const ANN = {
  agent: { id: 1, config_project: { id: 3 } },
  user: { id: 1, username: "ann" },
  access_as: { user: { projects: [{ id: 3, roles: ["developer"] }], groups: [] } },
} as const;

/**
 * Starts it on free loopback ports, without Redis. Its main application knows the agent token "agent-1", with one project, and one user, ann, who
 * may use the agent.
 */
export async function startWholeKas(log: Logger = createLogger("test", "silent"), project = NOWHERE): Promise<WholeKas> {
  const main = await startMainApplication();
  main.answer = ({ url, headers }) => {
    if (url.endsWith("/authorize_proxy_user")) return { status: 200, body: ANN };
    const isKnown = headers.authorization === "Bearer agent-1" || headers["gitlab-agent-api-request"] === undefined;
    return isKnown ? { status: 200, body: agentInfo(project) } : { status: 401 };
  };
  const directory = mkdtempSync(join(tmpdir(), "whole-kas-"));
  const secret = randomBytes(64);
  const secretFile = join(directory, "secret");
  writeFileSync(secretFile, secret.toString("base64"), { mode: 0o600 });
  const auditFile = join(directory, "audit.log");
  const listen = { address: "127.0.0.1:0", grace_period: "0s" };
  const guarded = { listen: { ...listen, authentication_secret_file: secretFile } };
  const config = kasConfigSchema.parse({
    gitlab: { address: main.address, authentication_secret_file: secretFile },
    agent: { listen, kubernetes_api: { listen } },
    api: guarded,
    private_api: guarded,
    observability: { audit: { file: auditFile } },
  });
  const metrics = createKasMetrics({ version: "test", gitRef: "test" });
  const parts = await createKasParts({ config, ownUrls: [], metrics, log });
  const { modules, bound } = await openKasListeners({ config, parts, metrics, log });
  return {
    bound,
    metrics,
    async audited() {
      await parts.audit?.drain(new AbortController().signal);
      const lines = readFileSync(auditFile, "utf8").split("\n").slice(0, -1);
      return lines.map((line) => JSON.parse(line));
    },
    mainApplication: main,
    usage: () => parts.usage.now,
    jwt: async () =>
      `Bearer ${await new SignJWT({}).setProtectedHeader({ alg: "HS256" }).setIssuer("gitlab").setAudience("gitlab-kas").setExpirationTime("1m").sign(secret)}`,
    async refused(listener, reason) {
      const counters = await metrics.registry.getMetricsAsJSON();
      const values = counters.find(({ name }) => name === "kas_refused_streams_total")?.values ?? [];
      return values.find(({ labels }) => labels["listener"] === listener && labels["reason"] === reason)?.value ?? 0;
    },
    async leave() {
      const deadline = new AbortController().signal;
      await Promise.all(modules.map(async (module) => module.drain?.(deadline)));
    },
    async stop() {
      for (const module of [...modules, ...parts.behindCalls, ...parts.records]) await module.close();
      parts.close();
      await main.close();
      rmSync(directory, { recursive: true });
    },
  };
}

const agentInfo = ({ address, relativePath }: ProjectAt): object => ({
  project_id: 3,
  agent_id: 1,
  agent_name: "demo",
  gitaly_info: { address },
  gitaly_repository: { gl_project_path: "group/app", relative_path: relativePath },
  default_branch: "main",
});
