import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { INVENTORY_LABEL } from "@binnacle/kube";
import { FaultProxy, ManualClock, startRedisServer, type FaultyRequest, type RedisServer } from "@binnacle/testing";
import { parse, stringify } from "yaml";

import { pick } from "../support/endpoints.ts";
import { kubectl } from "../support/kubectl.ts";
import { ManifestClone } from "../support/manifest-clone.ts";
import { pushFile } from "../support/push-configuration.ts";
import { Sandbox, type SandboxOptions } from "../support/sandbox.ts";
import { readTruth, type DeliveryTruth } from "./delivery-truth.ts";
import { short } from "./expected-words.ts";
import { Program } from "./program.ts";

/** Environments of the world, by what is wrong with their delivery. */
export const ENVIRONMENTS = ["good", "failing", "held", "drifting"] as const;
export type EnvironmentName = (typeof ENVIRONMENTS)[number];

/** ConfigMaps of the first commit; the second one of `held` has one of them, which takes more away than may be pruned without consent. */
const OBJECTS: Readonly<Record<EnvironmentName, number>> = { good: 3, failing: 3, held: 12, drifting: 3 };
const OPTIONS = `gitops:\n  manifest_projects:\n    - { id: group/drifting, drift: show }\n`;
const BROKEN_FILE = "broken.yaml";
const BROKEN = "kind: [ConfigMap\n";
const LEASES = ["agent-1-lock", "agentk-gitops-1"];
/** On the clock of the proxy, which stands still until the test moves it. */
const HOLD_MS = 1;

/** What applies an object, or reads what an apply would change. */
const isApply = ({ method, query }: FaultyRequest): boolean => method === "PATCH" && query.get("fieldManager") === "agentk";

