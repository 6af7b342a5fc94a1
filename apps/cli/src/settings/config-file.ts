import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

import { parse, stringify } from "yaml";

import { usageFailure } from "../program/exit-codes.ts";

/** What the configuration file holds. */
export interface ConfigContent {
  /** Address of the dashboard, with its path prefix. */
  readonly url: string;
  readonly token: string;
  /** Project of commands that name none. */
  readonly project?: string | undefined;
}

const KEYS = ["url", "token", "project"];
const OTHERS_MAY = 0o077;

/** `$XDG_CONFIG_HOME/binnacle/config.yaml`, else below `~/.config`. */
export function configPath(env: Readonly<Record<string, string | undefined>>): string {
  const base = env["XDG_CONFIG_HOME"] ?? "";
  return join(base === "" ? join(env["HOME"] ?? homedir(), ".config") : base, "binnacle", "config.yaml");
}

/** The content of the file; `undefined` when there is none. @throws CommandFailure (64) for one that others can read, or that is wrong */
export function readConfig(path: string): ConfigContent | undefined {
  let text: string;
  try {
    if (process.platform !== "win32" && (statSync(path).mode & OTHERS_MAY) !== 0)
      throw usageFailure(`${path} holds a token, and other users may read it.`, `chmod 600 ${path}`);
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    if (code === "ENOENT") return undefined;
    if (code !== undefined) throw usageFailure(`${path} cannot be read: ${code}`);
    throw error;
  }
  return contentOf(path, text);
}

/** Writes the file for its owner alone: at no moment may others read it. */
export function writeConfig(path: string, content: ConfigContent): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const written = `${path}.${process.pid}`;
  writeFileSync(written, stringify(content), { mode: 0o600, flag: "w" });
  // The mode of a file that was there before is not changed by writing it.
  chmodSync(written, 0o600);
  renameSync(written, path);
}

function contentOf(path: string, text: string): ConfigContent {
  let content: unknown;
  try {
    content = parse(text);
  } catch {
    // What the parser says quotes the line, which may be the token.
    throw usageFailure(`${path} is not YAML.`, "binnacle login");
  }
  if (typeof content !== "object" || content === null) throw usageFailure(`${path} has no keys.`, "binnacle login");
  const fields: Readonly<Record<string, unknown>> = { ...content };
  const unknown = Object.keys(fields).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw usageFailure(`${path}: there is no key "${unknown}".`);
  const { url, token, project } = fields;
  if (typeof url !== "string" || typeof token !== "string") throw usageFailure(`${path} needs url and token.`, "binnacle login");
  if (project !== undefined && typeof project !== "string") throw usageFailure(`${path}: project must be a text.`);
  return { url, token, project };
}
