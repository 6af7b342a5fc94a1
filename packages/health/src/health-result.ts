import type { KubeObject } from "@binnacle/kube";
import type { Words } from "@binnacle/words";

import type { KnownCertificate } from "./certificate/known-certificate.ts";
import type { HealthStatus } from "./health-status.ts";

/** A resource by name, as causes refer to it. */
export interface HealthRef {
  /** API group, empty for core. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
  /** Absent for an object that was not seen. */
  readonly uid?: string;
}

/** One resource that is to blame, and what is wrong with it. */
export interface HealthCause {
  readonly ref: HealthRef;
  readonly status: HealthStatus;
  /** Stable word, for example "ImagePullBackOff". */
  readonly reason: string;
  /** For people. */
  readonly message: Words;
  /** ISO 8601. */
  readonly since?: string;
}

/** Health of one resource. */
export interface HealthResult {
  readonly status: HealthStatus;
  /** Stable word, for example "ImagePullBackOff", "CrashLoopBackOff" or "Terminating". */
  readonly reason: string;
  /** For people. */
  readonly message: Words;
  /** Of custom resources: the field or the condition that says so, by path and value. Absent where there is none. */
  readonly because?: Words;
  /** ISO 8601: since when, where the object says so. */
  readonly since?: string;
  /** Progressing for longer than ten minutes. */
  readonly stale: boolean;
  /** Other resources that made it so, nearest first. */
  readonly causes: readonly HealthCause[];
  /** How many more there are than `causes` names; absent = none. */
  readonly moreCauses?: number;
}

/** What a rule may know besides the object itself. */
export interface HealthContext {
  /** The current time: ISO 8601 or a Date. */
  readonly now: string | Date;
  /**
   * Objects that rules may look at: descendants of a workload, Pods and StorageClass of a PVC, Ingresses of the same class,
   * Jobs of a CronJob, the CustomResourceDefinition of a custom resource. Absent = not known; `[]` = known, there are none.
   */
  readonly related?: readonly KubeObject[];
  /** Events about the object; absent = not known. */
  readonly events?: readonly KubeObject[];
  /**
   * What the caller keeps watching: all of the cluster, or some namespaces only, so that what lies in others is never seen. Known = where
   * a rule can only wait for what does not come, it has no opinion after a while; absent = not known, and nothing is concluded from it.
   */
  readonly scope?: HealthScope;
  /** Certificates in the Secrets that an Ingress or a Gateway names; absent = not known, and they have no effect. */
  readonly certificates?: readonly KnownCertificate[];
}

/** How far a caller sees. */
export type HealthScope = "cluster" | "namespaces";
