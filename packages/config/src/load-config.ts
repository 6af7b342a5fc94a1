import { readFileSync } from "node:fs";

import { parse, parseDocument } from "yaml";
import type { z } from "zod";

import { ConfigError, type ConfigProblem } from "./config-error.ts";

/** A configuration file is small; anything larger is not one. */
const MAX_BYTES = 1024 * 1024;

/** Where a configuration comes from. */
export interface ConfigSource<S extends z.ZodType> {
  /** A `strictObject`: a key it does not know is a mistake. */
  readonly schema: S;
  /** Path of the YAML file; absent: the environment and the defaults alone. */
  readonly file?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `KAS` for `KAS__AGENT__…`. */
  readonly envPrefix: string;
}

/** Plain YAML data. */
type ConfigTree = { [key: string]: unknown };

function textOf(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigError(file, [{ path: "", message: `cannot be read: ${error instanceof Error ? error.message : String(error)}` }]);
  }
  return text;
}

/**
 * Data of a YAML 1.2 text. Aliases are bounded, so that a few lines cannot become gigabytes.
 *
 * @param source name of the text, for the error
 * @param maxBytes UTF-8 bytes it may have
 * @throws ConfigError with line and column of every mistake
 */
export function parseYaml(text: string, source: string, maxBytes = MAX_BYTES): unknown {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) throw new ConfigError(source, [{ path: "", message: `has ${bytes} bytes, at most ${maxBytes} are allowed` }]);
  const document = parseDocument(text, { version: "1.2", uniqueKeys: true, prettyErrors: true });
  if (document.errors.length > 0) {
    throw new ConfigError(
      source,
      document.errors.map((error) => ({ path: "", message: error.message.split("\n")[0] ?? error.message })),
    );
  }
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new ConfigError(source, [{ path: "", message: error instanceof Error ? error.message : String(error) }]);
  }
}

/** Every mistake that zod found, with its path in dots; one line for each unknown key. */
export function problemsOf(error: z.ZodError): ConfigProblem[] {
  return error.issues.flatMap((issue): ConfigProblem[] => {
    const path = issue.path.map(String);
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({ path: [...path, key].join("."), message: "is no key we know" }));
    const missing = issue.code === "invalid_type" && issue.message.endsWith("received undefined");
    return [{ path: path.join("."), message: missing ? `is missing; expected ${issue.expected}` : issue.message }];
  });
}

/**
 * Reads the YAML file, lays the environment over it and checks the result.
 *
 * @throws ConfigError that lists every mistake at once
 */
export function loadConfig<S extends z.ZodType>(source: ConfigSource<S>): z.output<S> {
  const name = source.file ?? "the configuration";
  const data = source.file === undefined ? {} : (parseYaml(textOf(source.file), source.file) ?? {});
  if (typeof data !== "object" || Array.isArray(data))
    throw new ConfigError(name, [{ path: "", message: "must be a mapping of keys to values" }]);
  // An object that is no array is a tree of unknown values.
  const tree = overlayEnvironment(data as ConfigTree, {
    env: source.env,
    prefix: source.envPrefix,
    parseScalar: (text) => parse(text) as unknown,
  });
  const result = source.schema.safeParse(tree);
  if (!result.success) throw new ConfigError(name, problemsOf(result.error));
  return result.data;
}

function isTree(value: unknown): value is ConfigTree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Lays environment variables over a configuration: `KAS__AGENT__LISTEN__ADDRESS=…` sets `agent.listen.address`. Two underscores, so
 * that Kubernetes' own `KAS_PORT` never collides. Values are read as YAML scalars by `parseScalar`.
 *
 * @returns a new tree; the given one is left as it is
 */
function overlayEnvironment(
  tree: ConfigTree,
  options: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly prefix: string;
    readonly parseScalar: (text: string) => unknown;
  },
): ConfigTree {
  const result = structuredClone(tree);
  for (const [name, text] of Object.entries(options.env)) {
    if (text === undefined || !name.startsWith(`${options.prefix}__`)) continue;
    const path = name
      .slice(options.prefix.length + 2)
      .toLowerCase()
      .split("__");
    const last = path.pop();
    if (last === undefined) continue;
    let node = result;
    for (const key of path) {
      const child = Object.hasOwn(node, key) ? node[key] : undefined;
      const next: ConfigTree = isTree(child) ? child : {};
      Object.defineProperty(node, key, { value: next, enumerable: true, configurable: true, writable: true });
      node = next;
    }
    Object.defineProperty(node, last, { value: options.parseScalar(text), enumerable: true, configurable: true, writable: true });
  }
  return result;
}
