import { createHash } from "node:crypto";

import { nanosText } from "@binnacle/kube";

/** How the lines of a container look and how many there are. */
export interface LogProfile {
  /** Seed of the lines: pod uid, container and restart. */
  readonly seed: string;
  readonly container: string;
  readonly style: LogStyle;
  /** Lines per second. */
  readonly rate: number;
  /** Lines after which the runtime begins a new file; only the newest file is read. */
  readonly rotateLines: number;
  /** Number of a line of 10 MB; none when absent. */
  readonly longLine: number | undefined;
  readonly startedMs: number;
}

/** How a line says its level. */
export type LogStyle = "text" | "json" | "logfmt" | "klog" | "bracket";

/** Lines written at once when a container starts. */
const FIRST_LINES = 3;

const LONG_LINE_BYTES = 10_000_000;
const LEVELS = ["info", "info", "info", "info", "debug", "info", "warn", "info", "info", "error"] as const;
const EVENTS = [
  "request served",
  "cache refreshed",
  "connection opened",
  "job finished",
  "retrying upstream",
  "configuration read",
] as const;

/** Annotations of a pod that script its logs. */
export const LOG_ANNOTATIONS = {
  rate: "bench.kas/log-rate",
  style: "bench.kas/log-style",
  rotateLines: "bench.kas/log-rotate-lines",
  longLine: "bench.kas/log-long-line",
} as const;

/** Reads the annotations; values that make no sense count as absent (1 line/s, text, 100,000 lines per file). */
export function logProfile(
  annotations: Readonly<Record<string, string>>,
  instance: Pick<LogProfile, "seed" | "container" | "startedMs">,
): LogProfile {
  const style = annotations[LOG_ANNOTATIONS.style];
  return {
    ...instance,
    style: style === "json" || style === "logfmt" || style === "klog" || style === "bracket" ? style : "text",
    rate: numberOf(annotations[LOG_ANNOTATIONS.rate], 0, 100_000) ?? 1,
    rotateLines: Math.floor(numberOf(annotations[LOG_ANNOTATIONS.rotateLines], 10, 10_000_000) ?? 100_000),
    longLine: numberOf(annotations[LOG_ANNOTATIONS.longLine], 0, 1e9),
  };
}

function numberOf(text: string | undefined, min: number, max: number): number | undefined {
  const value = text === undefined || text === "" ? Number.NaN : Number(text);
  return value >= min && value <= max ? value : undefined;
}

/** Lines that exist at a time: the first ones at the start, then one after the other at the rate. */
export function countAt({ startedMs, rate }: Pick<LogProfile, "startedMs" | "rate">, nowMs: number): number {
  return nowMs < startedMs ? 0 : FIRST_LINES + Math.floor(((nowMs - startedMs) * rate) / 1000);
}

/** When line `n` is written, in nanoseconds since the epoch; strictly increasing. */
export function timeOfLine({ startedMs, rate, seed }: Pick<LogProfile, "startedMs" | "rate" | "seed">, n: number): bigint {
  const start = BigInt(Math.round(startedMs)) * 1_000_000n;
  if (n < FIRST_LINES) return start + BigInt(n) * 1000n;
  // Never, for a container that only says that it starts.
  if (rate === 0) return start + BigInt(n) * 1_000_000_000_000_000n;
  // Rounded up to the microsecond, so that the line is counted from this time on; below that a pattern of its own.
  const micros = BigInt(Math.ceil(((n - FIRST_LINES + 1) * 1_000_000) / rate));
  return start + micros * 1000n + BigInt((n * 7 + seed.length) % 1000);
}

/** Text of line `n` without its end. A pure function of the profile: a test can compute a checksum over all lines. */
export function lineText(profile: LogProfile, n: number): string {
  if (n === profile.longLine) return `line ${n} `.padEnd(LONG_LINE_BYTES, "0123456789abcdef");
  const { container } = profile;
  const number = createHash("sha256").update(`${profile.seed}/${n}`).digest().readUInt32BE(0);
  const level = n < FIRST_LINES ? "info" : (LEVELS[number % LEVELS.length] ?? "info");
  const first = [`starting`, `hello from a simulated container`, `ready`][n];
  const event = first ?? EVENTS[(number >>> 8) % EVENTS.length] ?? "";
  const ms = (number >>> 16) % 1000;
  const time = nanosText(timeOfLine(profile, n));
  switch (profile.style) {
    case "json":
      return JSON.stringify({ time, level, msg: event, logger: container, line: n, durationMs: ms });
    case "logfmt":
      return `time=${time} level=${level} msg="${event}" logger=${container} line=${n} duration=${ms}ms`;
    case "klog":
      return `${level.charAt(0).toUpperCase()}${time.slice(5, 7)}${time.slice(8, 10)} ${time.slice(11, 26)}       1 ${container}.go:${(number % 500) + 1}] ${event} line=${n} duration=${ms}ms`;
    case "bracket":
      return `[${level.toUpperCase()}] ${container}: ${event} line=${n} duration=${ms}ms`;
    default:
      return first === undefined ? `${container}: ${level} ${event} line=${n} duration=${ms}ms` : `${container}: ${event}`;
  }
}
