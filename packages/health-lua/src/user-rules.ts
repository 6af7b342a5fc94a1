import { health, type HealthResult } from "@binnacle/health";
import { fieldsAt, groupOf, textAt, versionOf, type KubeObject } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { machineClock, type Clock } from "./clock.ts";
import { RuleEngine } from "./rule-engine.ts";
import { RuleIndex, type RuleQuestion } from "./rule-index.ts";
import { unknown } from "./rule-outcome.ts";
import type { RuleSet, UserRule } from "./user-rule.ts";

const CACHE_SIZE = 50_000;
const RETRY_MS = 30_000;

/** What `UserRules` may be given. */
export interface UserRulesOptions {
  /** Measures the limits of runs, and the 30 s after which a run that hit one is tried again; default: the machine's. */
  readonly clock?: Clock;
  /** Runs the rules; without it an own one is made, and closed with this object. */
  readonly engine?: RuleEngine;
  /** Opaque key with strikes and a share of the engine's thread of its own; default: one for all of the engine. */
  readonly tenant?: string;
  /** How many results are remembered (about 300 bytes each); default 50,000. More objects than that are evaluated over and over. */
  readonly cacheSize?: number;
}

/** Result of the rules of users for one object. */
export type RuleLookup =
  /** No rule is for this kind: the built-in one decides. */
  | { readonly kind: "none" }
  /** `null`: the rule has no opinion. */
  | { readonly kind: "known"; readonly result: HealthResult | null; readonly rule: UserRule }
  /** Being evaluated; look up again once `settled`, which never rejects, has settled. */
  | { readonly kind: "pending"; readonly settled: Promise<void>; readonly rule: UserRule };

/** Rules of users for kinds of resources, of both languages. They win over the built-in rules, whatever the kind. */
export class UserRules {
  readonly #clock: Clock;
  readonly #engine: RuleEngine;
  readonly #ownsEngine: boolean;
  readonly #tenant: string;
  readonly #results: ResultCache;
  readonly #pending = new Map<string, Promise<void>>();
  readonly #sets = new Map<string, RuleSet>();
  readonly #listeners = new Set<() => void>();
  readonly #failed = new Set<string>();
  readonly #nameless = new WeakMap<KubeObject, string>();
  #nextNameless = 0;
  #index: RuleIndex | undefined;
  #cancelRetry: (() => void) | undefined;
  /** When a rule that is switched off may be evaluated again. */
  #wake: { readonly atMs: number; readonly cancel: () => void } | undefined;
  #closed = false;

  constructor(options: UserRulesOptions = {}) {
    this.#clock = options.clock ?? machineClock;
    this.#engine = options.engine ?? new RuleEngine({ clock: this.#clock });
    this.#ownsEngine = options.engine === undefined;
    this.#tenant = options.tenant ?? "";
    this.#results = new ResultCache(options.cacheSize ?? CACHE_SIZE);
  }

  /** Replaces all rules of one origin; `undefined` removes it. @param originId for example "argocd-cm argocd/argocd-cm" */
  setOrigin(originId: string, rules: RuleSet | undefined): void {
    const before = this.#sets.get(originId);
    if (rules === undefined) this.#sets.delete(originId);
    else this.#sets.set(originId, rules);
    // A ConfigMap changes for many reasons.
    if (fingerprintOf(before) === fingerprintOf(rules)) return;
    this.#index = undefined;
    this.#notify();
  }

  /** What is in force, by the ids that it was given with. */
  get origins(): ReadonlyMap<string, RuleSet> {
    return this.#sets;
  }

  /** The rule for a kind: exact before wildcard; file before argocd-cm before Flux. `undefined`: the built-in rule decides. */
  ruleFor(apiVersion: string, kind: string): UserRule | undefined {
    return this.#find({ group: groupOf(apiVersion), version: versionOf(apiVersion), kind });
  }

  /**
   * Health of the object by the rule of its kind, at once. Results are remembered by uid, resourceVersion and rule. A deleting object is
   * Progressing before any rule is evaluated, as in Argo CD. Never throws.
   */
  lookup(object: KubeObject): RuleLookup {
    const rule = this.#find(questionOf(object));
    if (rule === undefined) return { kind: "none" };
    const known = this.#deleting(object) ?? (this.#closed ? unknown(rule.engine, "Closed", words("rule/closed")) : undefined);
    if (known !== undefined) return { kind: "known", result: known, rule };
    const key = `${this.#identityOf(object)}\n${rule.hash}`;
    const remembered = this.#results.get(key);
    if (remembered !== undefined) return { kind: "known", result: remembered, rule };
    const refusal = this.#engine.refusal(rule, this.#tenant);
    if (refusal?.untilMs !== undefined) this.#wakeAt(refusal.untilMs);
    if (refusal !== undefined) return { kind: "known", result: refusal.result, rule };
    const settled = this.#pending.get(key) ?? this.#evaluate(key, rule, object);
    return { kind: "pending", settled, rule };
  }

