/**
 * Flags for the Node that runs kas and agentk. Both hold little and throw much away, and V8's defaults would keep 100 MiB of young
 * generation and let the old one grow to a multiple of what lives in it before they look. The price is a collector that looks more
 * often, which shows in large lists. `npm run bench -- tunnel` runs under these flags and prints resident memory after its load.
 */
export const SERVER_NODE_FLAGS: readonly string[] = ["--max-semi-space-size=2", "--heap-growing-percent=50"];

/**
 * Flags for the Node that runs the dashboard. It holds tens of thousands of objects, and most of what it reads of them it throws away
 * at once: a young generation of 24 MiB lets that die there at no more work than V8's 48, which stays resident once it was needed.
 * 10,000 pods took 207 MiB above idle at their peak without these flags, 89 MiB with them.
 */
export const WEB_NODE_FLAGS: readonly string[] = ["--max-semi-space-size=8", "--heap-growing-percent=50"];

/** Environment for all of them: one heap of the C library for all threads, since what V8's compilers give back in heaps of their own stays there. */
export const SERVER_NODE_ENV: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: "1" };
