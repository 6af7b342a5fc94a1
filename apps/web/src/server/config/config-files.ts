import { readFileSync } from "node:fs";

import { ConfigError, readSecretFile } from "@binnacle/config";
import { parseRulesFile } from "@binnacle/health-lua";
import { Secret } from "@binnacle/telemetry";
import { z } from "zod";

import { parseSessionKeys, type SessionKeys } from "./session-keys.ts";
import { digestOf } from "./follow-files.ts";

/** A file that the configuration names, as it was read at the start. */
export interface ConfigFile<T> {
  readonly file: string;
  readonly content: T;
  /** Of its text: by this a change is seen. */
  readonly digest: string;
}

/** The name of a PEM file; with its text in the program. */
export const pemFile = z.string().transform((file, context): ConfigFile<string> => {
  const text = readText(file, context);
  if (text === undefined) return z.NEVER;
  if (isPem(text)) return { file, content: text, digest: digestOf(text) };
  context.addIssue({ code: "custom", message: `${file} is not a PEM file` });
  return z.NEVER;
});

/** The name of a PEM file with a private key; with a `Secret` in the program. */
export const privateKeyFile = pemFile.transform(({ file, content, digest }) => ({ file, content: new Secret(content), digest }));

/** The name of a file with one or two session keys; with the keys in the program. */
export const sessionKeyFile = z.string().transform((file, context): ConfigFile<SessionKeys> => {
  const text = readText(file, context);
  if (text === undefined) return z.NEVER;
  try {
    return { file, content: parseSessionKeys(text), digest: digestOf(text) };
  } catch (error) {
    context.addIssue({ code: "custom", message: `${file} ${error instanceof Error ? error.message : String(error)}` });
    return z.NEVER;
  }
});

/** The name of a file with a secret that another program has too, base64; with a `Secret` in the program, of the same text. */
export const sharedSecretFile = z.string().transform((file, context): ConfigFile<Secret> => {
  try {
    const content = new Secret(readSecretFile(file, "").toString("base64"));
    return { file, content, digest: digestOf(content.reveal()) };
  } catch (error) {
    const message = error instanceof ConfigError ? (error.problems[0]?.message ?? error.message) : String(error);
    context.addIssue({ code: "custom", message: `${file}: ${message}` });
    return z.NEVER;
  }
});

/** The name of a file with one line of text that is a secret; with a `Secret` in the program. */
export const textSecretFile = z.string().transform((file, context): ConfigFile<Secret> => {
  const text = readText(file, context)?.trim();
  if (text === undefined) return z.NEVER;
  if (/^[\x21-\x7E]+$/.test(text)) return { file, content: new Secret(text), digest: digestOf(text) };
  context.addIssue({ code: "custom", message: `${file} must hold one line of text without spaces` });
  return z.NEVER;
});

/** Whether a text holds something in PEM form. */
function isPem(text: string): boolean {
  return text.includes("-----BEGIN ");
}

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
