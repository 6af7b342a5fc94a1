import { Backoff, Fault, sleep, systemClock } from "@binnacle/rpc";

import { messageOf, type KubeHttp, type KubeReply } from "./kube-http.ts";
import type { Manifest } from "./manifest.ts";

const GIVE_UP_MS = 60_000;
const FIELD_MANAGER = "binnacle-sandbox";

/** Applies manifests server-side, one after the other. */
export class ManifestApplier {
  readonly #http: KubeHttp;
  readonly #signal: AbortSignal;
  readonly #paths = new Map<string, ReadonlyMap<string, string>>();

  constructor(http: KubeHttp, signal: AbortSignal) {
    this.#http = http;
    this.#signal = signal;
  }

  /**
   * Applies them in order; what is not there yet (a CRD's new kind, a namespace's service account) is tried again for a minute.
   *
   * @throws Fault `cluster_unavailable` that names the object and the answer of the API
   */
  async apply(manifests: readonly Manifest[]): Promise<void> {
    for (const manifest of manifests) {
      await this.#untilDone(manifest, () => this.#applyObject(manifest));
      if (manifest.status !== undefined) await this.#untilDone(manifest, () => this.#applyStatus(manifest));
    }
  }

  /** Writes the status of objects that another client applies; waits for a missing one as `apply` does. */
  async applyStatus(manifests: readonly Manifest[]): Promise<void> {
    for (const manifest of manifests) await this.#untilDone(manifest, () => this.#applyStatus(manifest));
  }

  /** Those of the objects that are not there. */
  async missing(manifests: readonly Manifest[]): Promise<readonly Manifest[]> {
    const there = await Promise.all(
      manifests.map(async (manifest) => (await this.#http.send({ method: "GET", path: await this.#pathOf(manifest) })).status === 200),
    );
    return manifests.filter((_manifest, index) => there[index] !== true);
  }

  async #untilDone(manifest: Manifest, attempt: () => Promise<KubeReply>): Promise<void> {
    const backoff = new Backoff({ initialMs: 100, maxMs: 2_000 });
    const deadline = systemClock.now() + GIVE_UP_MS;
    for (;;) {
      const failure = await attempt().then(
        (reply) => (reply.status < 300 ? undefined : { text: messageOf(reply), final: reply.status === 400 || reply.status === 422 }),
        (error: unknown) => ({ text: String(error), final: false }),
      );
      if (failure === undefined) return;
      this.#signal.throwIfAborted();
      if (failure.final || systemClock.now() > deadline) {
        throw new Fault(
          "cluster_unavailable",
          `cannot apply ${manifest.kind} ${manifest.namespace ?? ""}/${manifest.name}: ${failure.text}`,
        );
      }
      await sleep(systemClock, backoff.nextMs(), this.#signal);
    }
  }

  async #applyObject(manifest: Manifest): Promise<KubeReply> {
    const path = `${await this.#pathOf(manifest)}?fieldManager=${FIELD_MANAGER}&force=true`;
    return this.#http.send({ method: "PATCH", path, body: manifest.object, contentType: "application/apply-patch+yaml" });
  }

  async #applyStatus(manifest: Manifest): Promise<KubeReply> {
    const path = `${await this.#pathOf(manifest)}/status?fieldManager=${FIELD_MANAGER}`;
    return this.#http.send({ method: "PATCH", path, body: { status: manifest.status }, contentType: "application/merge-patch+json" });
  }

  async #pathOf(manifest: Manifest): Promise<string> {
    const base = manifest.apiVersion.includes("/") ? `/apis/${manifest.apiVersion}` : `/api/${manifest.apiVersion}`;
    const resource = (await this.#resources(base, manifest.kind)).get(manifest.kind);
    if (resource === undefined) throw new Error(`${base} does not serve the kind ${manifest.kind}`);
    const namespace = manifest.namespace === undefined ? "" : `/namespaces/${manifest.namespace}`;
    return `${base}${namespace}/${resource}/${manifest.name}`;
  }

  /** Kind → resource name of a group version; read again while a kind is missing. */
  async #resources(base: string, kind: string): Promise<ReadonlyMap<string, string>> {
    const known = this.#paths.get(base);
    if (known?.has(kind) === true) return known;
    const reply = await this.#http.send({ method: "GET", path: base });
    const list: unknown = typeof reply.body === "object" && reply.body !== null ? Reflect.get(reply.body, "resources") : undefined;
    const found = new Map<string, string>();
    for (const item of Array.isArray(list) ? list : []) {
      const entry: unknown = item;
      if (typeof entry !== "object" || entry === null) continue;
      const [name, itsKind]: unknown[] = [Reflect.get(entry, "name"), Reflect.get(entry, "kind")];
      if (typeof name === "string" && typeof itsKind === "string" && !name.includes("/")) found.set(itsKind, name);
    }
    this.#paths.set(base, found);
    return found;
  }
}
