import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { findAssets, startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { listAt, listPath, type KubeObject, type ResourceKind } from "@binnacle/kube";

import { apiCodeOf, createHttpsTransport, HttpKubeClient, type HttpsTransport } from "../src/index.ts";
import { kindId } from "../src/scope/kind-plan.ts";
import { planSources } from "../src/sources/source-plan.ts";
import type { ViewScope } from "../src/index.ts";
import type { Versions } from "./witness-client.ts";

/** Where manifests of this world stand. */
export const MANIFESTS: string = fileURLToPath(new URL("manifests", import.meta.url));

/** The namespace under view. */
export const NAMESPACE = "shop";

/** What views of this world show. */
export const SCOPE: ViewScope = { namespaces: [NAMESPACE] };

const PAGE = 500;
const POLL_MS = 50;
/** No state of this world takes longer to come about, also on a busy machine. */
const PATIENCE_MS = 180_000;

/** A real control plane with kwok as its kubelet, and kubectl to move it. */
export class WorldCluster {
  readonly client: HttpKubeClient;
  readonly #dir: string;
  readonly #plane: ControlPlane;
  readonly #transport: HttpsTransport;
  readonly #never = new AbortController().signal;
  /** By kind; of kinds with one name the first that is served. */
  #kinds: ReadonlyMap<string, ResourceKind> = new Map();

  private constructor(dir: string, plane: ControlPlane) {
    this.#dir = dir;
    this.#plane = plane;
    this.#transport = this.connect();
    this.client = new HttpKubeClient(this.#transport);
  }

  static async start(): Promise<WorldCluster> {
    const dir = mkdtempSync(join(tmpdir(), "world-"));
    return new WorldCluster(dir, await startControlPlane({ dir, nodes: 2 }));
  }

  /** A transport of the administrator; the caller closes it. */
  connect(): HttpsTransport {
    const { server, caFile, certFile, keyFile } = this.#plane;
    const [ca, cert, key] = [caFile, certFile, keyFile].map((file) => readFileSync(file, "utf8"));
    return createHttpsTransport({ baseUrl: server, ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) });
  }

  async stop(): Promise<void> {
    this.#transport.close();
    await this.#plane.stop();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  /** Runs kubectl in the namespace under view. @returns what it printed @throws with what it complained about */
  kubectl(...argv: readonly string[]): Promise<string> {
    return this.#run(["--namespace", NAMESPACE, ...argv]);
  }

  /** Applies manifest files of this world by name; they say their namespaces themselves. */
  async apply(...files: readonly string[]): Promise<void> {
    await this.#run(["apply", "--server-side", "--force-conflicts", ...files.flatMap((file) => ["-f", join(MANIFESTS, file)])]);
  }

  /** Waits until every definition is served: a server begins a moment after it says so. */
  async served(): Promise<void> {
    await this.kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=60s");
    const names = (await this.kubectl("get", "crd", "--output=jsonpath={.items[*].metadata.name}")).split(" ");
    await this.#patiently(`not all of ${names.join(", ")} are served`, async () => {
      const there = new Set((await this.kinds()).map(({ group, resource }) => `${resource}.${group}`));
      return names.every((name) => there.has(name));
    });
  }

  /** Says what a controller or a kubelet would say: replaces fields of `status`. */
  async report(object: string, status: unknown): Promise<void> {
    await this.kubectl("patch", object, "--subresource=status", "--type=merge", "-p", JSON.stringify({ status }));
  }

  /** Waits until an object, "Deployment web", is as `isSo` wants it; one that does not exist yet is waited for. */
  async until(title: string, isSo: (object: KubeObject) => boolean): Promise<KubeObject> {
    const [kindName, name = ""] = title.split(" ");
    let last: KubeObject | undefined;
    await this.#patiently(`${title} has not become what is waited for`, async () => {
      const kind = await this.#kindOf(kindName ?? "");
      last = await this.client.get({ kind, namespace: NAMESPACE, name }, this.#never).catch((error: unknown) => {
        if (apiCodeOf(error) !== 404) throw error;
        return undefined;
      });
      return last !== undefined && isSo(last);
    });
    if (last === undefined) throw new Error(`${title} is gone again`);
    return last;
  }

  /** Waits until no object of a kind has these labels. */
  async gone(kindName: string, labelSelector: string): Promise<void> {
    const kind = await this.#kindOf(kindName);
    await this.#patiently(`there is still a ${kindName} with ${labelSelector}`, async () => {
      const list = await this.client.json({ path: listPath(kind, { namespace: NAMESPACE, labelSelector, limit: 1 }) }, this.#never);
      return listAt(list, "items").length === 0;
    });
  }

  /** All kinds that are served and can be listed. */
  async kinds(): Promise<readonly ResourceKind[]> {
    const found = await this.client.discover(undefined, this.#never);
    return (found?.kinds ?? []).filter((kind) => kind.verbs.includes("list"));
  }

  /** All objects of the cluster by "group/resource". */
  async everything(): Promise<ReadonlyMap<string, readonly KubeObject[]>> {
    const lists = (await this.kinds()).map(async (kind) => {
      const { items } = await this.client.list({ kind, namespace: "", limit: PAGE, metadataOnly: false }, this.#never);
      return [kindId(kind), items] as const;
    });
    return new Map(await Promise.all(lists));
  }

  /** Objects of manifest files as they are written there, before the API server fills anything in. */
  async written(...files: readonly string[]): Promise<readonly KubeObject[]> {
    const argv = [
      "create",
      "--dry-run=client",
      "--validate=false",
      "-o",
      "json",
      ...files.flatMap((file) => ["-f", join(MANIFESTS, file)]),
    ];
    const printed = await this.#run(argv);
    // kubectl prints one object after the other.
    return JSON.parse(`[${printed.replaceAll("\n}\n{", "\n},\n{")}]`) as readonly KubeObject[];
  }

  /** Which version of which object there is now, of all kinds that views look at. */
  async versions(): Promise<Versions> {
    const sources = planSources(await this.kinds(), SCOPE);
    const versions = await Promise.all(
      sources.map(async ({ kind, namespace }) => {
        const { items } = await this.client.list({ kind, namespace, limit: PAGE, metadataOnly: true }, this.#never);
        const entries = items.map(({ metadata }) => [metadata.uid ?? "", metadata.resourceVersion ?? ""] as const);
        return [kindId(kind), new Map(entries)] as const;
      }),
    );
    return new Map(versions);
  }

  async #kindOf(name: string): Promise<ResourceKind> {
    if (!this.#kinds.has(name)) this.#kinds = new Map((await this.kinds()).toReversed().map((kind) => [kind.kind, kind]));
    const kind = this.#kinds.get(name);
    if (!kind) throw new Error(`${name} is not served`);
    return kind;
  }

  async #patiently(complaint: string, isSo: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await isSo())) {
      if (Date.now() > deadline) throw new Error(complaint);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  #run(argv: readonly string[]): Promise<string> {
    const args = ["--kubeconfig", this.#plane.kubeconfig, ...argv];
    return new Promise((resolve, reject) => {
      execFile(join(findAssets(), "kubectl"), args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
        if (error) reject(new Error(`kubectl ${argv.join(" ")}: ${stderr}`));
        else resolve(stdout);
      });
    });
  }
}
