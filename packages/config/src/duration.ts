import { z } from "zod";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const PART = /(?<!\d)(\d+(?:\.\d+)?)(ms|s|m|h)/g;

/**
 * Milliseconds of a duration as Go and protobuf write it: "20s", "1h30m", "0.5s".
 *
 * @returns undefined when the text is none
 */
export function parseDuration(text: string): number | undefined {
  if (text === "0") return 0;
  const parts = [...text.matchAll(PART)];
  if (parts.length === 0 || parts.map((part) => part[0]).join("") !== text) return undefined;
  return parts.reduce((sum, part) => sum + Number(part[1]) * (UNITS[part[2] ?? ""] ?? Number.NaN), 0);
}

/** A duration key: text in the file, milliseconds in the program. */
export const duration = z.string().transform((text, context) => {
  const milliseconds = parseDuration(text);
  if (milliseconds !== undefined) return milliseconds;
  context.addIssue({ code: "custom", message: `"${text}" is no duration; write it like "20s", "5m" or "1h30m"` });
  return z.NEVER;
});
