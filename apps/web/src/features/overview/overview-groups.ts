import type { OverviewItem } from "./overview-items.ts";

/** What environments can be grouped by. */
export const GROUPINGS = ["none", "group", "agent", "tier", "owner"] as const;

/** What environments are grouped by. */
export type Grouping = (typeof GROUPINGS)[number];

/** Environments that belong together. */
export interface ItemGroup {
  /** Names it among the others; empty for those that have none. */
  readonly key: string;
  /** As people call it; empty for those that have none. */
  readonly title: string;
  readonly items: readonly OverviewItem[];
}

/** Tiers in the order of GitLab, from what users see to what is being written (docs.gitlab.com, "Deployment tier of environments"). */
const TIERS: readonly string[] = ["production", "staging", "testing", "development"];

/** Groups in the order of their worst environment. @param names of groups by full path */
export function groupItems(items: readonly OverviewItem[], by: Grouping, names: ReadonlyMap<string, string>): readonly ItemGroup[] {
  if (by === "none") return items.length === 0 ? [] : [{ key: "", title: "", items }];
  const groups = new Map<string, { readonly title: string; readonly items: OverviewItem[] }>();
  for (const item of items) {
    const { key, title } = GROUP_OF[by](item, names);
    const group = groups.get(key) ?? { title, items: [] };
    group.items.push(item);
    groups.set(key, group);
  }
  return [...groups].map(([key, group]) => ({ key, ...group }));
}

type Named = { readonly key: string; readonly title: string };

const GROUP_OF: Readonly<Record<Exclude<Grouping, "none">, (item: OverviewItem, names: ReadonlyMap<string, string>) => Named>> = {
  group: ({ projectPath }, names) => namespaceOf(projectPath.split("/").slice(0, -1).join("/"), names),
  owner: ({ projectPath }, names) => namespaceOf(projectPath.split("/")[0] ?? "", names),
  agent: ({ row: { environment } }) =>
    environment === undefined || environment.agentId === 0n
      ? { key: "", title: "" }
      : { key: String(environment.agentId), title: `${environment.agentName} · ${environment.agentProjectPath}` },
  tier: ({ row: { environment } }) => ({ key: environment?.tier ?? "", title: environment?.tier ?? "" }),
};

function namespaceOf(path: string, names: ReadonlyMap<string, string>): Named {
  const name = names.get(path);
  return { key: path, title: name === undefined || name === path ? path : `${name} · ${path}` };
}

/** A column of the matrix. */
export interface MatrixColumn {
  readonly key: string;
  /** Empty: environments of no tier that has a column. */
  readonly title: string;
}

/** A project's line in the matrix: environments by the key of their column, the worst first. */
export interface MatrixRow {
  readonly projectPath: string;
  readonly cells: ReadonlyMap<string, readonly OverviewItem[]>;
}

/** The matrix of projects. */
export interface Matrix {
  readonly columns: readonly MatrixColumn[];
  readonly rows: readonly MatrixRow[];
}

/** Columns by name: the most frequent; the others share the last one. */
const MAX_COLUMNS = 6;

/** Projects by tier, or by the name of the environment; names in a folder (`review/*`) share a column. Rows in the order of their worst environment. */
export function matrixOf(items: readonly OverviewItem[], by: "tier" | "name"): Matrix {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyIn(item, by), (counts.get(keyIn(item, by)) ?? 0) + 1);
  const frequent = [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([key]) => key);
  const named = by === "tier" ? TIERS.filter((tier) => counts.has(tier)) : frequent.slice(0, MAX_COLUMNS);
  const isNamed = new Set(named);
  const rows = new Map<string, Map<string, OverviewItem[]>>();
  for (const item of items) {
    const key = keyIn(item, by);
    const column = isNamed.has(key) ? key : "";
    const cells = rows.get(item.projectPath) ?? new Map<string, OverviewItem[]>();
    rows.set(item.projectPath, cells);
    cells.set(column, [...(cells.get(column) ?? []), item]);
  }
  const hasOthers = [...counts.keys()].some((key) => !isNamed.has(key));
  return {
    columns: [...named, ...(hasOthers ? [""] : [])].map((key) => ({ key, title: key })),
    rows: [...rows].map(([projectPath, cells]) => ({ projectPath, cells })),
  };
}

function keyIn({ row, name }: OverviewItem, by: "tier" | "name"): string {
  if (by === "tier") return row.environment?.tier ?? "";
  const folder = name.split("/")[0] ?? name;
  return folder === name ? name : `${folder}/*`;
}
