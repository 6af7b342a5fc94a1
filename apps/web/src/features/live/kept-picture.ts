import type { Snapshot } from "@binnacle/proto/dashboard";
import { millisOf } from "../../ui/format-time.ts";
import type { ViewState } from "./view-state.ts";

/** Whether a snapshot is one that the server kept, and what is shown of the same view was so at a later time. */
export function isOutdated({ asOf }: Snapshot, { version, contentAsOfMs }: ViewState): boolean {
  return asOf !== undefined && version > 0 && contentAsOfMs >= millisOf(asOf);
}

/** What is news of a snapshot whose picture is outdated. */
export function connectionOf({ connection }: Snapshot): Partial<ViewState> {
  return { problem: undefined, ...(connection && { connection }) };
}

/** Whether a snapshot is one that the server kept, and of when it is. */
export function ageOf({ asOf }: Snapshot): Partial<ViewState> {
  return asOf === undefined ? { kept: false } : { kept: true, contentAsOfMs: millisOf(asOf) };
}
