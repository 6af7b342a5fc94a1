import type { GraphNode, ResourceGraph } from "@binnacle/graph";
import { health, type HealthResult, type HealthScope } from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";

import type { NodeCertificates } from "../certificates/node-certificates.ts";
import type { HealthRules } from "../scope/health-rules.ts";
import type { EventIndex } from "./event-index.ts";
import type { ViewNames } from "./view-names.ts";

/** What was decided about one object, and by which rule of a user; an empty rule is the built-in one. */
export interface Judgement {
  /** `null`: no opinion. */
  readonly result: HealthResult | null;
  readonly rule: string;
}

/** What a judge works with. */
export interface NodeJudgeOptions {
  readonly graph: ResourceGraph;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly rules: HealthRules | undefined;
  /** Nothing that a rule of a user may read was left out of an object. */
  readonly isWhole: (object: KubeObject) => boolean;
  /** Whether all namespaces are read, so that the Ingresses of a class are all known. */
  readonly reach: HealthScope;
  /** A rule of a user has answered: the node is to be judged again. */
  readonly settled: (id: string) => void;
  readonly certificates: Pick<NodeCertificates, "of">;
  readonly events: Pick<EventIndex, "about">;
}

/** Judges nodes: a rule of a user first, then the built-in one, with what is known around the node. */
export class NodeJudge {
  readonly #options: NodeJudgeOptions;
  /** Kinds that rules look at beside the object are all there; else what is related is not known. */
  relatedKnown = false;

  constructor(options: NodeJudgeOptions) {
    this.#options = options;
  }

  /**
   * @returns `undefined` while a rule of a user is being evaluated, or waits for the whole object: the last result still holds
   */
  judge(node: GraphNode, object: KubeObject, names: ViewNames): Judgement | undefined {
    const { rules, isWhole } = this.#options;
    // Of most objects something was left out, and no rule is for them: then asking for the rule is all there is to ask.
    const isCut = rules !== undefined && !isWhole(object);
    if (isCut && rules.ruleFor(object.apiVersion, object.kind) !== undefined) return undefined;
    const answer = isCut ? NO_RULE : (rules?.lookup(object) ?? NO_RULE);
    if (answer.kind === "known") return { result: answer.result, rule: answer.rule.source };
    if (answer.kind === "pending") {
      // It never rejects, and `settled` reports the result.
      void answer.settled.then(() => this.#options.settled(node.id));
      return undefined;
    }
    const related = this.relatedOf(node, object, names);
    const { now, reach } = this.#options;
    const certificates = this.#options.certificates.of(node);
    const context = {
      now: new Date(now()),
      scope: reach,
      ...(related === undefined ? {} : { related }),
      ...(certificates === undefined ? {} : { certificates }),
      ...(object.kind === "PersistentVolumeClaim" ? { events: this.#options.events.about(object) } : {}),
    };
    return { result: health(object, context), rule: "" };
  }

  /** What rules may look at; `undefined` = not known. */
  relatedOf(node: GraphNode, object: KubeObject, names: ViewNames): readonly KubeObject[] | undefined {
    // Other namespaces' Ingresses of the class are out of sight, so the class as a whole is not known.
    if (object.kind === "Ingress" && this.#options.reach === "namespaces") return undefined;
    const definition = names.definitionOf(node.group, node.kind);
    if (!this.relatedKnown) return definition && [definition];
    const related = this.#options.graph.relatedOf(node.id);
    return definition ? [definition, ...related] : related;
  }
}

const NO_RULE = { kind: "none" } as const;
