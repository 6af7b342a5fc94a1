import { createHash } from "node:crypto";

import { EXPRESSION_NAMES, type CelExpressions } from "./cel-rule.ts";
import type { RuleLanguage } from "./worker-message.ts";

/** Rules longer than this (256 KiB) are not run. */
const MAX_RULE_LENGTH = 256 * 1024;

/** Where rules come from; the earlier wins over the later. */
export const ORIGINS = ["file", "argocd-cm", "flux"] as const;
export type RuleOrigin = (typeof ORIGINS)[number];

/** One rule of a user for one kind, or for all kinds that a pattern matches. */
export interface UserRule {
  readonly engine: RuleLanguage;
  /** Where it stands, for people: "argocd-cm argocd/argocd-cm, resource.customizations.health.cert-manager.io_Certificate". */
  readonly source: string;
  /** `<group>/<kind>`, the group empty for core; `*` is any run of characters and `?` is one, also across the slash. */
  readonly pattern: string;
  /** Version of the API that the rule names; a rule for another version of the kind still counts, after one for the very version. */
  readonly version?: string;
  /** The Kustomization that brings the rule: its own objects prefer it. */
  readonly owner?: { readonly namespace: string; readonly name: string };
  /** The script, or the expressions as JSON. */
  readonly text: string;
  /** Of engine and text: rules with the same hash give the same answers. */
  readonly hash: string;
  /** Why it cannot run. It still wins over the built-in rule, and reports this. */
  readonly problem?: string;
}

/** All rules of one ConfigMap, one Kustomization or one file. */
export interface RuleSet {
  readonly origin: RuleOrigin;
  readonly rules: readonly UserRule[];
  /** Sentences about parts that could not be read, or cannot run; the other parts count. */
  readonly problems: readonly string[];
}

/** Where a rule stands and what it is for. */
export type RulePlace = Pick<UserRule, "source" | "pattern" | "version" | "owner">;

/** A rule of Argo CD. */
export function createLuaRule(place: RulePlace, script: string): UserRule {
  return { ...place, ...bodyOf("lua", script), ...(script.length > MAX_RULE_LENGTH ? { problem: "it is longer than 256 KiB" } : {}) };
}

/** A rule of Flux. @param problem why it cannot run */
export function createCelRule(place: RulePlace, expressions: CelExpressions, problem?: string): UserRule {
  // Names in one order, so that the same expressions have the same hash.
  const text = JSON.stringify(Object.fromEntries(EXPRESSION_NAMES.map((name) => [name, expressions[name] ?? ""])));
  return { ...place, ...bodyOf("cel", text), ...(problem === undefined ? {} : { problem }) };
}

function bodyOf(engine: RuleLanguage, text: string): Pick<UserRule, "engine" | "text" | "hash"> {
  return { engine, text, hash: createHash("sha256").update(`${engine} ${text}`).digest("base64") };
}
