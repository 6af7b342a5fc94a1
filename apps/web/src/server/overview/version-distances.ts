import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import type { ViewerAccess } from "../main-application/main-application.ts";
import type { CommitDistance } from "../main-application/many-projects.ts";

/** Two commits of a project. */
export interface CommitPair {
  readonly project: string;
  readonly base: string;
  readonly head: string;
}

const MAX_PAIRS = 20_000;
const MAX_PROOFS = 20_000;
/** A viewer who could read a repository may be served its cached distances for so long. */
const PROOF_MS = 30_000;

/**
 * Distances of commits, which never change, cached by their pair. A viewer gets a cached one only if they have read the same repository just
 * before; otherwise it is requested again, as this viewer.
 */
export class VersionDistances {
  readonly #pairs = new LRUCache<string, CommitDistance>({ max: MAX_PAIRS });
  /** By credential and project. */
  readonly #proofs: LRUCache<string, true>;
  readonly #underWay = new Map<string, Promise<CommitDistance>>();

  constructor(clock: Clock) {
    const perf = { now: () => clock.now() };
    this.#proofs = new LRUCache({ max: MAX_PROOFS, ttl: PROOF_MS, ttlResolution: 0, perf });
  }

  /** How far the pair is apart for this viewer. @throws Fault `session_ended`, `main_application_unavailable` */
  async of(access: Pick<ViewerAccess, "key" | "compare">, pair: CommitPair, signal: AbortSignal): Promise<CommitDistance> {
    const key = JSON.stringify([pair.project, pair.base, pair.head]);
    const proof = `${access.key}\0${pair.project}`;
    const known = this.#pairs.get(key);
    if (known !== undefined && this.#proofs.get(proof) === true) return known;
    const name = `${access.key}\0${key}`;
    const asking = this.#underWay.get(name) ?? this.#ask(access, { pair, key, proof, name }, signal);
    return asking;
  }

  #ask(
    access: Pick<ViewerAccess, "compare">,
    { pair, key, proof, name }: { readonly pair: CommitPair; readonly key: string; readonly proof: string; readonly name: string },
    signal: AbortSignal,
  ): Promise<CommitDistance> {
    const asking = access
      .compare(pair, signal)
      .then((distance) => {
        if (distance.kind !== "compared") {
          this.#proofs.delete(proof);
          return distance;
        }
        this.#pairs.set(key, distance);
        this.#proofs.set(proof, true);
        return distance;
      })
      .finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, asking);
    return asking;
  }
}
