import type { RunningImageFacts, Summary, SummaryGap } from "@binnacle/environment-view";
import {
  EnvironmentRowSchema,
  RowGap,
  RunningImageSchema,
  type RunningImage,
  type Delivery,
  type EnvironmentRow,
  type Problem,
} from "@binnacle/proto/dashboard";
import { durationField, timeField, toTimestamp, toUint32 } from "@binnacle/proto/wire-values";
import { create } from "@bufbuild/protobuf";

import { toEnvironment } from "../environment/environment-messages.ts";
import type { EnvironmentRecord } from "../main-application/records.ts";
import { toSentWords } from "../base/sent-words.ts";
import { toConnection, toListedHealth, toRowHealth, type KnownConnection } from "../wire/to-proto.ts";

const GAP = {
  not_looked_at: RowGap.NOT_LOOKED_AT,
  forbidden: RowGap.FORBIDDEN,
  failed: RowGap.FAILED,
  too_large: RowGap.TOO_LARGE,
} as const satisfies Record<SummaryGap["kind"], RowGap>;

/** What a row of the index is made of. */
export interface RowParts {
  readonly environment: EnvironmentRecord;
  readonly delivery: Delivery;
  /** Absent before anything is known of the agent. */
  readonly connection?: KnownConnection | undefined;
  /** Why there can be no numbers. */
  readonly problem?: Problem | undefined;
  readonly summary?: Summary | undefined;
  /** The viewer has another identity now, and nothing is known yet as that one. */
  readonly moved?: boolean;
  /** All issues are sent; otherwise the first. */
  readonly allIssues?: boolean;
  /** Images that its workloads run are sent. */
  readonly images?: boolean;
}

/** The row for the wire. */
export function toRow({
  environment,
  delivery,
  connection,
  problem,
  summary,
  moved = false,
  allIssues = false,
  images = false,
}: RowParts): EnvironmentRow {
  const neverConnected = environment.agent?.lastSeenAt === undefined;
  const row = {
    environment: toEnvironment(environment, delivery),
    ...(connection === undefined ? {} : { connection: toConnection(connection, neverConnected) }),
  };
  if (problem !== undefined) return create(EnvironmentRowSchema, { ...row, problem });
  const { known, gap } = summary ?? {};
  const unknown = moved ? RowGap.MOVED : RowGap.NOT_LOOKED_AT;
  const why = gap === undefined ? RowGap.UNSPECIFIED : gap.kind === "not_looked_at" ? unknown : GAP[gap.kind];
  const gaps = summary === undefined ? { gap: unknown } : { gap: why, ...(gap?.words && { gapWords: toSentWords(gap.words) }) };
  if (known === undefined) return create(EnvironmentRowSchema, { ...row, ...gaps });
  const { freshness, workloads, workloadsReady, workloadsSuspended, workloadsDown, changedMs, asOfMs, workloadsOnly } = known;
  return create(EnvironmentRowSchema, {
    ...row,
    ...gaps,
    health: allIssues ? toListedHealth(known.health) : toRowHealth(known.health),
    workloads: toUint32(workloads),
    workloadsReady: toUint32(workloadsReady),
    workloadsSuspended: toUint32(workloadsSuspended),
    ...(workloadsDown !== undefined && { workloadsDown: toUint32(workloadsDown) }),
    workloadsOnly,
    ...(images && known.images && { images: known.images.images.map(toImage), moreImages: toUint32(known.images.more) }),
    ...timeField("lastChange", changedMs > 0 ? changedMs : undefined),
    asOf: toTimestamp(asOfMs),
    ...(freshness.kind === "live" ? { live: true } : durationField("every", freshness.everyMs)),
  });
}

function toImage({ image, workloads, sinceMs }: RunningImageFacts): RunningImage {
  return create(RunningImageSchema, { image, workloads: toUint32(workloads), ...timeField("since", sinceMs > 0 ? sinceMs : undefined) });
}
