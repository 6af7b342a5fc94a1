/** Methods that go over a whole list. */
const WHOLE = ["map", "filter", "flatMap", "flat", "reduce", "slice", "concat", "toSorted", "sort"] as const;
/** Methods that end at the first hit. */
const SEARCHES = ["find", "some", "every", "findIndex", "indexOf", "includes"] as const;

/**
 * Counts the elements that `act` visits, in loops, spreads and methods of lists, maps and sets: a measure of its work that does not depend on the
 * machine. What other code does meanwhile is counted too. Searches count as whole lists.
 *
 * @param act gets a function that says how many there were so far
 */
export async function countedSteps(act: (soFar: () => number) => Promise<unknown>): Promise<number> {
  let steps = 0;
  const restores: (() => void)[] = [];
  const replace = (target: object, name: string, make: (original: Function) => Function): void => {
    const original = Reflect.get(target, name) as Function;
    Reflect.set(target, name, make(original));
    restores.push(() => void Reflect.set(target, name, original));
  };
  for (const iterable of [[], new Map(), new Set()]) {
    const iterator: object = Reflect.getPrototypeOf(iterable[Symbol.iterator]()) ?? {};
    replace(
      iterator,
      "next",
      (original) =>
        function next(this: unknown) {
          steps += 1;
          return Reflect.apply(original, this, []);
        },
    );
  }
  for (const name of [...WHOLE, ...SEARCHES]) {
    replace(
      Array.prototype,
      name,
      (original) =>
        function counted(this: readonly unknown[], ...values: readonly unknown[]) {
          steps += this.length;
          return Reflect.apply(original, this, values);
        },
    );
  }
  try {
    await act(() => steps);
  } finally {
    for (const restore of restores) restore();
  }
  return steps;
}
