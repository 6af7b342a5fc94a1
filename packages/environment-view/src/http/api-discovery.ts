import { createHash } from "node:crypto";

import {
  ACCEPT_DISCOVERY,
  ACCEPT_JSON,
  groupVersionPath,
  parseAggregatedDiscovery,
  parseGroupVersions,
  parseResourceList,
  parseStaleGroupVersions,
  preferred,
  type GroupVersion,
  type ResourceKind,
} from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import { KubeClientError, type Discovery } from "../base/kube-client.ts";

/** The plain way costs a request per group version: not more often than this. */
const PLAIN_DISCOVERY_MS = 60_000;

/** A discovery document, or that it is still the one known. */
export type DiscoveryDocument = { readonly value: unknown; readonly text: string; readonly etag: string | undefined } | "unchanged";

/** What discovery works with. */
export interface ApiDiscoveryOptions {
  readonly clock: Clock;
  /** Asks for a document. @throws KubeClientError */
  readonly fetch: (
    ask: { readonly path: string; readonly accept: string; readonly ifNoneMatch?: string },
    signal: AbortSignal,
  ) => Promise<DiscoveryDocument>;
}

interface DiscoveredPart {
  readonly etag: string;
  readonly kinds: readonly ResourceKind[];
}

/**
 * What a server serves: two aggregated documents where it has them (Kubernetes 1.26 and later), one document per group version
 * where it has not. A group whose own server does not answer keeps the kinds it had, and never hides the others.
 */
export class ApiDiscovery {
  readonly #options: ApiDiscoveryOptions;
  readonly #parts = new Map<string, DiscoveredPart>();
  /** Kinds of a group version as last heard, for the plain way. */
  readonly #heard = new Map<string, readonly ResourceKind[]>();
  #plain: { readonly atMs: number; readonly discovery: Discovery } | undefined;

  constructor(options: ApiDiscoveryOptions) {
    this.#options = options;
  }

  /** All kinds; `undefined` when nothing has changed since `etag`. @throws KubeClientError */
  async discover(etag: string | undefined, signal: AbortSignal): Promise<Discovery | undefined> {
    const [core, groups] = await Promise.all([this.#part("/api", signal), this.#part("/apis", signal)]);
    const discovery =
      core && groups
        ? { kinds: [...core.kinds, ...groups.kinds], etag: `${core.etag} ${groups.etag}` }
        : await this.#plainDiscovery(signal);
    return discovery.etag !== undefined && discovery.etag === etag ? undefined : discovery;
  }

  /** One aggregated document; `undefined` from a server that has none. */
  async #part(path: string, signal: AbortSignal): Promise<DiscoveredPart | undefined> {
    const known = this.#parts.get(path);
    const tag = known === undefined ? {} : { ifNoneMatch: known.etag };
    const document = await this.#options.fetch({ path, accept: ACCEPT_DISCOVERY, ...tag }, signal);
    if (document === "unchanged") return known;
    const served = parseAggregatedDiscovery(document.value);
    if (!served) return undefined;
    const stale = parseStaleGroupVersions(document.value);
    const absent = known?.kinds.filter((kind) => stale.some(({ group, version }) => group === kind.group && version === kind.version));
    const kinds = preferred([served, absent ?? []]);
    const part = { kinds, etag: document.etag ?? `"${hashOf(document.text)}"` };
    this.#parts.set(path, part);
    return part;
  }

  async #plainDiscovery(signal: AbortSignal): Promise<Discovery> {
    const { clock } = this.#options;
    if (this.#plain && clock.now() - this.#plain.atMs < PLAIN_DISCOVERY_MS) return this.#plain.discovery;
    const documents = await Promise.all(["/api", "/apis"].map((path) => this.#json(path, signal)));
    const versions = documents.flatMap((document) => parseGroupVersions(document) ?? []);
    const lists = await Promise.all(versions.map((served) => this.#kindsOf(served, signal)));
    const kinds = preferred(lists);
    this.#plain = { atMs: clock.now(), discovery: { kinds, etag: hashOf(JSON.stringify(kinds)) } };
    return this.#plain.discovery;
  }

  async #kindsOf(served: GroupVersion, signal: AbortSignal): Promise<readonly ResourceKind[]> {
    const path = groupVersionPath(served);
    try {
      const kinds = parseResourceList(await this.#json(path, signal), served);
      if (!kinds) return [];
      this.#heard.set(path, kinds);
      return kinds;
    } catch (error) {
      // An aggregated API whose server is down must not hide the others, and its own kinds are still there tomorrow.
      if (error instanceof KubeClientError && error.failure === "api") return this.#heard.get(path) ?? [];
      throw error;
    }
  }

  async #json(path: string, signal: AbortSignal): Promise<unknown> {
    const document = await this.#options.fetch({ path, accept: ACCEPT_JSON }, signal);
    return document === "unchanged" ? undefined : document.value;
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
