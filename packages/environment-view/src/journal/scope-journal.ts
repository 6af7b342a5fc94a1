import { encodeKey, type KubeObject, type ObjectKey } from "@binnacle/kube";
import { type Change, ChangeKind, ChangeSchema } from "@binnacle/proto/dashboard";
import { timeField } from "@binnacle/proto/wire-values";
import { create } from "@bufbuild/protobuf";

import type { ByteBudget } from "../limits/byte-budget.ts";
import type { ViewNames } from "../nodes/view-names.ts";
import type { PlannedSource } from "../sources/source-plan.ts";
import type { Sighting } from "../objects/sighting.ts";
import type { SettledState } from "../stream/view-model.ts";
import type { ChangeReader } from "./change-reader.ts";
import type { ObjectChange } from "./journal-entry.ts";
import { Journal, type JournalPart } from "./journal.ts";

/** Which changes of the journal are requested. */
export interface ChangesRequest {
  /** Only what was heard of then or later, in milliseconds since the epoch. Default: all. */
  readonly sinceMs?: number;
  /** Only changes of this object. */
  readonly of?: ObjectKey;
}

/** Changes of an environment, or of one object. */
export interface ScopeChanges {
  /** Newest first. */
  readonly changes: readonly Change[];
  /** From then on these are all there were, in milliseconds since the epoch; absent: the journal has not begun. */
  readonly sinceMs: number | undefined;
  /** There were earlier ones, which have left for lack of room. */
  readonly isCut: boolean;
}

/** The environment that a journal is of. */
export interface JournalSurroundings {
  readonly reader: ChangeReader;
  /** Its own part. */
  readonly budget: ByteBudget;
  readonly now: () => number;
  /** How the last list of a kind in a namespace ended. */
  readonly settledOf: (planned: PlannedSource) => SettledState | undefined;
  /** Key of what is at the top of the owners of an object. */
  readonly topOf: (key: ObjectKey) => ObjectKey;
  /** Whether the environment shows an object, when it shows only some of its namespaces; absent: it shows all. */
  readonly isShown?: ((key: ObjectKey) => boolean) | undefined;
}

const KINDS = {
  created: ChangeKind.CREATED,
  changed: ChangeKind.CHANGED,
  deleted: ChangeKind.DELETED,
  recreated: ChangeKind.RECREATED,
} as const satisfies Record<ObjectChange["kind"], ChangeKind>;

/**
 * The journal of one environment. It begins for each kind when all of it has been read for the first time, and tells nothing of a kind that
 * may not be read now.
 */
export class ScopeJournal {
  readonly #surroundings: JournalSurroundings;
  readonly #journal: Journal;
  /** Sources whose kind is reported, and since when, by id. */
  readonly #begun = new Map<string, { readonly planned: PlannedSource; readonly sinceMs: number }>();
  #sinceMs: number | undefined;

  constructor(surroundings: JournalSurroundings) {
    this.#surroundings = surroundings;
    this.#journal = new Journal(surroundings.budget);
  }

  /** An object is another now, or is about to go. Call it when the owners of it are known, and before they are forgotten. */
  take(what: "upsert" | "remove", object: KubeObject, sighting: Sighting): void {
    const change = this.#surroundings.reader.read(what, object, sighting);
    if (change) this.#journal.add(change, encodeKey(this.#surroundings.topOf(change.key)));
  }

