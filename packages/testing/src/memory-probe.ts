/** Loaded into a program of a test with --import (program.ts): tells its parent what memory is held, and is no part of the product. */
async function answer(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ heapUsed, external });
}

process.on("message", () => void answer()); // cannot reject
// The channel alone must not keep the program.
process.channel?.unref();
// The parent process has ended: so does this one.
process.on("disconnect", () => process.exit(1));
