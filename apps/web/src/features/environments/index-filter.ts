import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import { keyOfStatus, WORST_FIRST } from "../live/health-status.ts";
import { SYNC_FILTERS, type SyncFilter } from "./row-sync.tsx";
import { NOT_KNOWN_YET, type RowStatus } from "@binnacle/presentation/environments/row-order";

/** What the index shows of its environments; it lives in the address. */
export interface IndexFilter {
  readonly text: string;
  /** Absent for all. */
  readonly status: RowStatus | undefined;
  /** Absent for all. */
  readonly sync: SyncFilter | undefined;
}

/** Words in an address that stand for a status of a row. */
const STATUSES: readonly (readonly [string, RowStatus])[] = [
  ...[...WORST_FIRST, HealthStatus.UNSPECIFIED].map((status) => [keyOfStatus(status), status] as const),
  ["not-known-yet", NOT_KNOWN_YET],
];

/** Values of `sync` in an address. */
const SYNCS = Object.keys(SYNC_FILTERS) as readonly SyncFilter[];

/** Reads the query; what is no status filters nothing. */
export function parseIndexFilter(query: { get(name: string): string | null }): IndexFilter {
  const key = query.get("health");
  return {
    text: query.get("q") ?? "",
    status: STATUSES.find(([each]) => each === key)?.[1],
    sync: SYNCS.find((each) => each === query.get("sync")),
  };
}

/** Writes the query; nothing for no filter. */
export function encodeIndexFilter({ text, status, sync }: IndexFilter): string {
  const query = new URLSearchParams();
  if (text !== "") query.set("q", text);
  const key = STATUSES.find(([, each]) => each === status)?.[0];
  if (key !== undefined) query.set("health", key);
  if (sync !== undefined) query.set("sync", sync);
  return query.toString();
}
