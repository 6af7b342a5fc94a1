/** A value, and which of the streams it is of. */
export interface MergedValue<T> {
  readonly index: number;
  readonly value: T;
}

/**
 * Several streams as one, in the order in which their values come. A stream is read for its next value only when its last one was
 * taken, so a slow reader slows all of them and nothing piles up. Ends when all have ended; the first that throws ends all.
 *
 * @param open begin the streams; each ends soon after its signal aborts, also while it waits for its next value
 */
export async function* mergeStreams<T>(
  open: readonly ((signal: AbortSignal) => AsyncIterable<T>)[],
  signal: AbortSignal,
): AsyncGenerator<MergedValue<T>, void> {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const iterators = open.map((begin) => begin(until)[Symbol.asyncIterator]());
  const running = new Map<number, Promise<{ readonly index: number; readonly result: IteratorResult<T> }>>();
  const pull = (index: number): void => {
    const next = iterators[index]?.next();
    // Last in the order of the race: a busy stream waits for the others.
    running.delete(index);
    if (next)
      running.set(
        index,
        next.then((result) => ({ index, result })),
      );
  };
  try {
    for (const index of iterators.keys()) pull(index);
    while (running.size > 0) {
      const { index, result } = await Promise.race(running.values());
      running.delete(index);
      if (result.done === true) continue;
      yield { index, value: result.value };
      pull(index);
    }
  } finally {
    over.abort();
    // Their values are not read any more; each still runs to its own end.
    const ends = [...running.values()].map((each) => each.catch(() => undefined));
    await Promise.all([...iterators.map((iterator) => iterator.return?.().catch(() => undefined)), ...ends]);
  }
}
