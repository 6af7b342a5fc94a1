const LOOK_MS = 20;

/**
 * Looks at something of another process again and again until it is as wanted.
 *
 * @param look gives a sentence about what is still wrong, or undefined when all is well
 * @throws Error with the last sentence when `limitMs` are over
 */
export async function eventually(look: () => Promise<string | undefined> | string | undefined, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  for (;;) {
    const wrong = await look();
    if (wrong === undefined) return;
    if (performance.now() > end) throw new Error(wrong);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
