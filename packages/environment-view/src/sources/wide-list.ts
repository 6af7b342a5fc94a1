import type { ResourceKind } from "@binnacle/kube";
import { sleep } from "@binnacle/rpc";

import { KubeClientError } from "../base/kube-client.ts";
import type { SourceSurroundings } from "./running-source.ts";
import type { WideAccess } from "./source-choice.ts";
import type { SourcePhase } from "../reflector/source-phase.ts";

/** What was found out about a list of all namespaces is believed this long. */
const BELIEVED_MS = 600_000;
/** The API server gave no definite answer. */
const RETRY_MS = 60_000;

/** What finding out works with. */
export interface WideListOptions {
  readonly kind: ResourceKind;
  readonly surroundings: Pick<SourceSurroundings, "client" | "semaphore" | "monitor" | "clock" | "signal">;
  /** Ends everything. */
  readonly signal: AbortSignal;
  /** Something was found out, or is no longer believed. */
  readonly changed: () => void;
}

/** What is known of one list of all namespaces of a kind: whether it is allowed, and how many objects it would bring. */
export class WideList {
  readonly #options: WideListOptions;
  #access: WideAccess = "unknown";
  #objects = 0;
  #asking = false;
  #cancelForgetting: () => void = () => {};

  constructor(options: WideListOptions) {
    this.#options = options;
  }

  get access(): WideAccess {
    return this.#access;
  }

  /** Objects of all namespaces, as far as is known. */
  get objects(): number {
    return this.#objects;
  }

  /** The source of all namespaces has come to this phase. */
  learnFrom(phase: SourcePhase): void {
    if (phase === "loading") return;
    if (phase !== "whole") return this.#learn("refused", phase === "blocked" ? BELIEVED_MS : RETRY_MS);
    this.#cancelForgetting();
    this.#access = "allowed";
  }

  /** The source of all namespaces has ended, and had so many objects. */
  left(objects: number): void {
    this.#objects = objects;
    this.#learn("allowed", BELIEVED_MS);
  }

  /** Asks whether all namespaces may be listed, and how many objects that would be. */
  ask(): void {
    if (this.#asking) return;
    this.#asking = true;
    const { signal, surroundings, changed } = this.#options;
    // It never rejects.
    void this.#count(AbortSignal.any([signal, surroundings.signal])).then((learned) => {
      this.#asking = false;
      if (signal.aborted || learned === undefined) return;
      this.#objects = learned.objects;
      this.#learn(learned.access, learned.forMs);
      changed();
    });
  }

  close(): void {
    this.#cancelForgetting();
  }

  async #count(signal: AbortSignal): Promise<{ access: WideAccess; objects: number; forMs: number } | undefined> {
    const { surroundings, kind } = this.#options;
    const { client, semaphore, monitor, clock } = surroundings;
    while (!signal.aborted) {
      try {
        const page = await semaphore.run(() => client.list({ kind, namespace: "", limit: 1, metadataOnly: true }, signal));
        monitor.answered();
        return { access: "allowed", objects: page.items.length + (page.remaining ?? 0), forMs: BELIEVED_MS };
      } catch (error) {
        if (signal.aborted) break;
        const isAnswer = error instanceof KubeClientError && (error.failure === "api" || error.failure === "too_large");
        if (isAnswer) return { access: "refused", objects: 0, forMs: isRefusal(error) ? BELIEVED_MS : RETRY_MS };
        const proven = monitor.proven(signal);
        monitor.suspect();
        await proven;
        await sleep(clock, 1_000, signal);
      }
    }
    return undefined;
  }

  #learn(access: WideAccess, forMs: number): void {
    this.#access = access;
    this.#cancelForgetting();
    this.#cancelForgetting = this.#options.surroundings.clock.after(forMs, () => {
      this.#access = "unknown";
      this.#options.changed();
    });
  }
}

/** It was the right that lacked, not the server. */
function isRefusal(error: unknown): boolean {
  const code = error instanceof KubeClientError ? (error.status?.code ?? 0) : 0;
  return code === 403 || code === 404 || code === 405;
}
