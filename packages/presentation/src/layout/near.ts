/** Both ends of a line. */
export type Ends = readonly [string, string];

/** What is no more than so many lines away from `centre`, whichever way they point, and itself. Takes linear time. */
export function near(lines: Iterable<Ends>, centre: string, hops: number): ReadonlySet<string> {
  const beside = new Map<string, string[]>();
  const join = (from: string, to: string): void => {
    const list = beside.get(from);
    if (list === undefined) beside.set(from, [to]);
    else list.push(to);
  };
  for (const [one, other] of lines) {
    join(one, other);
    join(other, one);
  }
  const found = new Set([centre]);
  let last: readonly string[] = [centre];
  for (let hop = 0; hop < hops && last.length > 0; hop += 1) {
    const next: string[] = [];
    for (const id of last) {
      for (const other of beside.get(id) ?? []) {
        if (found.has(other)) continue;
        found.add(other);
        next.push(other);
      }
    }
    last = next;
  }
  return found;
}