const configMap = (name: string, release: number): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { release: "${release}", colour: blue }\n`;

/** Project of manifests of an environment. */
export const projectOf = (environment: EnvironmentName): string => `group/${environment}`;

/** One cluster with four environments, and the programs that are killed and started again. */
export class RestartWorld {
  readonly sandbox: Sandbox;
  readonly redis: RedisServer;
  readonly kas: Program;
  readonly agentk: Program;
  readonly web: Program;
  /** Between agentk and the API server. */
  readonly #proxy: FaultProxy;
  readonly #clock: ManualClock;
  readonly #clones: ReadonlyMap<EnvironmentName, ManifestClone>;
  #release = 2;

  private constructor(parts: {
    readonly sandbox: Sandbox;
    readonly redis: RedisServer;
    readonly proxy: FaultProxy;
    readonly clock: ManualClock;
    readonly clones: ReadonlyMap<EnvironmentName, ManifestClone>;
  }) {
    const { sandbox, redis, proxy, clock, clones } = parts;
    this.sandbox = sandbox;
    this.redis = redis;
    this.#proxy = proxy;
    this.#clock = clock;
    this.#clones = clones;
    const { commands, pids, logDir } = sandbox.endpoints;
    const [kas, agentk] = [commands.kas[0], commands.agentk[0]];
    if (kas === undefined || agentk === undefined) throw new Error("endpoints.json names no commands");
    this.kas = new Program(kas, { pid: pids.kas[0], logFile: join(logDir, "kas-1.log") });
    this.agentk = new Program(agentk, { pid: pids.agentk[0], logFile: join(logDir, "agentk.log") });
    this.web = new Program(commands.web, { pid: pids.web, logFile: join(logDir, "web.log") });
  }

  /** Starts everything, with a Redis. */
  static async start(cluster: SandboxOptions["cluster"]): Promise<RestartWorld> {
    const redis = await startRedisServer();
    const flags = ["--restart", "never", "--redis", `redis://127.0.0.1:${redis.port}`, "--manifest-projects", ENVIRONMENTS.join(",")];
    const sandbox = await Sandbox.start({ cluster, flags });
    const { manifestProjects, kubeconfigs } = sandbox.endpoints;
    const { cluster: target } = clusterOf(kubeconfigs.cluster);
    const ca = target["certificate-authority-data"];
    const clock = new ManualClock();
    const proxy = await FaultProxy.start({
      target: target.server,
      ca: ca === undefined ? readFileSync(target["certificate-authority"] ?? "", "utf8") : Buffer.from(ca, "base64").toString(),
      clock,
    });
    const clones = new Map<EnvironmentName, ManifestClone>();
    for (const name of ENVIRONMENTS)
      clones.set(name, await ManifestClone.of(pick(manifestProjects, ({ environment }) => environment === name).repository));
    return new RestartWorld({ sandbox, redis, proxy, clock, clones });
  }

  async stop(): Promise<void> {
    for (const program of [this.kas, this.agentk, this.web]) program.end();
    await this.#proxy.close();
    for (const clone of this.#clones.values()) clone.dispose();
    await this.sandbox.stop();
    await this.redis.stop();
  }

  /** Pushes a commit of `failing` that cannot be read, before there is any other, to a namespace with nothing in it. @returns its id */
  async breakFirst(): Promise<string> {
    const clone = this.#clone("failing");
    clone.write(BROKEN_FILE, BROKEN);
    const commit = await clone.push("Begin with a broken manifest");
    await clone.remove(BROKEN_FILE);
    // Made for the commit before, which has no objects.
    await this.direct("-n", "failing", "delete", "configmap", "-l", INVENTORY_LABEL);
    return commit;
  }

  /**
   * Pushes what makes each environment what it is called.
   *
   * @param reported waits until the agent has reported a sync of an environment that is so
   */
  async deploy(
    reported: (environment: EnvironmentName, sync: { readonly version: string; readonly state: string }) => Promise<void>,
  ): Promise<void> {
    await pushFile(this.sandbox, ".gitlab/agents/demo/binnacle.yaml", OPTIONS);
    const first = new Map<EnvironmentName, string>();
    for (const name of ENVIRONMENTS) {
      const clone = this.#clone(name);
      for (let at = 0; at < OBJECTS[name]; at += 1) clone.write(`map-${at}.yaml`, configMap(`map-${at}`, 1));
      first.set(name, await clone.push("Deploy release 1"));
    }
    const deployed = [...first].map(([name, commit]) => [name, short(commit)] as const);
    await Promise.all(deployed.map(([name, version]) => reported(name, { version, state: "SYNCED" })));
    this.#clone("failing").write(BROKEN_FILE, BROKEN);
    await this.#clone("failing").push("Break a manifest");
    for (let at = 1; at < OBJECTS.held; at += 1) await this.#clone("held").remove(`map-${at}.yaml`);
    this.#clone("held").write("map-0.yaml", configMap("map-0", 2));
    await this.#clone("held").push("Move most of it away");
    // A pause that ends has the agent look at once: it does so each five minutes otherwise, and the index goes by its reports alone.
    const pause = (how: string) =>
      this.direct("-n", "drifting", "annotate", "configmap", "-l", INVENTORY_LABEL, `gitops.binnacle/paused${how}`);
    const version = short(first.get("drifting") ?? "");
    await pause("=true");
    await reported("drifting", { version, state: "PAUSED" });
    const colour = JSON.stringify({ data: { colour: "by hand" } });
    await this.direct("-n", "drifting", "patch", "configmap", "map-0", "--type=merge", "-p", colour);
    await pause("-");
    await reported("drifting", { version, state: "OUT_OF_SYNC" });
  }

  /** A new commit of `good`, with all of its objects. @returns its id */
  async release(): Promise<string> {
    const clone = this.#clone("good");
    for (let at = 0; at < OBJECTS.good; at += 1) clone.write(`map-${at}.yaml`, configMap(`map-${at}`, this.#release));
    const commit = await clone.push(`Deploy release ${this.#release}`);
    this.#release += 1;
    return commit;
  }

  /** What Git and cluster have of an environment, and when its inventory says that the applied commit was applied. */
  async truthOf(environment: EnvironmentName): Promise<{ readonly truth: DeliveryTruth; readonly appliedAtMs: number }> {
    const { manifestProjects, kubeconfigs } = this.sandbox.endpoints;
    const { repository } = pick(manifestProjects, (each) => each.environment === environment);
    const truth = await readTruth({ repository, kubeconfig: kubeconfigs.cluster, namespace: environment });
    const path = "jsonpath={.items[0].metadata.annotations.gitops\\.binnacle/last-applied}";
    const recorded = await this.direct("-n", environment, "get", "configmap", "-l", INVENTORY_LABEL, "-o", path);
    const [commit, time = ""] = recorded.split(" ");
    if (commit !== truth.applied) throw new Error(`the inventory of ${environment} records ${recorded}, applied is ${truth.applied}`);
    return { truth, appliedAtMs: Date.parse(time) };
  }

  /** How many applies are delayed. */
  get delayedApplies(): number {
    return this.#clock.pending;
  }

  /** Delays all applies of agentk, so that a sync does not end. @returns lets them pass */
  delayApplies(): () => void {
    const remove = this.#proxy.add(isApply, { kind: "delay", ms: HOLD_MS });
    return () => {
      remove();
      this.#clock.advance(HOLD_MS);
    };
  }

  /** Starts agentk behind the proxy. The Leases of the process that was killed have run out: that takes half a minute otherwise. */
  async startAgentk(): Promise<void> {
    for (const name of LEASES)
      await this.direct("-n", "gitlab-agent", "patch", "lease", name, "--type=merge", "-p", '{"spec":{"holderIdentity":""}}');
    const before = this.agentk.flag("--kubeconfig");
    const behind = join(this.sandbox.directory, "kubeconfig", "agentk-behind-proxy.yaml");
    // The sandbox wrote it.
    const config = parse(readFileSync(before, "utf8")) as Kubeconfig;
    const clusters = config.clusters.map(({ name }) => ({ name, cluster: { server: this.#proxy.url } }));
    if (before !== behind) writeFileSync(behind, stringify({ ...config, clusters }), { mode: 0o600 });
    await this.agentk.start({ "--kubeconfig": behind });
  }

  /** Starts kas with the Redis of its configuration, or without one. */
  async startKas(how: { readonly redis: boolean }): Promise<void> {
    const alone = join(this.sandbox.directory, "run", "kas-alone.yaml");
    if (!how.redis) {
      // The sandbox wrote it.
      const { redis: _, ...configuration } = parse(readFileSync(this.kas.flag("--configuration-file"), "utf8")) as Record<string, unknown>;
      writeFileSync(alone, stringify(configuration), { mode: 0o600 });
    }
    await this.kas.start(how.redis ? {} : { "--configuration-file": alone });
  }

  direct(...args: string[]): Promise<string> {
    return kubectl(this.sandbox.endpoints.kubeconfigs.cluster, args);
  }

  #clone(environment: EnvironmentName): ManifestClone {
    const clone = this.#clones.get(environment);
    if (clone === undefined) throw new Error(`${environment} has no clone`);
    return clone;
  }
}

interface Kubeconfig {
  readonly clusters: readonly {
    readonly name: string;
    readonly cluster: {
      readonly server: string;
      readonly "certificate-authority"?: string;
      readonly "certificate-authority-data"?: string;
    };
  }[];
}

/** The only cluster of a kubeconfig. */
function clusterOf(file: string): Kubeconfig["clusters"][number] {
  const [first] = (parse(readFileSync(file, "utf8")) as Kubeconfig).clusters;
  if (first === undefined) throw new Error("the kubeconfig names no cluster");
  return first;
}
