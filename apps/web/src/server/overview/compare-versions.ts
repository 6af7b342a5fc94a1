import {
  CompareVersionsResponseSchema,
  VersionDistanceSchema,
  type CompareVersionsResponse,
  type VersionDistance,
  type VersionPair,
} from "@binnacle/proto/dashboard-overview";
import { toUint32 } from "@binnacle/proto/wire-values";
import { Fault } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";

import { sessionEnded } from "../base/session-ended.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import type { VersionDistances } from "./version-distances.ts";

/** What versions are compared with. */
export interface CompareVersionsContext {
  readonly distances: VersionDistances;
}

const MAX_PAIRS = 50;
/** Pairs that are compared at a time. */
const MAX_AT_ONCE = 4;

/**
 * How far versions are apart, as far as the viewer may know: without the right to a repository they only differ.
 *
 * @throws Fault `session_ended`, `invalid_request` for more than fifty pairs
 */
export async function compareVersions(
  { distances }: CompareVersionsContext,
  {
    viewerAccess,
    pairs,
    signal,
  }: { readonly viewerAccess: ViewerAccess | undefined; readonly pairs: readonly VersionPair[]; readonly signal: AbortSignal },
): Promise<CompareVersionsResponse> {
  if (viewerAccess === undefined) throw sessionEnded();
  if (pairs.length > MAX_PAIRS) throw new Fault("invalid_request", `at most ${MAX_PAIRS} pairs of commits are compared at a time`);
  const found = pairs.map(() => create(VersionDistanceSchema));
  const waiting = [...pairs.entries()];
  const compareInTurn = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, pair] = next;
      found[index] = await distanceOf(distances, { viewerAccess, pair }, signal);
    }
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, compareInTurn));
  return create(CompareVersionsResponseSchema, { distances: found });
}

async function distanceOf(
  distances: VersionDistances,
  { viewerAccess, pair }: { readonly viewerAccess: ViewerAccess; readonly pair: VersionPair },
  signal: AbortSignal,
): Promise<VersionDistance> {
  const { projectPath: project, base, head } = pair;
  try {
    const distance = await distances.of(viewerAccess, { project, base, head }, signal);
    if (distance.kind !== "compared") return create(VersionDistanceSchema);
    const { ahead, behind, atLeast } = distance;
    return create(VersionDistanceSchema, { known: true, ahead: toUint32(ahead), behind: toUint32(behind), atLeast });
  } catch (error) {
    // The page asks again when the versions are on the screen the next time.
    if (error instanceof Fault && error.reason === "main_application_unavailable") return create(VersionDistanceSchema);
    throw error;
  }
}
