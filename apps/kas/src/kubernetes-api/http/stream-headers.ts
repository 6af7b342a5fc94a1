/** On every answer that goes on while it is read: proxies with nginx' defaults would collect some kilobytes of it before they pass any on. */
export const UNBUFFERED = { "x-accel-buffering": "no" } as const;

/** On streams of our own also: nothing is kept, or compressed anew, on its way. What the cluster answers keeps its own `Cache-Control`. */
export const OWN_STREAM = { ...UNBUFFERED, "cache-control": "no-store, no-transform" } as const;