  /** Calls `listener` when other rules are in force, and when failed runs are to be looked up again. @returns ends it */
  onChange(listener: () => void): () => void {
    // Its own function, so that a listener that is added twice is called twice.
    const entry = (): void => listener();
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  /** Ends the worker; pending questions settle. Later lookups are Unknown "LuaClosed" or "CelClosed". */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    this.#wake?.cancel();
    this.#wake = undefined;
    this.#listeners.clear();
    this.#results.clear();
    if (this.#ownsEngine) await this.#engine.close();
  }

  #find(question: RuleQuestion): UserRule | undefined {
    this.#index ??= new RuleIndex(this.#sets);
    return this.#index.find(question);
  }

  #evaluate(key: string, rule: UserRule, object: KubeObject): Promise<void> {
    const settled = this.#engine.evaluate({ rule, object, tenant: this.#tenant }).then(({ result, lasting }) => {
      this.#pending.delete(key);
      // Rules that are switched off are not cached: each lookup returns `Disabled` until they are on again.
      if (this.#closed || this.#engine.refusal(rule, this.#tenant)?.untilMs !== undefined) return;
      this.#results.set(key, result);
      if (!lasting) this.#retryLater(key);
    });
    this.#pending.set(key, settled);
    return settled;
  }

  #retryLater(key: string): void {
    this.#failed.add(key);
    this.#cancelRetry ??= this.#clock.after(RETRY_MS, () => {
      this.#cancelRetry = undefined;
      for (const failed of this.#failed) this.#results.delete(failed);
      this.#failed.clear();
      this.#notify();
    });
  }

  /** Notifies listeners when a rule that was switched off is on again; the earliest of several counts. */
  #wakeAt(atMs: number): void {
    if (this.#wake !== undefined && this.#wake.atMs <= atMs) return;
    this.#wake?.cancel();
    const cancel = this.#clock.after(Math.max(0, atMs - this.#clock.now()), () => {
      this.#wake = undefined;
      this.#notify();
    });
    this.#wake = { atMs, cancel };
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #deleting(object: KubeObject): HealthResult | undefined {
    if (textAt(object.metadata, "deletionTimestamp") === "") return undefined;
    const result = health(object, { now: new Date(this.#clock.now()) });
    // Objects with Argo's hook finalizer are not judged by their deletion.
    return result?.reason === "Terminating" ? result : undefined;
  }

  #identityOf(object: KubeObject): string {
    const { uid, resourceVersion } = object.metadata;
    if (uid !== undefined && resourceVersion !== undefined) return `${uid}\n${resourceVersion}`;
    const known = this.#nameless.get(object);
    if (known !== undefined) return known;
    this.#nextNameless += 1;
    const identity = `\n${this.#nextNameless}`;
    this.#nameless.set(object, identity);
    return identity;
  }
}

function questionOf(object: KubeObject): RuleQuestion {
  const { apiVersion, kind } = object;
  const labels = fieldsAt(object.metadata, "labels");
  const owner = {
    namespace: textAt(labels, "kustomize.toolkit.fluxcd.io/namespace"),
    name: textAt(labels, "kustomize.toolkit.fluxcd.io/name"),
  };
  return { group: groupOf(apiVersion), version: versionOf(apiVersion), kind, ...(owner.name === "" ? {} : { owner }) };
}

function fingerprintOf(set: RuleSet | undefined): string {
  if (set === undefined || set.rules.length === 0) return "";
  return JSON.stringify([set.origin, set.rules.map((rule) => ({ ...rule, text: "" }))]);
}

/** Results by question; when full, the least recently used one is removed. */
class ResultCache {
  readonly #size: number;
  readonly #results = new Map<string, HealthResult | null>();

  /** @param size how many results are remembered */
  constructor(size: number) {
    this.#size = size;
  }

  /** `undefined`: not known; `null`: known, and no opinion. */
  get(key: string): HealthResult | null | undefined {
    const result = this.#results.get(key);
    if (result === undefined) return undefined;
    this.#results.delete(key);
    this.#results.set(key, result);
    return result;
  }

  set(key: string, result: HealthResult | null): void {
    this.#results.delete(key);
    this.#results.set(key, result);
    if (this.#results.size <= this.#size) return;
    const oldest = this.#results.keys().next();
    if (oldest.done !== true) this.#results.delete(oldest.value);
  }

  delete(key: string): void {
    this.#results.delete(key);
  }

  clear(): void {
    this.#results.clear();
  }
}
