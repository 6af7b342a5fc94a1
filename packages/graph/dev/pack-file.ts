import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { isFields, type Fields } from "@binnacle/kube";
import { parse } from "yaml";

import { readRule } from "../src/read-edge-rule.ts";
import type { CustomEdgeRule, EdgePack } from "../src/custom-edge-rule.ts";

const FOLDER = join(import.meta.dirname, "..", "packs");

/** One world and all lines that packs draw in it. */
export interface PackWorld {
  readonly title: string;
  /** Kinds of which everything is seen, as `group/kind`. */
  readonly synced?: readonly string[];
  /** Objects in short: `is` is `apiVersion/Kind`, `ns` the namespace ("env" when absent, empty for cluster scope). */
  readonly objects: readonly Fields[];
  readonly edges: readonly string[];
}

/** A pack and its cases. */
export interface PackFile {
  readonly pack: EdgePack;
  readonly worlds: readonly PackWorld[];
}

/**
 * Reads the packs of `packages/graph/packs`. In these files `from` and `path` may be lists, and a kind may be the text `group/Kind`: each
 * combination is a rule.
 *
 * @throws Error that names the file, the rule and the field that is wrong
 */
export function readPackFiles(): PackFile[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".yaml"));
  return files.toSorted().map((file) => {
    const name = basename(file, ".yaml");
    const content: unknown = parse(readFileSync(join(FOLDER, file), "utf8"));
    if (!isFields(content) || content["pack"] !== name) throw new Error(`${file}: pack: must be the name of the file, ${name}`);
    const { about, rules, worlds } = content;
    if (typeof about !== "string" || !Array.isArray(rules) || !Array.isArray(worlds)) throw new Error(`${file}: about, rules, worlds`);
    const each = rules.flatMap((rule: unknown, index) => rulesOf(rule, index, { file, name }));
    // The test that runs the worlds reads all their fields.
    return { pack: { name, about, rules: each }, worlds: worlds as PackWorld[] };
  });
}

function rulesOf(value: unknown, index: number, { file, name }: { file: string; name: string }): CustomEdgeRule[] {
  const { inverse, ...written }: Fields = isFields(value) ? value : {};
  const paths = Array.isArray(written["path"]) ? written["path"] : [written["path"]];
  const to = written["to"] === undefined ? {} : { to: kindOf(written["to"]) };
  return [written["from"]].flat().flatMap((from) =>
    paths.map((path: unknown) => {
      const { rule, problems } = readRule({ ...written, from: kindOf(from), ...(path === undefined ? {} : { path }), ...to }, index);
      const [problem] = problems;
      if (rule === undefined) throw new Error(`${file}: ${problem?.rule}: ${problem?.field}: ${problem?.message}`);
      if (inverse === true && !("optional" in rule)) throw new Error(`${file}: ${rule.id}: inverse: only an optional reference may be`);
      return { ...rule, ...(inverse === true ? { inverse } : {}), pack: name };
    }),
  );
}

/** `group/Kind` as fields; what is fields already stays. */
function kindOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const slash = value.lastIndexOf("/");
  return { group: value.slice(0, slash), kind: value.slice(slash + 1) };
}
