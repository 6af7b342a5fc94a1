import { LazyCode } from "../../ui/lazy-code.ts";

/** What a card says of CPU and memory while a pointer rests on it, with what asks for it. */
export const LAZY_CARD_METRICS = new LazyCode(async () => (await import("./card-metrics.tsx")).CardMetrics);