  /** These are all sources that there are now. @param isComplete all have answered once */
  settle(sources: Iterable<PlannedSource>, isComplete: boolean): void {
    const now = this.#surroundings.now();
    const readable = new Set<string>();
    for (const planned of sources) {
      if (!this.#isReadable(planned)) continue;
      readable.add(planned.id);
      if (!this.#begun.has(planned.id)) this.#begun.set(planned.id, { planned, sinceMs: now });
    }
    const gone = [...this.#begun].filter(([id]) => !readable.has(id));
    for (const [id, { planned }] of gone) {
      this.#begun.delete(id);
      this.#journal.forget((key) => isOf(planned, key));
    }
    if (isComplete) this.#sinceMs ??= now;
  }

  /** The changes that may be shown now. */
  changes(request: ChangesRequest, names: Pick<ViewNames, "ref">): ScopeChanges {
    return request.of === undefined ? this.#all(request, names) : this.#ofObject(request.of, request, names);
  }

  close(): void {
    this.#journal.close();
  }

  #all({ sinceMs = Number.NEGATIVE_INFINITY }: ChangesRequest, names: Pick<ViewNames, "ref">): ScopeChanges {
    const { isShown = () => true } = this.#surroundings;
    const readable = [...this.#begun.values()].filter(({ planned }) => this.#isReadable(planned));
    const byKind = new Map<string, PlannedSource[]>();
    for (const { planned } of readable) {
      const id = `${planned.kind.group}/${planned.kind.kind}`;
      byKind.set(id, [...(byKind.get(id) ?? []), planned]);
    }
    const mayReport = (key: ObjectKey): boolean =>
      byKind.get(`${key.group}/${key.kind}`)?.some((planned) => isOf(planned, key)) === true && isShown(key);
    return changesOf(this.#journal.since(sinceMs), this.#sinceMs, { mayReport, names });
  }

  #ofObject(key: ObjectKey, { sinceMs = Number.NEGATIVE_INFINITY }: ChangesRequest, names: Pick<ViewNames, "ref">): ScopeChanges {
    const begun = [...this.#begun.values()].find(({ planned }) => isOf(planned, key) && this.#isReadable(planned));
    if (begun === undefined || this.#surroundings.isShown?.(key) === false) return { changes: [], sinceMs: undefined, isCut: false };
    const { changes, cutMs } = this.#journal.of(key, encodeKey(this.#surroundings.topOf(key)));
    return changesOf({ changes: changes.filter(({ heardMs }) => heardMs >= sinceMs), cutMs }, begun.sinceMs, {
      mayReport: () => true,
      names,
    });
  }

  /** Of a kind that is loading nothing was reported yet, and of a forbidden one nothing may be. */
  #isReadable(planned: PlannedSource): boolean {
    const settled = this.#surroundings.settledOf(planned);
    return settled === "live" || settled === "truncated";
  }
}

function changesOf(
  { changes, cutMs }: JournalPart,
  begunMs: number | undefined,
  { mayReport, names }: { readonly mayReport: (key: ObjectKey) => boolean; readonly names: Pick<ViewNames, "ref"> },
): ScopeChanges {
  const isCut = cutMs !== undefined;
  return {
    changes: changes.filter(({ key }) => mayReport(key)).map((change) => changeMessage(change, names)),
    // Of the moment in which something was cut there may have been more.
    sinceMs: begunMs === undefined || cutMs === undefined ? begunMs : Math.max(begunMs, cutMs + 1),
    isCut,
  };
}

function isOf({ kind, namespace }: PlannedSource, key: ObjectKey): boolean {
  return kind.group === key.group && kind.kind === key.kind && (namespace === "" || namespace === key.namespace);
}

/** A change as it is sent: without its hashes. */
function changeMessage(change: ObjectChange, names: Pick<ViewNames, "ref">): Change {
  const { key, version, kind, atMs, isArrival, manager, subresource, isAfterGap, fields, moreFields, count, uid, versions } = change;
  return create(ChangeSchema, {
    ref: names.ref({ ...key, version }),
    kind: KINDS[kind],
    ...timeField("at", atMs),
    atIsArrival: isArrival,
    manager,
    subresource,
    afterGap: isAfterGap,
    fields: fields.map(({ path, before, after, hidden }) => ({
      path,
      hidden,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    })),
    moreFields,
    count,
    uid,
    resourceVersions: [...versions],
  });
}
