import { NANOS_PER_SECOND } from "../lines/log-time.ts";
import type { LinePosition } from "../lines/resume-point.ts";
import type { ContainerInstance, PodContainer } from "../pods/pod-containers.ts";
import type { StartPoint } from "../reading/container-reader.ts";
import type { KnownPosition } from "./known-positions.ts";

/** An instance that is to be read. */
export interface PlannedInstance {
  readonly instance: ContainerInstance;
  readonly start: StartPoint;
}

/** The instance of a container that was read last. */
export interface ReadInstance {
  readonly id: string;
  readonly restarts: number | undefined;
  readonly position: LinePosition | undefined;
}

/** What is read of a container that is seen for the first time. */
export function planFirst(
  { present, previous }: PodContainer,
  known: readonly KnownPosition[],
  { tailLines, wantsPrevious }: { readonly tailLines: number | undefined; readonly wantsPrevious: boolean },
): PlannedInstance[] {
  if (wantsPrevious) {
    const position = known.find(({ containerId }) => containerId === previous?.id);
    return previous === undefined ? [] : [{ instance: previous, start: position === undefined ? { tailLines } : { position } }];
  }
  if (present === undefined) return [];
  const [newest] = known;
  if (newest === undefined) return [{ instance: present, start: { tailLines } }];
  const at = known.find(({ containerId }) => containerId === present.id);
  if (at !== undefined) return [{ instance: present, start: { position: at } }];
  const before = known.find(({ containerId }) => containerId === previous?.id);
  if (before === undefined || previous === undefined) {
    return planNext({ present, previous }, { id: newest.containerId, restarts: newest.restarts, position: newest }, !newest.reachedEnd);
  }
  const rest = before.reachedEnd ? [] : [{ instance: previous, start: { position: before } }];
  return [...rest, { instance: present, start: {} }];
}

/**
 * What is read of a container whose instance is another one than that which was read last: also the one between, and a gap where there must
 * have been more.
 *
 * @param isCut lines of the instance that was read last are missing
 */
export function planNext(
  { present, previous }: Pick<PodContainer, "present" | "previous">,
  read: ReadInstance,
  isCut = false,
): PlannedInstance[] {
  if (present === undefined || present.id === read.id) return [];
  const isBetween = previous !== undefined && previous.id !== read.id && previous.id !== present.id && isAfter(previous, read);
  const planned = isBetween ? [previous, present] : [present];
  return planned.map((instance, index) => {
    const isFirst = index === 0;
    const skipped = isFirst && read.restarts !== undefined && instance.restarts > read.restarts + 1;
    const hint = isFirst && mayBelongTo(instance, read.position) ? { hint: read.position } : {};
    return { instance, start: { ...hint, ...(isFirst && (isCut || skipped) ? { gapAfterNanos: read.position?.timeNanos ?? 0n } : {}) } };
  });
}

function isAfter(instance: ContainerInstance, { restarts }: ReadInstance): boolean {
  return restarts === undefined || instance.restarts > restarts;
}

/** A line that was read may be of the next instance, when a request met it before the pod's status named it. Starts are known to the second. */
function mayBelongTo({ startedNanos }: ContainerInstance, position: LinePosition | undefined): boolean {
  return position !== undefined && startedNanos !== undefined && position.timeNanos >= startedNanos - (startedNanos % NANOS_PER_SECOND);
}
