import { createHash } from "node:crypto";

import type { HealthResult } from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import { isStrike, resultOf, unknown } from "./lua-result.ts";
import { LuaWorker } from "./lua-worker.ts";

const MAX_SCRIPT_LENGTH = 256 * 1024;
const STRIKES = 3;
const STRIKE_WINDOW_MS = 10 * 60 * 1000;

/** What scripts need from outside. */
export interface LuaHealthOptions {
  /** Measures the 250 ms a run may take, and the ten minutes in which three strikes count. */
  readonly clock: Clock;
  /** How many results are remembered; default 10,000. */
  readonly cacheSize?: number;
}

interface Evaluated {
  readonly result: HealthResult | null;
  /** Whether the same object will have the same result. */
  readonly lasting: boolean;
}

/** Runs Argo CD's health scripts in a worker thread of its own, which starts with the first evaluation. */
export class LuaHealth {
  readonly #clock: Clock;
  readonly #cacheSize: number;
  readonly #worker: LuaWorker;
  readonly #results = new Map<string, Promise<HealthResult | null>>();
  readonly #strikes = new Map<string, readonly number[]>();
  readonly #disabled = new Map<string, string>();

  constructor(options: LuaHealthOptions) {
    this.#clock = options.clock;
    this.#cacheSize = options.cacheSize ?? 10_000;
    this.#worker = new LuaWorker(options.clock);
  }

  /**
   * Health of the resource as the script sees it; `null` when the script returns nothing (no opinion). Never rejects: whatever goes wrong
   * is Unknown with a reason. Results are remembered by uid, resourceVersion and script; objects without these are always evaluated.
   */
  evaluate(script: string, resource: KubeObject): Promise<HealthResult | null> {
    if (script.length > MAX_SCRIPT_LENGTH) return Promise.resolve(unknown("LuaTooLong", "The health script is longer than 256 KiB"));
    const hash = createHash("sha256").update(script).digest("base64");
    const { uid, resourceVersion } = resource.metadata;
    if (uid === undefined || resourceVersion === undefined) return this.#run(hash, script, resource).then(({ result }) => result);
    const key = JSON.stringify([uid, resourceVersion, hash]);
    const known = this.#results.get(key);
    this.#results.delete(key);
    const result = known ?? this.#runAndForgetFailures(key, this.#run(hash, script, resource));
    this.#results.set(key, result);
    this.#forgetOldest();
    return result;
  }

  /** Ends the worker. Open and later evaluations are Unknown "LuaClosed". */
  close(): Promise<void> {
    this.#results.clear();
    return this.#worker.close();
  }

  async #runAndForgetFailures(key: string, run: Promise<Evaluated>): Promise<HealthResult | null> {
    const { result, lasting } = await run;
    if (!lasting) this.#results.delete(key);
    return result;
  }

  async #run(hash: string, script: string, resource: KubeObject): Promise<Evaluated> {
    const refused = this.#disabled.get(hash);
    if (refused !== undefined) return { result: unknown("LuaDisabled", refused), lasting: false };
    let json: string;
    try {
      json = JSON.stringify(resource);
    } catch {
      return { result: unknown("LuaError", "The resource cannot be written as JSON"), lasting: false };
    }
    const outcome = await this.#worker.run({ script, json });
    const result = resultOf(outcome);
    if (!isStrike(outcome)) return { result, lasting: outcome.tag !== "closed" };
    this.#strike(hash, result?.message ?? "");
    return { result, lasting: false };
  }

  #strike(hash: string, message: string): void {
    const now = this.#clock.now();
    const strikes = [...(this.#strikes.get(hash) ?? []).filter((at) => now - at < STRIKE_WINDOW_MS), now];
    this.#strikes.set(hash, strikes);
    if (strikes.length < STRIKES) return;
    this.#strikes.delete(hash);
    this.#disabled.set(hash, `The health script is switched off after ${STRIKES} failures, the last one: ${message}`);
  }

  #forgetOldest(): void {
    if (this.#results.size <= this.#cacheSize) return;
    const oldest = this.#results.keys().next();
    if (oldest.done !== true) this.#results.delete(oldest.value);
  }
}
