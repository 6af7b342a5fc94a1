import { apiCodeOf, KubeClientError, type KubeClient } from "@binnacle/environment-view";
import { parseArgoCustomizations, parseFluxHealthChecks, type RuleSet, type UserRules } from "@binnacle/health-lua";
import type { KubeObject, ResourceKind } from "@binnacle/kube";
import { Backoff, sleep, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

/** Rules change rarely; a minute later is soon enough. */
const INTERVAL_MS = 60_000;
const FIRST_RETRY_MS = 2_000;
const PAGE_SIZE = 500;
/** More Kustomizations than this are not read: their rules would repeat each other. */
const MAX_PAGES = 10;

const CONFIG_MAPS = namespacedKind({ group: "", version: "v1", resource: "configmaps", kind: "ConfigMap" });
const KUSTOMIZATIONS = namespacedKind({
  group: "kustomize.toolkit.fluxcd.io",
  version: "v1",
  resource: "kustomizations",
  kind: "Kustomization",
});

/** What the origins work with. */
export interface RuleOriginsOptions {
  readonly rules: UserRules;
  /** Reads as the viewer: what he may not read is not in force for him. */
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** Namespace of Argo CD; empty: its ConfigMap is not read. */
  readonly argocdNamespace: string;
  /** Whether `healthCheckExprs` of Flux's Kustomizations are read. */
  readonly flux: boolean;
  /** Namespace of the environment: there Kustomizations are looked for when the viewer may not list them everywhere. */
  readonly namespace: string;
}

/** Keeps the health rules that teams have in their cluster up to date: those of Argo CD's ConfigMap and of Flux's Kustomizations. */
export class RuleOrigins {
  readonly #options: RuleOriginsOptions;
  /** Origins in force, with the version they had. */
  readonly #known = new Map<string, string>();

  constructor(options: RuleOriginsOptions) {
    this.#options = options;
  }

  /** Works until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff({ initialMs: FIRST_RETRY_MS, maxMs: INTERVAL_MS });
    while (!signal.aborted) {
      const argo = await this.#keep("argocd-cm", () => this.#argo(signal));
      const flux = await this.#keep("flux", () => this.#flux(signal));
      if (argo && flux) backoff.reset();
      await sleep(this.#options.clock, argo && flux ? INTERVAL_MS : backoff.nextMs(), signal);
    }
  }

  /** What cannot be read now stays as it was; what is not there, or not for this viewer, is no longer in force. @returns whether it was read */
  async #keep(origin: RuleSet["origin"], read: () => Promise<readonly KubeObject[]>): Promise<boolean> {
    try {
      this.#put(origin, await read());
    } catch (error) {
      const code = apiCodeOf(error);
      if (code === 403 || code === 404) this.#put(origin, []);
      else if (error instanceof KubeClientError) return false;
      else throw error;
    }
    return true;
  }

  #put(origin: RuleSet["origin"], objects: readonly KubeObject[]): void {
    const { rules, log } = this.#options;
    const now = new Map(objects.map((object) => [`${origin} ${object.metadata.namespace}/${object.metadata.name}`, object]));
    for (const id of this.#known.keys()) {
      if (!id.startsWith(`${origin} `) || now.has(id)) continue;
      this.#known.delete(id);
      rules.setOrigin(id, undefined);
    }
    for (const [id, object] of now) {
      const { uid = "", resourceVersion = "" } = object.metadata;
      const version = `${uid} ${resourceVersion}`;
      if (this.#known.get(id) === version) continue;
      this.#known.set(id, version);
      const set = origin === "flux" ? parseFluxHealthChecks(object) : parseArgoCustomizations(object);
      rules.setOrigin(id, set);
      for (const problem of set.problems) log.info({ reason: problem }, "a health rule of the cluster cannot be used");
    }
  }

  async #argo(signal: AbortSignal): Promise<readonly KubeObject[]> {
    const { client, argocdNamespace } = this.#options;
    if (argocdNamespace === "") return [];
    return [await client.get({ kind: CONFIG_MAPS, namespace: argocdNamespace, name: "argocd-cm" }, signal)];
  }

  async #flux(signal: AbortSignal): Promise<readonly KubeObject[]> {
    if (!this.#options.flux) return [];
    try {
      return await this.#kustomizations("", signal);
    } catch (error) {
      if (apiCodeOf(error) !== 403 || this.#options.namespace === "") throw error;
      return this.#kustomizations(this.#options.namespace, signal);
    }
  }

  async #kustomizations(namespace: string, signal: AbortSignal): Promise<readonly KubeObject[]> {
    const found: KubeObject[] = [];
    let continueToken: string | undefined;
    for (let page = 0; page < MAX_PAGES && continueToken !== ""; page += 1) {
      const rest: { continueToken?: string } = continueToken === undefined ? {} : { continueToken };
      const request = { kind: KUSTOMIZATIONS, namespace, limit: PAGE_SIZE, metadataOnly: false, ...rest };
      const list = await this.#options.client.list(request, signal);
      found.push(...list.items);
      ({ continueToken } = list);
    }
    return found;
  }
}

function namespacedKind(of: Pick<ResourceKind, "group" | "version" | "resource" | "kind">): ResourceKind {
  return { ...of, namespaced: true, verbs: ["get", "list"], subresources: [], shortNames: [] };
}
