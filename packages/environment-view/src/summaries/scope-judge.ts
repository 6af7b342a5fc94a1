import type { CustomEdgeRule } from "@binnacle/graph";
import type { KubeObject, ResourceKind } from "@binnacle/kube";
import { Presence, type EnvironmentHealth, type ResourceRef } from "@binnacle/proto/dashboard";

import type { HealthRules, RuleAnswer } from "../scope/health-rules.ts";
import { EventIndex } from "../nodes/event-index.ts";
import type { CertificateRequest } from "../certificates/certificate-requests.ts";
import type { AnswerOf } from "../certificates/node-certificates.ts";
import { deployersOf, shownDeployers, type Deployers } from "../scope/deployer.ts";
import { GraphProjection } from "../projection/graph-projection.ts";
import { accessOf } from "../sources/source-access.ts";
import type { ViewConnection, ViewSource } from "../stream/view-model.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import { ViewState } from "../stream/view-state.ts";
import { countNode, runningImagesOf, sumOfCounts, workloadImagesOf, type NodeCounts, type RunningImages } from "./node-counts.ts";

/** A rule of a user may need more rounds; then its last result does not count for this sample. */
const MAX_RULE_ROUNDS = 3;
const CONNECTION: ViewConnection = { state: "connected", sinceMs: 0 };

/** What was read of a scope. */
export interface ScopeReading {
  readonly scope: ViewScope;
  /** Kinds that count as served. */
  readonly kinds: readonly ResourceKind[];
  readonly objects: readonly KubeObject[];
  /** How well each kind was seen; kinds that are no gap are left out. */
  readonly sources: readonly ViewSource[];
}

/** Whose rules judge. */
export interface ScopeJudgeOptions {
  readonly rules: HealthRules | undefined;
  readonly customEdges: readonly CustomEdgeRule[];
  /** Nothing that a rule of a user may read was left out of an object. */
  readonly isWhole: (object: KubeObject) => boolean;
  /** What is known of the certificate in a Secret. */
  readonly certificateOf: AnswerOf;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What a look at a scope has found. */
export interface ScopeVerdict {
  readonly health: EnvironmentHealth;
  readonly counts: NodeCounts;
  /** Tools that mark what was read as their own. */
  readonly deployers: Deployers;
  /** Images that workloads run. */
  readonly images: RunningImages;
  /** What something refers to and was not among the objects. */
  readonly missing: readonly ResourceRef[];
  /** Secrets whose certificates would be judged by. */
  readonly certificates: readonly CertificateRequest[];
}

/** Judges what was read of a scope as the environment page does, with its own projection, and keeps nothing of it. */
export async function judgeScope(reading: ScopeReading, options: ScopeJudgeOptions): Promise<ScopeVerdict> {
  const { scope, kinds, objects, sources } = reading;
  const rules = options.rules && new AwaitedRules(options.rules);
  const { now, isWhole, customEdges, certificateOf } = options;
  const known = { isWhole, customEdges, certificateOf };
  const projection = new GraphProjection({ scope, now, events: new EventIndex(), rules, ...known, changed: () => {} });
  projection.setKinds(kinds);
  for (const object of objects) projection.upsert(object);
  projection.setAccess(accessOf(sources, false));
  const state = new ViewState(projection.health(sources), CONNECTION);
  projection.flush(state);
  for (let round = 0; round < MAX_RULE_ROUNDS && (await rules?.settled()) === true; round += 1) projection.flush(state);
  const subscription = state.open(() => {});
  const message = subscription.take();
  subscription.close();
  const nodes = message?.kind === "snapshot" ? message.nodes : [];
  return {
    health: projection.health(sources),
    counts: sumOfCounts(nodes.map(countNode)),
    deployers: shownDeployers(deployersOf(nodes.map(({ managedBy }) => managedBy))),
    images: runningImagesOf(nodes.flatMap((node) => workloadImagesOf(node) ?? [])),
    missing: nodes.flatMap(({ presence, ref }) => (presence === Presence.MISSING && ref ? [ref] : [])),
    certificates: projection.takeCertificateRequests() ?? [],
  };
}

/** Rules whose answers can be waited for. */
class AwaitedRules implements HealthRules {
  readonly #rules: HealthRules;
  #pending: Promise<void>[] = [];

  constructor(rules: HealthRules) {
    this.#rules = rules;
  }

  ruleFor(apiVersion: string, kind: string): { readonly source: string } | undefined {
    return this.#rules.ruleFor(apiVersion, kind);
  }

  lookup(object: KubeObject): RuleAnswer {
    const answer = this.#rules.lookup(object);
    if (answer.kind === "pending") this.#pending.push(answer.settled);
    return answer;
  }

  /** It does not live long enough for a change. */
  onChange(): () => void {
    return () => {};
  }

  /** Settles when all pending rules have answered. @returns false when none was pending since the last call */
  async settled(): Promise<boolean> {
    const pending = this.#pending;
    this.#pending = [];
    await Promise.all(pending);
    return pending.length > 0;
  }
}
