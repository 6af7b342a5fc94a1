/**
 * How long a kas lets a request wait for its agent before it says that there is none (`limits.agent_wait`, which may only be less). Whoever
 * asks through a kas waits longer than that, or he never hears it (docs/design/view.md "Sources and freshness").
 */
export const AGENT_WAIT_MS = 20_000;
