import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  eventually,
  KasReplicas,
  startAgentkProcess,
  type AgentkProcess,
  type AgentkProcessOptions,
  type KasProcess,
  type KasReplicaOptions,
} from "@binnacle/testing";

import { startCountingApi, type CountingApi } from "../leave/counting-api.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";

/** What differs from two plain kas with an agent each. */
export interface WorldOptions {
  /** Laid over what a kas is started with. */
  readonly kas?: (index: number, world: ChaosWorld) => KasReplicaOptions;
  /** Laid over what an agent is started with. @param port of the proxy in front of its kas */
  readonly agentk?: (world: ChaosWorld, port: number) => Partial<AgentkProcessOptions> | Promise<Partial<AgentkProcessOptions>>;
}

/** How long a request waits for its agent; the answer must be there before the deadline of the load. */
const AGENT_WAIT = "5s";
const LIMIT_MS = 90_000;

/** Two kas with Redis, two agents, each on a network of its own to its kas, and the API server of both. */
export class ChaosWorld {
  readonly kas: KasProcess[] = [];
  readonly agents: AgentkProcess[] = [];
  /** Between agent and kas of the same index. */
  readonly networks: TcpProxy[] = [];
  api!: CountingApi;
  /** For files of a disturbance; removed with the world. */
  readonly directory = mkdtempSync(join(tmpdir(), "binnacle-chaos-"));
  readonly #options: WorldOptions;
  #startKas!: (index: number) => Promise<KasProcess>;
  readonly #closers: (() => Promise<unknown> | void)[] = [];

  private constructor(options: WorldOptions) {
    this.#options = options;
    this.closing(this.directory, (path) => rmSync(path, { recursive: true }));
  }

  /** Settles when every agent answers through every kas. */
  static async start(options: WorldOptions = {}): Promise<ChaosWorld> {
    const world = new ChaosWorld(options);
    try {
      await world.#start();
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  /** Keeps something to be closed with the world. */
  closing<T>(thing: T, close: (thing: T) => Promise<unknown> | void): T {
    this.#closers.push(() => close(thing));
    return thing;
  }

  /** Starts another kas in the place of one that ended. */
  async replaceKas(index: number): Promise<void> {
    this.kas[index] = await this.#startKas(index);
  }

  /** Waits until every agent answers through every kas, or through one. */
  async reachable({ through }: { readonly through?: number } = {}): Promise<void> {
    for (const kas of this.kas.filter((_, index) => through === undefined || index === through)) {
      for (const id of this.agents.keys()) {
        await eventually(async () => {
          const wrong = await wrongOf(`http://${kas.addresses.k8sProxy}/version`, id + 1);
          return wrong && `agent ${id + 1} through kas ${kas.addresses.kasId}: ${wrong}\n${this.agents[id]?.program.output ?? ""}`;
        }, LIMIT_MS);
      }
    }
  }

  async stop(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed()) await close();
  }

  async #start(): Promise<void> {
    const replicas = this.closing(await KasReplicas.start(), (one) => one.stop());
    this.api = this.closing(await startCountingApi(20), (one) => one.close());
    this.#startKas = (index) => {
      const own = this.#options.kas?.(index, this) ?? {};
      return replicas.startKas({ ...own, configuration: { limits: { agent_wait: AGENT_WAIT }, ...own.configuration } });
    };
    for (const index of [0, 1]) {
      this.kas.push(await this.#startKas(index));
      const port = (): number => Number(this.kas[index]?.addresses.agent.split(":")[1]);
      this.networks.push(this.closing(await TcpProxy.start(port), (one) => one.stop()));
    }
    for (const [index, { port }] of this.networks.entries()) {
      const options = { kasAddress: `grpc://127.0.0.1:${port}`, token: `glagent-${index + 1}`, server: this.api.url };
      const agentk = await startAgentkProcess({ ...options, ...(await this.#options.agentk?.(this, port)) });
      this.agents.push(this.closing(agentk, (one) => one.stop()));
    }
    await this.reachable();
  }
}

/** What is wrong with the answer of an agent; undefined: nothing. */
async function wrongOf(url: string, agentId: number): Promise<string | undefined> {
  try {
    const headers = { authorization: `Bearer pat:${agentId}:user-1`, connection: "close" };
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) });
    const text = await answer.text();
    return answer.status === 200 ? undefined : `${answer.status} ${text}`;
  } catch (error) {
    return String(error);
  }
}
