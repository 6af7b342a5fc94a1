import { rmSync } from "node:fs";

import {
  createKasSecrets,
  freePort,
  startKasProcess,
  startMainApplicationStandIn,
  startRedisServer,
  TunnelAgent,
  type KasProcess,
  type MainApplicationStandIn,
} from "@binnacle/testing";
import { Pool } from "undici";

/** One or two kas with a main application; with two, agents connect to the second and users ask the first. */
export interface StormWorld {
  readonly application: MainApplicationStandIn;
  readonly kas: readonly KasProcess[];
  /** URL where agents connect. */
  readonly agentUrl: string;
  /** An agent that says as ours does what it can; its pool is no larger than these tunnels. */
  connect(agentId: number, tunnels: number): Promise<TunnelAgent>;
  /** One request of a user. */
  ask(of: StormRequest, limitMs?: number): Promise<StormAnswer>;
  close(): Promise<void>;
}

/** A request at the Kubernetes proxy. */
interface StormRequest {
  readonly agentId: number;
  /** A token as the stand-in knows them: `user-1`. */
  readonly token: string;
  readonly path?: string;
  /** Comes from 127.0.0.2, where no client misbehaves. */
  readonly elsewhere?: boolean;
  /** Ends it; a watch has no other end. */
  readonly signal?: AbortSignal;
}

/** What became of it. */
export interface StormAnswer {
  /** 0 when it broke or was not answered in time. */
  readonly status: number;
  /** How long it took. */
  readonly ms: number;
  /** When to come back; undefined: not stated. */
  readonly retryAfterSeconds?: number;
}

const MANY_CONNECTIONS = 2_500;

/** Starts it. @param count of kas, 1 or 2 @param configuration laid over the defaults */
export async function startStormWorld(count: 1 | 2, configuration: Readonly<Record<string, unknown>> = {}): Promise<StormWorld> {
  const application = await startMainApplicationStandIn();
  const secrets = createKasSecrets();
  const redis = count === 2 ? await startRedisServer() : undefined;
  const kas: KasProcess[] = [];
  while (kas.length < count) {
    const shared = redis === undefined ? {} : { redis: `127.0.0.1:${redis.port}`, ports: { privateApi: await freePort() } };
    kas.push(await startKasProcess({ mainApplication: application.address, secrets, configuration, ...shared }));
  }
  const agents: TunnelAgent[] = [];
  const agentUrl = `grpc://${kas.at(-1)?.addresses.agent}`;
  const origin = `http://${kas[0]?.addresses.k8sProxy}`;
  const options = { connections: MANY_CONNECTIONS, pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
  const pool = new Pool(origin, options);
  const elsewherePool = new Pool(origin, { ...options, localAddress: "127.0.0.2" });
  return {
    application,
    kas,
    agentUrl,
    async connect(agentId, tunnels) {
      const agent = await TunnelAgent.connect(agentUrl, {
        token: `glagent-${agentId}`,
        tunnels,
        capable: true,
        answer: ({ query }) => (query.includes("watch=") ? undefined : "{}"),
      });
      agents.push(agent);
      return agent;
    },
    async ask({ agentId, token, path = "/api", elsewhere = false, signal }, limitMs = 60_000) {
      const started = performance.now();
      const limit = AbortSignal.timeout(limitMs);
      try {
        const answer = await (elsewhere ? elsewherePool : pool).request({
          path,
          method: "GET",
          headers: { authorization: `Bearer pat:${agentId}:${token}` },
          signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        });
        // A watch goes on.
        if (signal === undefined) await answer.body.dump();
        else answer.body.on("error", () => undefined).resume();
        const after = Number(answer.headers["retry-after"]);
        const retry = Number.isFinite(after) ? { retryAfterSeconds: after } : {};
        return { status: answer.statusCode, ms: performance.now() - started, ...retry };
      } catch {
        return { status: 0, ms: performance.now() - started };
      }
    },
    async close() {
      for (const agent of agents) agent.close();
      await Promise.all([pool.destroy(), elsewherePool.destroy()]);
      for (const each of kas) await each.stop();
      await redis?.stop();
      await application.close();
      rmSync(secrets.directory, { recursive: true });
    },
  };
}
