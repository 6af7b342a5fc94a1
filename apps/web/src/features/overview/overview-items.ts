import type { EnvironmentRow } from "@binnacle/proto/dashboard";
import { millisOf } from "../../ui/format-time.ts";
import { needsAttention } from "@binnacle/presentation/environments/index-words";
import { knowledgeOf, type RowKnowledge, type StreamStanding } from "@binnacle/presentation/environments/row-knowledge";
import { byHarm, isForbidden, isOutside, statusOfRow, type RowStatus } from "@binnacle/presentation/environments/row-order";
import type { OverviewState } from "./overview-state.ts";

const DAY_MS = 24 * 3_600_000;
/** Deployments are not followed by the second. */
const CHANGED_STEP_MS = 60_000;

/** An environment of the overview, with what it is filtered, grouped and sorted by. */
export interface OverviewItem {
  readonly id: string;
  readonly row: EnvironmentRow;
  readonly projectPath: string;
  readonly name: string;
  readonly status: RowStatus;
  readonly isAttention: boolean;
  /** It, or what is deployed to it, changed within a day. */
  readonly isChanged: boolean;
  /** Its cluster may be seen by the viewer. */
  readonly isVisible: boolean;
  /** In small letters, what a search looks at. */
  readonly text: string;
}

/** What is shown of the overview. */
export interface OverviewFilter {
  readonly q: string;
  readonly status: RowStatus | undefined;
  readonly only: "attention" | "changed" | undefined;
}

/** Numbers of the overview; none of them counts what is not known. */
export interface OverviewNumbers {
  readonly all: number;
  readonly visible: number;
  readonly known: number;
  readonly attention: number;
  readonly changed: number;
  readonly byStatus: ReadonlyMap<RowStatus, number>;
}

/** Since when a change is a new one: a day ago, in steps of a minute. Milliseconds since the epoch. */
export function changedSinceMs(nowMs: number): number {
  return Math.floor(nowMs / CHANGED_STEP_MS) * CHANGED_STEP_MS - DAY_MS;
}

/** All environments, most harm first. @param sinceMs as of `changedSinceMs` */
export function itemsOf(rows: OverviewState["rows"], sinceMs: number): readonly OverviewItem[] {
  return [...rows].map(([id, row]) => cachedItem(id, row, sinceMs)).toSorted((left, right) => byHarm(left.row, right.row));
}

/** A message changes few rows: of the others the items are those of before. */
const CACHED = new WeakMap<EnvironmentRow, { readonly sinceMs: number; readonly item: OverviewItem }>();

function cachedItem(id: string, row: EnvironmentRow, sinceMs: number): OverviewItem {
  const cached = CACHED.get(row);
  if (cached?.sinceMs === sinceMs && cached.item.id === id) return cached.item;
  const item = itemOf(id, row, sinceMs);
  CACHED.set(row, { sinceMs, item });
  return item;
}

function itemOf(id: string, row: EnvironmentRow, sinceMs: number): OverviewItem {
  const { environment } = row;
  const deployment = environment?.delivery?.lastDeployment?.value;
  const [projectPath, name] = [environment?.projectPath ?? "", environment?.name ?? ""];
  const times = [row.lastChange, deployment?.at].flatMap((time) => (time === undefined ? [] : [millisOf(time)]));
  const versions = [deployment?.sha, deployment?.ref, ...row.images.map(({ image }) => image)];
  const text = [projectPath, name, environment?.tier, environment?.agentName, environment?.namespace, ...versions];
  return {
    id,
    row,
    projectPath,
    name,
    status: statusOfRow(row),
    isAttention: !isForbidden(row) && needsAttention(row),
    isChanged: times.some((ms) => ms >= sinceMs),
    isVisible: !isOutside(row),
    text: text.join("\n").toLowerCase(),
  };
}

/** Those that a filter leaves. Every word that is searched for must be found. */
export function filteredItems(items: readonly OverviewItem[], { q, status, only }: OverviewFilter): readonly OverviewItem[] {
  const wanted = q.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(
    (item) =>
      (status === undefined || item.status === status) &&
      (only === undefined || (only === "attention" ? item.isAttention : item.isChanged)) &&
      wanted.every((word) => item.text.includes(word)),
  );
}

/** Numbers of these environments. */
export function numbersOf(items: readonly OverviewItem[]): OverviewNumbers {
  const byStatus = new Map<RowStatus, number>();
  for (const { status } of items) byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  const count = (is: (item: OverviewItem) => boolean): number => items.filter(is).length;
  return {
    all: items.length,
    visible: count(({ isVisible }) => isVisible),
    known: count(({ row, isVisible }) => row.health !== undefined || row.problem !== undefined || !isVisible),
    attention: count(({ isAttention }) => isAttention),
    changed: count(({ isChanged }) => isChanged),
    byStatus,
  };
}

/** How well an environment is known now. */
export function knowledgeOfItem(
  { id, row }: Pick<OverviewItem, "id" | "row">,
  standing: Omit<StreamStanding, "kept">,
  kept: OverviewState["kept"],
): RowKnowledge {
  const sinceMs = kept.get(id);
  return knowledgeOf(row, { ...standing, kept: sinceMs === undefined ? NOT_KEPT : new Map([[row.environment?.name ?? "", sinceMs]]) });
}

const NOT_KEPT: ReadonlyMap<string, number> = new Map();
