"use client";
import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { keyOfStatus, WORST_FIRST } from "../live/health-status.ts";
import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import { NOT_KNOWN_YET, NOT_VISIBLE, type RowStatus } from "@binnacle/presentation/environments/row-order";
import { GROUPINGS, type Grouping } from "./overview-groups.ts";

/** The views of an overview. */
export const OVERVIEW_VIEWS = ["matrix", "list", "agents", "projects"] as const;

/** Everything of an overview that lives in its address. */
export interface OverviewAddress {
  readonly view: (typeof OVERVIEW_VIEWS)[number];
  readonly by: Grouping;
  readonly columns: "tier" | "name";
  readonly q: string;
  readonly status: RowStatus | undefined;
  readonly only: "attention" | "changed" | undefined;
  readonly wall: boolean;
}

const STATUS_KEYS: ReadonlyMap<string, RowStatus> = new Map<string, RowStatus>([
  ...[...WORST_FIRST, HealthStatus.UNSPECIFIED].map((status) => [keyOfStatus(status), status] as const),
  ["not-known", NOT_KNOWN_YET],
  ["not-visible", NOT_VISIBLE],
]);

/** Reads the query; what is unknown is at its default. */
export function parseOverviewAddress(query: { get(name: string): string | null }): OverviewAddress {
  const [view, by, only] = [query.get("view"), query.get("by"), query.get("only")];
  return {
    view: OVERVIEW_VIEWS.find((each) => each === view) ?? "matrix",
    by: GROUPINGS.find((each) => each === by) ?? "none",
    columns: query.get("columns") === "name" ? "name" : "tier",
    q: query.get("q") ?? "",
    status: STATUS_KEYS.get(query.get("health") ?? ""),
    only: only === "attention" || only === "changed" ? only : undefined,
    wall: query.get("wall") === "1",
  };
}

/** Writes the query with its question mark; what is at its default is left out. */
export function encodeOverviewAddress({ view, by, columns, q, status, only, wall }: OverviewAddress): string {
  const query = new URLSearchParams();
  if (view !== "matrix") query.set("view", view);
  if (by !== "none") query.set("by", by);
  if (columns !== "tier") query.set("columns", columns);
  if (q !== "") query.set("q", q);
  const key = [...STATUS_KEYS].find(([, each]) => each === status)?.[0];
  if (status !== undefined && key !== undefined) query.set("health", key);
  if (only !== undefined) query.set("only", only);
  if (wall) query.set("wall", "1");
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** What the address says, and how to change it without a request to the server; `replace` for what changes with every key. */
export function useOverviewAddress(): readonly [OverviewAddress, (change: Partial<OverviewAddress>, how?: "push" | "replace") => void] {
  const query = useSearchParams();
  const address = useMemo(() => parseOverviewAddress(query), [query]);
  const set = useCallback((change: Partial<OverviewAddress>, how: "push" | "replace" = "push") => {
    const next = encodeOverviewAddress({ ...parseOverviewAddress(new URLSearchParams(location.search)), ...change });
    if (next === location.search) return;
    const target = `${location.pathname}${next}`;
    if (how === "push") history.pushState(null, "", target);
    else history.replaceState(null, "", target);
  }, []);
  return [address, set];
}
