import { readFileSync } from "node:fs";

import { parseRulesFile } from "@binnacle/health-lua";
import { Secret } from "@binnacle/telemetry";
import { z } from "zod";

/** The name of a PEM file; its text in the program. */
export const pemFile = z.string().transform((file, context) => {
  const text = readText(file, context);
  if (text === undefined) return z.NEVER;
  if (text.includes("-----BEGIN ")) return text;
  context.addIssue({ code: "custom", message: `${file} is not a PEM file` });
  return z.NEVER;
});

/** The name of a PEM file with a private key; a `Secret` in the program. */
export const privateKeyFile = pemFile.transform((text) => new Secret(text));

/** The name of a file that holds 32 bytes as base64 text; a `Secret` with that text in the program. */
export const keyFile = z.string().transform((file, context) => {
  const text = readText(file, context)?.trim();
  if (text === undefined) return z.NEVER;
  if (Buffer.from(text, "base64").length === 32) return new Secret(text);
  context.addIssue({ code: "custom", message: `${file} must hold 32 bytes as base64 text` });
  return z.NEVER;
});

/** The name of a YAML file with health rules; the rules in the program. Every rule of it must be good. */
export const rulesFile = z.string().transform((file, context) => {
  const text = readText(file, context);
  if (text === undefined) return z.NEVER;
  const rules = parseRulesFile(text, file);
  for (const message of rules.problems) context.addIssue({ code: "custom", message });
  return rules.problems.length === 0 ? rules : z.NEVER;
});

function readText(file: string, context: z.RefinementCtx): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    context.addIssue({ code: "custom", message: `cannot be read: ${error instanceof Error ? error.message : String(error)}` });
    return undefined;
  }
}
