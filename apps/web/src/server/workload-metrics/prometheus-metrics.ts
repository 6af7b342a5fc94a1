import type { Clock } from "@binnacle/rpc";
import type { Words } from "@binnacle/words";
import { LRUCache } from "lru-cache";

import type { KasAccess } from "../kas/kas-access.ts";
import { FreshAnswers } from "../base/fresh-answers.ts";
import { askPrometheus, type PrometheusQuestion } from "./ask-prometheus.ts";
import type { Measured } from "./measured.ts";
import { MOMENT_S } from "./time-grid.ts";

/** A rejected query is not sent again for this time: a user who passes over twenty cards causes one query. */
const REFUSED_MS = 60_000;
const FRESH_MS = MOMENT_S * 1_000;
/** kas and the agent answer within it, or not at all. */
const LIMIT_MS = 20_000;
const MAX_ANSWERS = 500;
const MAX_REFUSALS = 2_000;

/** Figures of a Prometheus behind an agent. An answer is for the credential of its query, and no other. */
export class PrometheusMetrics {
  readonly #answers: FreshAnswers<Measured>;
  readonly #refusals: LRUCache<string, Words>;

  constructor(clock: Clock) {
    this.#answers = new FreshAnswers(clock, MAX_ANSWERS);
    this.#refusals = new LRUCache({ max: MAX_REFUSALS, ttl: REFUSED_MS, ttlResolution: 0, perf: { now: () => clock.now() } });
  }

  /** Measurements, queried in the same five seconds; a rejection at most a minute ago. */
  read(access: Pick<KasAccess, "credentialKey" | "agentId" | "kas" | "reading">, question: PrometheusQuestion): Promise<Measured> {
    const { service, subject, metric, grid } = question;
    const door = [access.credentialKey, String(access.agentId), service];
    const doors = { service: JSON.stringify(door), namespace: JSON.stringify([...door, subject.namespace]) };
    const refused = this.#refusals.get(doors.service) ?? this.#refusals.get(doors.namespace);
    if (refused !== undefined) return Promise.resolve({ kind: "refused", why: refused });
    const key = JSON.stringify([...door, subject.namespace, subject.kind, subject.name, metric, grid.start, grid.step]);
    return this.#answers.read(key, async () => {
      const answer = await askPrometheus(access, question, AbortSignal.timeout(LIMIT_MS));
      if (answer.kind === "measured") return { answer, freshMs: FRESH_MS };
      if (answer.kind === "refused" && answer.reach !== "question") this.#refusals.set(doors[answer.reach], answer.why);
      return { answer: { kind: "refused", why: answer.why }, freshMs: answer.kind === "refused" ? REFUSED_MS : FRESH_MS };
    });
  }
}
