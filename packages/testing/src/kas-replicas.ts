import { rmSync } from "node:fs";

import { createKasSecrets, startKasProcess, type KasProcess, type KasProcessOptions, type KasSecrets } from "./kas-process.ts";
import { startMainApplicationStandIn, type MainApplicationStandIn, type RepositoriesAt } from "./main-application-stand-in.ts";
import { freePort, startRedisServer, type RedisServer } from "./redis-server.ts";

/** What differs between replicas. */
export type KasReplicaOptions = Partial<Omit<KasProcessOptions, "mainApplication" | "secrets" | "redis" | "ports">>;

/** kas replicas that share Redis, secrets and a main application, each in a process of its own. */
export class KasReplicas {
  readonly application: MainApplicationStandIn;
  readonly secrets: KasSecrets;
  readonly #redis: RedisServer;
  readonly #closers: (() => Promise<unknown> | void)[] = [];

  private constructor(application: MainApplicationStandIn, redis: RedisServer) {
    this.application = this.closing(application, (one) => one.close());
    this.#redis = this.closing(redis, (one) => one.stop());
    this.secrets = this.closing(createKasSecrets(), ({ directory }) => rmSync(directory, { recursive: true }));
  }

  /** Starts what they share; no kas runs yet. @param at as for `startMainApplicationStandIn` */
  static async start(at?: RepositoriesAt): Promise<KasReplicas> {
    return new KasReplicas(await startMainApplicationStandIn(at), await startRedisServer());
  }

  /** Starts one more replica. @throws as `startKasProcess` */
  async startKas(options: KasReplicaOptions = {}): Promise<KasProcess> {
    const kas = await startKasProcess({
      mainApplication: this.application.address,
      secrets: this.secrets,
      redis: `127.0.0.1:${this.#redis.port}`,
      ports: { privateApi: await freePort() },
      ...options,
    });
    return this.closing(kas, (one) => one.stop());
  }

  /** Registers something that `stop` closes before everything that is older. @returns the thing */
  closing<T>(thing: T, close: (thing: T) => Promise<unknown> | void): T {
    this.#closers.push(() => close(thing));
    return thing;
  }

  /** Ends the replicas, what was registered, and what they share. */
  async stop(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed()) await close();
  }
}
