import { usageFailure } from "../program/exit-codes.ts";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of "30s", "10m", "1h30m" or "0". @throws CommandFailure (64) that names the option */
export function durationMs(text: string, option: string): number {
  if (text === "0") return 0;
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h))+$/.test(text))
    throw usageFailure(`--${option} is a duration such as 30s, 10m or 1h30m, not "${text}".`);
  return [...text.matchAll(/(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h)/g)].reduce(
    (sum, [, number = "0", unit = "s"]) => sum + Number(number) * (UNITS[unit] ?? 0),
    0,
  );
}
