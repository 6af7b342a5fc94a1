import { fileURLToPath } from "node:url";

import type { Disturbance } from "../disturbance.ts";

/** Just below what one kas forgives another: its tokens are good for five seconds more or less (docs/design/contract.md). */
const KAS_AHEAD_MS = 4_000;
const AGENTS_BEHIND_MS = 5 * 60_000;
const PRELOAD = fileURLToPath(new URL("../preloads/skewed-clock.ts", import.meta.url));

const skewed = (ms: number) => ({ nodeFlags: ["--import", PRELOAD], env: { SKEW_MS: String(ms) } });

/** One kas is four seconds ahead of the other, and the agents are five minutes behind it, all the time: nothing fails at all. */
export const clockSkew: Disturbance = {
  name: "clock skew",
  world: { kas: (index) => (index === 0 ? skewed(KAS_AHEAD_MS) : {}), agentk: () => skewed(-AGENTS_BEHIND_MS) },
  allowed: /^$/,
  begin: () => Promise.resolve(),
  end: () => Promise.resolve(),
};
