import type { HealthRef, HealthResult } from "./health-result.ts";
import type { UnwellResource } from "./issue-groups.ts";
import { keyOfNotice, weightOfNotice, type NoticeWeight } from "./notice-weights.ts";
import type { HealthNotice } from "./why/why.ts";

/** A notice, and whose it is. */
export interface NoticedResource {
  readonly ref: HealthRef;
  /** Result of `health`; `null` = no opinion. */
  readonly health: HealthResult | null;
  readonly notice: HealthNotice;
  /** Default: `weightOfNotice`, where nothing more is known of the related objects. */
  readonly weight?: NoticeWeight;
}

/** Notices as resources that are grouped: what is to be fixed, and what is only listed. */
export function asNoticed(noticed: readonly NoticedResource[]): Readonly<Record<"issues" | "uncounted", readonly UnwellResource[]>> {
  const of = (wanted: NoticeWeight): UnwellResource[] =>
    noticed.flatMap((each) => ((each.weight ?? weightOfNotice(each.notice)) === wanted ? [unwellOf(each)] : []));
  return { issues: of("issue"), uncounted: of("uncounted") };
}

function unwellOf({ ref, health, notice }: NoticedResource): UnwellResource {
  const { reason, message, nextStep, since } = notice;
  const own = { status: health?.status ?? "Healthy", reason, message, stale: false, causes: [] } as const;
  return {
    ref,
    health: own,
    why: { rootKey: keyOfNotice(ref, notice), reason, message, nextStep, ...(since === undefined ? {} : { firstBadAt: since }) },
    notice: true,
  };
}
