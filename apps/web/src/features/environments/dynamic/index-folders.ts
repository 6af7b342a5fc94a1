import type { EnvironmentRow } from "@binnacle/proto/dashboard";
import { millisOf } from "../../../ui/format-time.ts";
import type { KnownRow } from "@binnacle/presentation/environments/index-words";
import { isForbidden, nameOf, NOT_KNOWN_YET, statusOfRow, type RowStatus } from "@binnacle/presentation/environments/row-order";

/** One row of the table: an environment, or the folder of several. */
export type IndexEntry =
  | { readonly kind: "row"; readonly known: KnownRow; /** It stands below the row of its folder. */ readonly isInFolder: boolean }
  | { readonly kind: "folder"; readonly folder: IndexFolder };

/** Environments whose names begin alike: `review/a` and `review/b`. */
export interface IndexFolder {
  /** "review" */
  readonly name: string;
  /** Those that the filters leave, in the order of the table. */
  readonly members: readonly KnownRow[];
  /** How many there are without filters. */
  readonly size: number;
  readonly isOpen: boolean;
}

/** The folder of an environment: the first part of a name of several (GitLab: `environment_type`); `undefined` when it has one. */
export function folderOf(name: string): string | undefined {
  const end = name.indexOf("/");
  return end < 0 ? undefined : name.slice(0, end);
}

/** How many environments each folder has. */
export function folderSizes(names: Iterable<string>): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const name of names) {
    const folder = folderOf(name);
    if (folder !== undefined) sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  return sizes;
}

/**
 * The rows of the table. A folder stands where the first of its environments would, so the worst comes first; one environment alone has no folder, as in
 * GitLab.
 *
 * @param shown those that the filters leave, in order
 */
export function indexEntries(
  shown: readonly KnownRow[],
  { sizes, isOpen }: { readonly sizes: ReadonlyMap<string, number>; readonly isOpen: (folder: string) => boolean },
): readonly IndexEntry[] {
  const members = new Map<string, KnownRow[]>();
  const inFolder = (known: KnownRow): string | undefined => {
    const folder = folderOf(nameOf(known.row));
    return folder !== undefined && (sizes.get(folder) ?? 0) > 1 ? folder : undefined;
  };
  for (const known of shown) {
    const folder = inFolder(known);
    if (folder === undefined) continue;
    const earlier = members.get(folder);
    if (earlier === undefined) members.set(folder, [known]);
    else earlier.push(known);
  }
  const begun = new Set<string>();
  return shown.flatMap((known): readonly IndexEntry[] => {
    const name = inFolder(known);
    if (name === undefined) return [{ kind: "row", known, isInFolder: false }];
    if (begun.has(name)) return [];
    begun.add(name);
    const folder = { name, members: members.get(name) ?? [], size: sizes.get(name) ?? 0, isOpen: isOpen(name) };
    const rows = folder.isOpen ? folder.members.map((each) => ({ kind: "row", known: each, isInFolder: true }) as const) : [];
    return [{ kind: "folder", folder }, ...rows];
  });
}

/** What the row of a folder says of its environments. */
export interface FolderFacts {
  /** The worst that is known; what is not known yet, or not visible, only where nothing else is. */
  readonly worst: RowStatus;
  /** Something may be worse: not all is known, visible or complete. */
  readonly isPartial: boolean;
  /** How many have each status, worst first, those of which none is known last. */
  readonly counts: readonly { readonly status: RowStatus; readonly count: number }[];
  /** Environments whose numbers are not of now. */
  readonly old: number;
  readonly issues: number;
  readonly workloads: { readonly ready: number; readonly wanted: number; readonly down: number; readonly suspended: number };
  /** Newest change, milliseconds since the epoch. */
  readonly changedMs: number | undefined;
  /** Names, sorted, each once. */
  readonly agents: readonly string[];
  readonly withoutAgent: number;
  /** Of some of what is in them the viewer sees nothing. */
  readonly isHiding: boolean;
}

/** Adds up the environments of a folder. */
export function folderFacts(members: readonly KnownRow[]): FolderFacts {
  const rows = members.map(({ row }) => row);
  const counted = new Map<RowStatus, number>();
  for (const row of rows) counted.set(statusOfRow(row), (counted.get(statusOfRow(row)) ?? 0) + 1);
  const counts = [...counted].map(([status, count]) => ({ status, count })).toSorted((a, b) => b.status - a.status);
  const seen = rows.filter((row) => !isForbidden(row) && row.problem === undefined);
  const sum = (of: (row: EnvironmentRow) => number): number => seen.reduce((total, row) => total + of(row), 0);
  const changes = seen.flatMap(({ lastChange }) => (lastChange === undefined ? [] : millisOf(lastChange)));
  const agents = rows.flatMap(({ environment }) => (environment === undefined || environment.agentId === 0n ? [] : environment.agentName));
  return {
    worst: counts[0]?.status ?? NOT_KNOWN_YET,
    isPartial: rows.some((row) => statusOfRow(row) < 0 || row.health?.partial === true),
    counts,
    old: members.filter(({ knowledge }) => knowledge.kind === "old").length,
    issues: sum(({ health }) => health?.issuesTotal ?? 0),
    workloads: {
      ready: sum(({ workloadsReady }) => workloadsReady),
      wanted: sum(({ workloads }) => workloads),
      down: sum(({ workloadsDown }) => workloadsDown ?? 0),
      suspended: sum(({ workloadsSuspended }) => workloadsSuspended),
    },
    changedMs: changes.length === 0 ? undefined : changes.reduce((a, b) => Math.max(a, b)),
    agents: [...new Set(agents)].toSorted(),
    withoutAgent: rows.length - agents.length,
    isHiding: rows.some((row) => isForbidden(row) || (row.health?.hidden.length ?? 0) > 0),
  };
}
