import { openOwnership, type EnvironmentScope, type OpenOwnership } from "@binnacle/environment-view";
import { words } from "@binnacle/words";

import { valueOf, type Member } from "./delivery.ts";
import { ignoredDrift, projectDrift, type ProjectDrift } from "./drift.ts";
import type { ShownSync } from "./agent-syncs.ts";
import type { ReportedObject } from "../syncs/applied-objects.ts";
import type { GitopsSyncs, SyncsAccess } from "../syncs/gitops-syncs.ts";

/** Sources of the drift of one environment for one viewer. */
export interface DriftSources {
  readonly gitops: Pick<GitopsSyncs, "appliedObjects">;
  readonly access: SyncsAccess;
  readonly view: Pick<EnvironmentScope, "open" | "scope">;
}

interface Comparison {
  readonly objects: readonly ReportedObject[];
  /** Of what the view shows; undefined: it is not open. */
  readonly version: number | undefined;
  readonly drift: ProjectDrift;
}

const NOT_COMPARED: Member<never> = { state: "unknown", why: words("delivery/drift-not-compared") };
const VIEW_STALE = words("delivery/drift-view-stale");
const NOT_REPORTED = words("delivery/drift-not-reported");

/** Which objects of an environment differ from what was applied, while a page is open: the last report beside what the view shows. */
export class FollowedDrift {
  readonly #sources: DriftSources;
  /** By project. */
  readonly #objects = new Map<string, readonly ReportedObject[] | undefined>();
  /** What was compared last, by project. */
  readonly #compared = new Map<string, Comparison>();

  /** What the view shows; absent until a sync is compared with it, which in most environments none is. */
  #view: OpenOwnership | undefined;
  #changed: (() => void) | undefined;

  constructor(sources: DriftSources) {
    this.#sources = sources;
  }

  /** Compares with the view until it is closed; `changed` is called when the view shows what may change the drift. */
  follow(changed: () => void): void {
    this.#changed = changed;
  }

  close(): void {
    this.#changed = undefined;
    this.#view?.close();
    this.#view = undefined;
  }

  /** Reads the objects of these syncs, as far as their reports are others than before. Never rejects. */
  async read(syncs: readonly ShownSync[]): Promise<void> {
    const { gitops, access, view } = this.#sources;
    if (this.#changed && syncs.some(({ isDriftIgnored }) => !isDriftIgnored)) this.#view ??= openOwnership(view, this.#changed);
    await Promise.all(
      syncs.map(async (of) => {
        const objects = of.isDriftIgnored ? [] : await gitops.appliedObjects(access, of);
        this.#objects.set(of.project, objects ?? this.#objects.get(of.project));
      }),
    );
  }

  /** The drift, by what is known of the syncs. */
  now(syncs: Member<readonly ShownSync[]> | undefined): Member<readonly ProjectDrift[]> {
    if (syncs === undefined) return NOT_COMPARED;
    if (syncs.state === "forbidden" || syncs.state === "none") return syncs;
    const list = valueOf(syncs) ?? [];
    const value = list.flatMap(({ project, isDriftIgnored }) => (isDriftIgnored ? ignoredDrift(project) : (this.#driftOf(project) ?? [])));
    if (list.every(({ isDriftIgnored }) => isDriftIgnored))
      return syncs.state === "unknown" ? { ...syncs, value } : { state: "known", value };
    const connection = this.#view?.ownership.connection;
    if (this.#view?.ownership.isComplete !== true || connection === undefined)
      return { ...NOT_COMPARED, ...(value.length > 0 && { value }) };
    if (connection.state !== "connected")
      return { state: "unknown", value, asOfMs: connection.sinceMs, sinceMs: connection.sinceMs, why: VIEW_STALE };
    if (syncs.state === "unknown") return { ...syncs, value };
    const isReported = value.length === list.length && value.every(({ isIgnored, compared }) => isIgnored || compared > 0);
    if (!isReported) return { state: "unknown", value, why: NOT_REPORTED };
    return { state: "known", value };
  }

  /** Compared again when the report or what the view shows of it has changed: views tell of much else. */
  #driftOf(project: string): ProjectDrift | undefined {
    const objects = this.#objects.get(project);
    if (objects === undefined) return undefined;
    const ownership = this.#view?.ownership;
    const version = ownership?.version;
    const before = this.#compared.get(project);
    if (before?.objects === objects && before.version === version) return before.drift;
    const drift = projectDrift(project, objects, ownership?.isComplete === true ? ownership : undefined);
    this.#compared.set(project, { objects, version, drift });
    return drift;
  }
}
