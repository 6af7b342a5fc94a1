import type { KubeObject } from "@binnacle/kube";

/**
 * Where a fault shows on the screens: among the issues of the summary, as a notice on the resource, or in the drawer alone; "not-counted" is what
 * is intended, which is shown below the issues and never is one.
 */
type Place = "issue" | "notice" | "drawer" | "not-counted";

/** A fault of an environment, and what its page must say. */
export interface FaultWorld {
  /** What is wrong. */
  readonly fault: string;
  /** All that a cluster holds then, in the namespace `app`; Events among it. */
  readonly objects: readonly KubeObject[];
  readonly says: {
    /** Kind and name of whom the page says it. */
    readonly of: string;
    readonly place: Place;
    /** What must stand in the words of the cause. */
    readonly cause: readonly string[];
    /** What the drawer says of the steps down to it. */
    readonly chain?: readonly string[];
    /** What must stand in the next step; absent = nothing is to be done. */
    readonly next?: readonly string[];
    /** Since when; absent = unknown. */
    readonly since?: string;
    /** How many issues the summary counts; absent = one for an issue, none for the rest. */
    readonly issues?: number;
  };
  /**
   * How the embedded cluster comes to it: "made" by its own controllers, or "scripted", by statuses that are written over what they say; absent =
   * not at all. On a real control plane, which has no kubelets, each can be made with statuses that are written.
   */
  readonly embedded?: "made" | "scripted";
}

/** When something was, as Kubernetes writes it: minutes ago. */
export type Ago = (minutes: number) => string;

/** A world at a time. */
export type MakeFaultWorld = (ago: Ago) => FaultWorld;
