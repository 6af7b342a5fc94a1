import { ViewOwnership, type EnvironmentScope, type ViewScope } from "@binnacle/environment-view";
import { words } from "@binnacle/words";

import { valueOf, type Member } from "./delivery.ts";
import { ignoredDrift, projectDrift, type ProjectDrift } from "./drift.ts";
import type { ShownSync } from "./agent-syncs.ts";
import type { ReportedObject } from "./applied-objects.ts";
import type { GitopsSyncs, SyncsAccess } from "./gitops-syncs.ts";

/** Sources of the drift of one environment for one viewer. */
export interface DriftSources {
  readonly gitops: Pick<GitopsSyncs, "appliedObjects">;
  readonly access: SyncsAccess;
  readonly view: Pick<EnvironmentScope, "open">;
  readonly scope: ViewScope;
}

interface Comparison {
  readonly objects: readonly ReportedObject[];
  /** Of what the view shows. */
  readonly version: number;
  readonly drift: ProjectDrift;
}

const NOT_COMPARED: Member<never> = { state: "unknown", why: words("delivery/drift-not-compared") };
const VIEW_STALE = words("delivery/drift-view-stale");
const NOT_REPORTED = words("delivery/drift-not-reported");

/** Which objects of an environment differ from what was applied, while a page is open: the last report beside what the view shows. */
export class FollowedDrift {
  readonly #sources: DriftSources;
  readonly #ownership: ViewOwnership;
  /** By project. */
  readonly #objects = new Map<string, readonly ReportedObject[] | undefined>();
  /** What was compared last, by project. */
  readonly #compared = new Map<string, Comparison>();

  constructor(sources: DriftSources) {
    this.#sources = sources;
    this.#ownership = new ViewOwnership(sources.scope);
  }

  /** Follows the view until `signal` aborts; calls `changed` after each message. */
  async run(changed: () => void, signal: AbortSignal): Promise<void> {
    const subscription = this.#sources.view.open(() => {
      const message = subscription.take();
      if (message === undefined) return;
      const { version } = this.#ownership;
      this.#ownership.apply(message);
      if (this.#ownership.version !== version) changed();
    });
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    subscription.close();
  }

  /** Reads the objects of these syncs, as far as their reports are others than before. Never rejects. */
  async read(syncs: readonly ShownSync[]): Promise<void> {
    const { gitops, access } = this.#sources;
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
    const { connection } = this.#ownership;
    if (!this.#ownership.isComplete || connection === undefined) return { ...NOT_COMPARED, ...(value.length > 0 && { value }) };
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
    const { version } = this.#ownership;
    const before = this.#compared.get(project);
    if (before?.objects === objects && before.version === version) return before.drift;
    const drift = projectDrift(project, objects, this.#ownership.isComplete ? this.#ownership : undefined);
    this.#compared.set(project, { objects, version, drift });
    return drift;
  }
}
