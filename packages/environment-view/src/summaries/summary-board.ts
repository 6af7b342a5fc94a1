import { isDeepStrictEqual } from "node:util";

import type { ViewConnection } from "../stream/view-model.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import { scopeKeyOf, type Summary, type SummaryChange, type SummaryFacts, type SummaryGap, type SummaryRequest } from "./summary-source.ts";

const NOT_LOOKED_AT: SummaryGap = { kind: "not_looked_at" };

/** One consumer: what it wants, and what it has not received. Only the board changes it. */
export class BoardReader {
  readonly ready: () => void;
  wanted: ReadonlyMap<string, ViewScope> = new Map();
  visible: ReadonlySet<string> = new Set();
  readonly changed = new Set<string>();
  readonly seen = new Set<string>();
  connection = true;
  #announced = false;

  constructor(ready: () => void) {
    this.ready = ready;
  }

  announce(): void {
    if (this.#announced) return;
    this.#announced = true;
    queueMicrotask(this.ready);
  }

  taken(): void {
    this.changed.clear();
    this.seen.clear();
    this.connection = false;
    this.#announced = false;
  }

  isDirty(): boolean {
    return this.connection || this.changed.size > 0 || this.seen.size > 0;
  }
}

/** The last summary of every scope that is wanted, and its readers. A slow reader costs a set of names, never a queue. */
export class SummaryBoard {
  readonly #summaries = new Map<string, Summary>();
  readonly #readers = new Set<BoardReader>();
  readonly #wantedChanged: () => void;
  readonly #forgotten: (summary: Summary) => void;
  #connection: ViewConnection;

  /**
   * @param wantedChanged other scopes are wanted, or others are on a screen
   * @param forgotten called with a summary that is dropped because no reader wants it any more
   */
  constructor(connection: ViewConnection, wantedChanged: () => void, forgotten: (summary: Summary) => void = () => undefined) {
    this.#connection = connection;
    this.#forgotten = forgotten;
    this.#wantedChanged = wantedChanged;
  }

  /** All scopes that are wanted, by key. */
  wanted(): ReadonlyMap<string, ViewScope> {
    const wanted = new Map<string, ViewScope>();
    for (const reader of this.#readers) for (const [key, scope] of reader.wanted) wanted.set(key, scope);
    return wanted;
  }

  /** Keys of scopes on a screen. */
  visible(): ReadonlySet<string> {
    const visible = new Set<string>();
    for (const reader of this.#readers) for (const key of reader.visible) visible.add(key);
    return visible;
  }

  /** The summary with this key; also for scopes that are not wanted any more, until `prune`. */
  of(key: string): Summary | undefined {
    return this.#summaries.get(key);
  }

  /** All that stand there. */
  all(): readonly Summary[] {
    return [...this.#summaries.values()];
  }

  add(request: SummaryRequest, ready: () => void): BoardReader {
    const reader = new BoardReader(ready);
    this.#readers.add(reader);
    this.want(reader, request);
    return reader;
  }

  want(reader: BoardReader, { scopes, visible = [] }: SummaryRequest): void {
    const before = reader.wanted;
    reader.wanted = new Map(scopes.map((scope) => [scopeKeyOf(scope), scope]));
    reader.visible = new Set(visible.map(scopeKeyOf).filter((key) => reader.wanted.has(key)));
    for (const key of reader.wanted.keys()) if (!before.has(key)) reader.changed.add(key);
    for (const key of before.keys()) {
      if (reader.wanted.has(key)) continue;
      reader.changed.delete(key);
      reader.seen.delete(key);
    }
    this.#wantedChanged();
    if (reader.isDirty()) reader.announce();
  }

  remove(reader: BoardReader): void {
    this.#readers.delete(reader);
    this.#wantedChanged();
  }

  take(reader: BoardReader): SummaryChange | undefined {
    if (!reader.isDirty()) return undefined;
    const summaries = [...reader.changed].flatMap((key) => {
      const scope = reader.wanted.get(key);
      return scope === undefined ? [] : [this.#summaries.get(key) ?? { scope, gap: NOT_LOOKED_AT }];
    });
    const seen = new Map<number, ViewScope[]>();
    for (const key of reader.seen) {
      const [scope, asOfMs] = [reader.wanted.get(key), this.#summaries.get(key)?.known?.asOfMs];
      if (scope === undefined || asOfMs === undefined) continue;
      const scopes = seen.get(asOfMs) ?? [];
      scopes.push(scope);
      seen.set(asOfMs, scopes);
    }
    const connection = reader.connection ? { connection: this.#connection } : {};
    reader.taken();
    return { summaries, seen: [...seen].map(([asOfMs, scopes]) => ({ asOfMs, scopes })), ...connection };
  }

  /** A look has brought this. */
  put(summary: Summary): void {
    const key = scopeKeyOf(summary.scope);
    const before = this.#summaries.get(key);
    this.#summaries.set(key, summary);
    const quiet = before !== undefined && isDeepStrictEqual(timeless(before), timeless(summary));
    if (quiet && before.known?.asOfMs === summary.known?.asOfMs) return;
    for (const reader of this.#readers) {
      if (!reader.wanted.has(key) || reader.changed.has(key)) continue;
      (quiet ? reader.seen : reader.changed).add(key);
      if (!quiet) reader.seen.delete(key);
    }
  }

  /** What was known last stays, but for what may no longer be known, and beside it stands why nothing newer is. */
  miss(scope: ViewScope, gap: SummaryGap): void {
    const known = gap.kind === "forbidden" ? undefined : this.#summaries.get(scopeKeyOf(scope))?.known;
    this.put({ scope, ...(known === undefined ? {} : { known }), gap });
  }

  setConnection(connection: ViewConnection): void {
    if (isDeepStrictEqual(connection, this.#connection)) return;
    this.#connection = connection;
    for (const reader of this.#readers) reader.connection = true;
    this.announce();
  }

  /** Tells all who have something to take. */
  announce(): void {
    for (const reader of this.#readers) if (reader.isDirty()) reader.announce();
  }

  /** Drops the scopes that are not wanted. */
  prune(): void {
    const wanted = this.wanted();
    for (const [key, summary] of this.#summaries) {
      if (wanted.has(key)) continue;
      this.#summaries.delete(key);
      this.#forgotten(summary);
    }
  }
}

/** A summary without the time of the look. */
function timeless({ known, gap }: Summary): { known: Omit<SummaryFacts, "asOfMs"> | undefined; gap: Summary["gap"] } {
  if (known === undefined) return { known: undefined, gap };
  const { asOfMs: _asOfMs, ...rest } = known;
  return { known: rest, gap };
}
