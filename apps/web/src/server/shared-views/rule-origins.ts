import { apiCodeOf, KubeClientError, type KubeClient } from "@binnacle/environment-view";
import { parseArgoCustomizations, parseFluxHealthChecks, type RuleSet, type UserRules } from "@binnacle/health-lua";
import type { KubeObject, ResourceKind } from "@binnacle/kube";
import { Backoff, sleep, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

const FIRST_RETRY_MS = 2_000;
const PAGE_SIZE = 500;
/** More Kustomizations than this are not read: their rules would repeat each other. */
const MAX_PAGES = 10;
/** In so many namespaces they are looked for one by one. */
const MAX_NAMESPACES = 20;

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
  readonly client: Pick<KubeClient, "get" | "list">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Namespace of Argo CD; empty: its ConfigMap is not read. */
  readonly argocdNamespace: string;
  /** Whether `healthCheckExprs` of Flux's Kustomizations are read. */
  readonly flux: boolean;
  /** How often they are read. Rules change rarely: a minute is soon enough. */
  readonly pollMs: number;
  /** Namespaces of environments: there Kustomizations are looked for when the viewer may not list them everywhere. */
  readonly namespaces: () => readonly string[];
}

/** Keeps the health rules that teams have in their cluster up to date: those of Argo CD's ConfigMap and of Flux's Kustomizations. */
export class RuleOrigins {
  readonly #options: RuleOriginsOptions;
  /** Origins in force, with the version they had. */
  readonly #known = new Map<string, string>();
  #wake = new AbortController();
  #isByNamespace = false;
  #isFailing = false;

  constructor(options: RuleOriginsOptions) {
    this.#options = options;
  }

  /** Works until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, pollMs } = this.#options;
    const backoff = new Backoff({ initialMs: Math.min(FIRST_RETRY_MS, pollMs), maxMs: pollMs });
    while (!signal.aborted) {
      const argo = await this.#keep("argocd-cm", () => this.#argo(signal));
      const flux = await this.#keep("flux", () => this.#flux(signal));
      this.#isFailing = !(argo && flux);
      if (!this.#isFailing) backoff.reset();
      const delayMs = this.#isFailing ? backoff.nextMs() : pollMs;
      await sleep(clock, delayMs, AbortSignal.any([signal, this.#wake.signal]));
      this.#wake = new AbortController();
    }
  }

  /** There are other namespaces: they are looked at now. */
  namespacesChanged(): void {
    if (this.#isByNamespace) this.#wake.abort();
  }

  /** Another subscriber has joined, whose credential may carry what the last one could not. */
  wake(): void {
    if (this.#isFailing) this.#wake.abort();
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
      this.#isByNamespace = false;
      return await this.#kustomizations("", signal);
    } catch (error) {
      if (apiCodeOf(error) !== 403) throw error;
      this.#isByNamespace = true;
      return this.#ofNamespaces(signal);
    }
  }

  async #ofNamespaces(signal: AbortSignal): Promise<readonly KubeObject[]> {
    const found: KubeObject[] = [];
    for (const namespace of this.#options.namespaces().slice(0, MAX_NAMESPACES)) {
      try {
        found.push(...(await this.#kustomizations(namespace, signal)));
      } catch (error) {
        if (apiCodeOf(error) !== 403) throw error;
      }
    }
    return found;
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
