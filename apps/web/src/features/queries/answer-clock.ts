import type { Clock } from "@binnacle/rpc";
import { serverTime } from "../../ui/server-time.ts";
import { browserClock } from "../live/browser-clock.ts";

/** When answers came is by the server's clock, as all that is shown beside them. */
export const answerClock: Clock = { ...browserClock, now: () => serverTime.now() };
