/** So many are done before whatever else waits has its turn: some milliseconds of work. */
const TURN = 250;

/** Lets the page do what waits: input, frames, messages. */
async function nextTurn(): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** Does something with each of many, and lets the page have its turn now and then. @param pause ends when the page has had it */
export async function inTurns<T>(items: Iterable<T>, each: (item: T) => void, pause = nextTurn): Promise<void> {
  let done = 0;
  for (const item of items) {
    each(item);
    done += 1;
    // One after the other: that is what it is for.
    // oxlint-disable-next-line no-await-in-loop
    if (done % TURN === 0) await pause();
  }
}
