import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  type ActionKind,
  type ActionParameters,
  type ActRequest,
  type ActResponse,
  type Dashboard,
  type PreviewActionResponse,
  type ResourceRef,
} from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { systemClock, type Clock } from "@binnacle/rpc";
import { renderEnglish } from "@binnacle/words/render-english";
import type { Client } from "@connectrpc/connect";

import { ClusterBehindKas } from "./cluster-behind-kas.ts";
import { NAMES } from "./dashboard-tab.ts";
import { DashboardWorld } from "./dashboard-world.ts";

/** Namespace of the environment that actions are tested in. */
export const NAMESPACE = "prod";

/** An action with its parameters. */
export interface RequestedAction {
  readonly kind: ActionKind;
  readonly parameters?: Partial<Omit<ActionParameters, "$typeName">>;
  /** Fields of the request; default: an id of its preview and no typed name. */
  readonly request?: Partial<Pick<ActRequest, "requestId" | "typedName">>;
}

/** The kinds of cluster that actions are tested on: a name, and how one is started in a directory. */
export const CLUSTERS: readonly (readonly [string, (dir: string) => Promise<ClusterBehindKas>])[] = [
  ["the embedded cluster", (dir) => ClusterBehindKas.embedded(dir)],
  ["a real control plane", (dir) => ClusterBehindKas.real(dir)],
];

/** A resource of the cluster, as the dashboard names it, with its path at the API server. */
export interface BenchObject {
  readonly path: string;
  readonly target: typeof NAMES & { readonly ref: Omit<ResourceRef, "$typeName"> };
  /** As the API server has it. */
  readonly read: () => Promise<Record<string, unknown>>;
}

/** A dashboard before a cluster, for one maintainer who performs actions; the cluster is shared by the tests of a file. */
export class ActionBench {
  readonly cluster: ClusterBehindKas;
  readonly #dir: string;
  #world: DashboardWorld | undefined;
  readonly #requestIds = new WeakMap<PreviewActionResponse, string>();
  #begin = (): void => undefined;
  #serial = 0;

  private constructor(dir: string, cluster: ClusterBehindKas) {
    this.#dir = dir;
    this.cluster = cluster;
  }

  static async start(start: (dir: string) => Promise<ClusterBehindKas>): Promise<ActionBench> {
    const dir = mkdtempSync(join(tmpdir(), "actions-"));
    const cluster = await start(join(dir, "cluster"));
    const namespaces = "/api/v1/namespaces";
    // No controller runs beside a real API server here. Those of the embedded cluster would change revisions and statuses beneath a test.
    const metadata = { name: NAMESPACE, annotations: { "bench.kas/still": "true" } };
    await cluster.send("POST", namespaces, { body: { apiVersion: "v1", kind: "Namespace", metadata } });
    // Pods need one; the embedded cluster creates it by itself.
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } };
    await cluster.send("POST", `${namespaces}/${NAMESPACE}/serviceaccounts`, { body: account }).catch((error: unknown) => {
      if (!String(error).includes("AlreadyExists")) throw error;
    });
    return new ActionBench(dir, cluster);
  }

  async stop(): Promise<void> {
    await this.cluster.stop();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  /** A dashboard for one test. */
  async open(options: Parameters<DashboardWorld["start"]>[1] = {}, clock: Clock = systemClock): Promise<void> {
    this.#world = await DashboardWorld.open(["maintainer"]);
    this.#world.kas.cluster = this.cluster.forward;
    this.#begin = () => this.world.start(clock, options);
    this.#begin();
    this.cluster.intercept = undefined;
  }

  /** The dashboard ends, and another process takes its place: it has performed nothing yet. */
  async restart(): Promise<void> {
    await this.world.bff.close();
    this.#begin();
  }

  async close(): Promise<void> {
    await this.#world?.close();
  }

  get world(): DashboardWorld {
    if (this.#world === undefined) throw new Error("the bench is not open");
    return this.#world;
  }

  get dashboard(): Client<typeof Dashboard> {
    return this.world.clientWith();
  }

  /** Creates an object. @param resource "apps/deployments" @param content its fields beside the name */
  async create(resource: string, kind: string, content: object): Promise<BenchObject> {
    return this.createOf({ resource, kind, version: resource.startsWith("autoscaling/") ? "v2" : "v1" }, content);
  }

  /** The same in a version. */
  async createOf(
    { resource, kind, version }: { readonly resource: string; readonly kind: string; readonly version: string },
    content: object,
  ): Promise<BenchObject> {
    this.#serial += 1;
    const [group = "", plural = ""] = resource.split("/");
    const path = `${group === "" ? "/api/v1" : `/apis/${group}/${version}`}/namespaces/${NAMESPACE}/${plural}`;
    const { metadata = {}, ...rest }: { readonly metadata?: object } = content;
    const name = `web-${this.#serial}`;
    const apiVersion = group === "" ? "v1" : `${group}/${version}`;
    await this.cluster.send("POST", path, { body: { apiVersion, kind, metadata: { ...metadata, name }, ...rest } });
    const ref = { group, version, kind, resource: plural, namespace: NAMESPACE, name };
    return { path: `${path}/${name}`, target: { ...NAMES, ref }, read: () => this.cluster.send("GET", `${path}/${name}`) };
  }

  preview(target: BenchObject["target"], { kind, parameters = {}, request }: RequestedAction): Promise<PreviewActionResponse> {
    return this.dashboard.previewAction({ target, kind, parameters, requestId: request?.requestId ?? "" });
  }

  /** Performs what a preview has shown. */
  perform(
    target: BenchObject["target"],
    { kind, parameters = {}, request: more = {} }: RequestedAction,
    shown: PreviewActionResponse,
  ): Promise<ActResponse> {
    const { uid, requestedAt, field } = shown;
    const requestId = this.#requestIds.get(shown) ?? randomUUID();
    this.#requestIds.set(shown, requestId);
    const expected = field?.before;
    const request = {
      target,
      kind,
      parameters,
      uid,
      requestId,
      planned: field?.after ?? "",
      ...more,
      ...(requestedAt && { requestedAt }),
    };
    return this.dashboard.act({ ...request, ...(expected !== undefined && { expected }) });
  }
}

/** A message in English. */
export function sentenceOf(words: ActResponse["words"]): string {
  return words ? renderEnglish(fromWordsMessage(words)) : "";
}

/** The specification of a pod with two containers. */
export function podSpec(image = "example/web:1"): object {
  return {
    containers: [
      { name: "side", image: "example/side:1" },
      { name: "web", image },
    ],
  };
}

/** The specification of a workload with that pod. @param metadata of its pod template */
export function workloadSpec(spec: object = {}, metadata: object = {}, image?: string): object {
  const labels = { app: "web" };
  return { selector: { matchLabels: labels }, template: { metadata: { labels, ...metadata }, spec: podSpec(image) }, ...spec };
}

/** The specification of an object. */
export function specOf(object: Readonly<Record<string, unknown>>): object {
  // Every workload has one.
  return object["spec"] as object;
}
