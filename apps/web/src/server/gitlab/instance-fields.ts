import type { Clock } from "@binnacle/rpc";

import { RememberedRefusal } from "../base/remembered-refusal.ts";

/** Fields without which a query is still of use, as "<type>.<field>": an early 16.x lacks some of them, and an instance may hide others. */
const OPTIONAL_FIELDS = [
  "Environment.clusterAgent",
  "Environment.kubernetesNamespace",
  "Environment.lastDeployment",
  "Deployment.tag",
  "ClusterAgent.connections",
  "ClusterAgent.tokens",
] as const;

/** One of them. */
export type OptionalField = (typeof OPTIONAL_FIELDS)[number];

/** Whether a query has a field. */
export type HasField = (field: OptionalField) => boolean;

/** What a GitLab instance was found not to answer: each of it is tried again after ten minutes, when it may be of another version. */
export class InstanceFields {
  readonly #missing: Readonly<Record<OptionalField, RememberedRefusal>>;
  /** Pages of a hundred entries are too complex for it. */
  readonly largePages: RememberedRefusal;

  constructor(clock: Clock) {
    const refusal = (): RememberedRefusal => new RememberedRefusal(clock);
    this.largePages = refusal();
    this.#missing = {
      "Environment.clusterAgent": refusal(),
      "Environment.kubernetesNamespace": refusal(),
      "Environment.lastDeployment": refusal(),
      "Deployment.tag": refusal(),
      "ClusterAgent.connections": refusal(),
      "ClusterAgent.tokens": refusal(),
    };
  }

  /** Whether the instance has a field, as far as is known. */
  readonly has: HasField = (field) => !this.#missing[field].isRemembered;

  /** The instance does not have these fields. @returns whether one of them is optional and was not known to be missing */
  miss(fields: readonly string[]): boolean {
    const found = OPTIONAL_FIELDS.filter((field) => fields.includes(field) && this.has(field));
    for (const field of found) this.#missing[field].remember();
    return found.length > 0;
  }
}
