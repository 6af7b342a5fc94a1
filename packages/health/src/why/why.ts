import type { HealthContext, HealthRef, HealthResult } from "../health-result.ts";
import type { HealthStatus } from "../health-status.ts";
import type { KubeObject } from "@binnacle/kube";
import type { Words } from "@binnacle/words";

/** One step from a resource down to the root reason. */
export interface WhyLink {
  /** A resource; a container of a pod; an event about a resource; something that is referred to and is not there. */
  readonly level: "resource" | "container" | "event" | "reference";
  /** The resource; of a container its Pod; of an event what it is about; of a reference what is missing. */
  readonly ref: HealthRef;
  /** Name of the container, on the level "container" and on events about one. */
  readonly container?: string;
  readonly status: HealthStatus;
  /** Stable word. */
  readonly reason: string;
  /** For people. */
  readonly message: Words;
  /** ISO 8601. */
  readonly since?: string;
}

/** What changed shortly before it began. It came before; that it is the cause is for people to judge. */
export interface PrecedingChange {
  readonly what: "rollout" | "config" | "node" | "scaling";
  /** What changed. */
  readonly ref: HealthRef;
  /** ISO 8601. */
  readonly at: string;
  /** For people. */
  readonly message: Words;
}

/** Why a resource is not well, or what is to be noticed about it. */
export interface Why {
  /** From the resource itself down to the root reason; never empty. */
  readonly chain: readonly WhyLink[];
  /**
   * What is to blame: the object at the end, seen or missing, an image, a webhook, …. Two resources have the same key when, and
   * only when, the same thing is to be fixed for both. Stable, for machines.
   */
  readonly rootKey: string;
  /** Stable word of the root reason. */
  readonly reason: string;
  /** The root reason in one sentence. */
  readonly message: Words;
  /** What to do now: an imperative sentence. */
  readonly nextStep: Words;
  /** ISO 8601: the earliest credible time along the chain. */
  readonly firstBadAt?: string;
  /** The latest change at or before firstBadAt, at most PRECEDING_WINDOW_MS before it. */
  readonly precededBy?: PrecedingChange;
}

/** Something to know about a resource that does not change its status. */
export interface HealthNotice {
  /** Stable word. */
  readonly reason: string;
  /** For people. */
  readonly message: Words;
  /** An imperative sentence. */
  readonly nextStep: Words;
  /** ISO 8601: since when it is so; absent = nothing says so. */
  readonly since?: string;
}

/** The object whose controller creates an object that does not exist yet: it must not be created by hand. */
export interface Maker {
  readonly ref: HealthRef;
  /** Why the maker is not well; `null` = it is, or it is unknown. */
  readonly why: Why | null;
}

/** Something that is referred to and does not exist. */
export interface MissingRef extends HealthRef {
  /** An object that is there and will make it; absent = none is known. */
  readonly madeBy?: Maker;
}

/** What is known besides the resource. The more there is in it, the deeper the chain goes; nothing of it is needed. */
export interface WhyContext extends HealthContext {
  /** Events (core/v1 or events.k8s.io) about the resource and its descendants, in any order. */
  readonly events?: readonly KubeObject[];
  /** Result of `health`, when the caller has it already; `null` = no opinion; absent = it is computed. */
  readonly health?: HealthResult | null;
  /** What the resource or its descendants refer to and that does not exist. */
  readonly missing?: readonly MissingRef[];
}
