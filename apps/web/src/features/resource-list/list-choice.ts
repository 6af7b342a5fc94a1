/** Which row has the focus, and which are chosen. */
export interface ListChoice {
  /** Id of the row that is the tab stop; empty: the first. */
  readonly current: string;
  /** Where it was, for when it is gone: the row that has taken its place is next. */
  readonly index: number;
  readonly chosen: ReadonlySet<string>;
  /** Where a range begins, and what was chosen before it. */
  readonly anchor: string;
  readonly base: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Nothing is chosen. */
export const NO_CHOICE: ListChoice = { current: "", index: 0, chosen: NONE, anchor: "", base: NONE };

/** The row that Tab comes to: the current one, or what stands where it was. */
export function tabStopOf(choice: ListChoice, ids: readonly string[]): string | undefined {
  return ids.includes(choice.current) ? choice.current : ids[Math.min(choice.index, ids.length - 1)];
}

/** The focus goes to a row; a range begins anew. */
export function moveTo(choice: ListChoice, ids: readonly string[], id: string): ListChoice {
  return { ...choice, current: id, index: Math.max(0, ids.indexOf(id)), anchor: "", base: NONE };
}

/** The row is chosen, or left out again. */
export function toggle(choice: ListChoice, id: string): ListChoice {
  const chosen = new Set(choice.chosen);
  if (!chosen.delete(id)) chosen.add(id);
  return { ...choice, chosen, anchor: "", base: NONE };
}

/** All rows from where the range began to this one are chosen, besides what was before. */
export function chooseTo(choice: ListChoice, ids: readonly string[], id: string): ListChoice {
  const isBegun = choice.anchor !== "" && ids.includes(choice.anchor);
  const anchor = isBegun ? choice.anchor : (tabStopOf(choice, ids) ?? id);
  const base = isBegun ? choice.base : choice.chosen;
  const [from, to] = [ids.indexOf(anchor), ids.indexOf(id)].toSorted((one, two) => one - two);
  return { current: id, index: ids.indexOf(id), chosen: new Set([...base, ...ids.slice(from, (to ?? 0) + 1)]), anchor, base };
}

/** Every row is chosen. */
export function chooseAll(choice: ListChoice, ids: readonly string[]): ListChoice {
  return { ...choice, chosen: new Set([...choice.chosen, ...ids]), anchor: "", base: NONE };
}

/** No row is. */
export function chooseNone(choice: ListChoice): ListChoice {
  return { ...choice, chosen: NONE, anchor: "", base: NONE };
}
