import type { EventGroup, Happening } from "./event-groups.ts";

/** So much of a group is shown at first: the next group is never far away. */
export const FEW = 4;

/** A line of the view. */
export type EventRow =
  | { readonly type: "head"; readonly key: string; readonly group: EventGroup }
  | { readonly type: "happening"; readonly key: string; readonly group: EventGroup; readonly happening: Happening }
  /** `hidden`: how many more there are; 0 when all of them are shown and may be fewer again. */
  | { readonly type: "more"; readonly key: string; readonly group: EventGroup; readonly hidden: number };

/**
 * Groups as lines: of each its head, its newest, and a way to the rest.
 *
 * @param opened keys of groups that are shown whole; "all": there is nothing to open, as on paper
 */
export function eventRows(groups: readonly EventGroup[], opened: ReadonlySet<string> | "all"): EventRow[] {
  return groups.flatMap((group): EventRow[] => {
    const { key, happenings } = group;
    const shown = opened === "all" || opened.has(key) ? happenings : happenings.slice(0, FEW);
    const rest: EventRow[] =
      opened !== "all" && happenings.length > FEW
        ? [{ type: "more", key: `more ${key}`, group, hidden: happenings.length - shown.length }]
        : [];
    return [
      { type: "head", key: `head ${key}`, group },
      ...shown.map((happening): EventRow => ({ type: "happening", key: `${key} ${happening.id}`, group, happening })),
      ...rest,
    ];
  });
}

/** How many have come, or have happened again, since a picture was held. */
export function countNew(held: readonly EventGroup[], now: readonly EventGroup[]): number {
  const known = new Map(held.flatMap(({ happenings }) => happenings.map((each) => [each.id, stampOf(each)])));
  return now.flatMap(({ happenings }) => happenings).filter((each) => known.get(each.id) !== stampOf(each)).length;
}

function stampOf(happening: Happening): string {
  return `${happening.atMs} ${"event" in happening ? happening.event.event?.count : ""}`;
}
