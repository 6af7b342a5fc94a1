/**
 * How long a kas lets a request wait for its agent before it responds that there is none (`limits.agent_wait`, which may only be less). A
 * caller of kas must wait longer, or it times out before that response arrives (docs/design/view.md "Sources and freshness").
 */
export const AGENT_WAIT_MS = 20_000;
