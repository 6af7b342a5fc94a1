/** What a person, the page and the API say of an object, in the words of `data-health`; `none` = there is no verdict. */
export type OperatorHealth = "none" | "healthy" | "suspended" | "progressing" | "missing" | "degraded" | "unknown";

/** Any object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** A moment in the life of an object: what is written, and what a person who reads it says. */
export interface Moment {
  readonly what: string;
  /** Takes the place of the status; absent = its controller writes nothing. */
  readonly status?: Json;
  /** Takes the place of the spec, so that its generation goes up; absent = it stays. */
  readonly spec?: Json;
  /** Annotations that are put on it. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly says: OperatorHealth;
  /** The expected reason; absent = not looked at. */
  readonly words?: string;
}

/** An unknown operator: a kind of its own, and the life of its objects. */
export interface Operator {
  readonly kind: string;
  /** Plural name, lower case. */
  readonly plural: string;
  /** Whether the definition has a status subresource; without, a status is a field like any other. */
  readonly hasStatusSubresource: boolean;
  readonly spec: Json;
  /** As long as that of every other operator: all are driven side by side. */
  readonly life: readonly Moment[];
}
