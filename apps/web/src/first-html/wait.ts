/** So long a page waits for what it is sent with; what comes later comes without holding it. */
export const WAIT_MS = 300;
/** So long the answer stays open for what comes later. */
export const LATE_MS = 3_000;
