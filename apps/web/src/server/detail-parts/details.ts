import type { Fields, ObjectKey } from "@binnacle/kube";
import type { Words } from "@binnacle/words";

/** State of an item; absent: neither good nor bad. */
export type Tone = "good" | "busy" | "bad";

/** One item: another resource, a message about it, a time. */
export interface Item {
  /** Whether it exists is not known. */
  readonly ref?: ObjectKey;
  readonly words?: Words;
  /** As written; what is no time is left out. */
  readonly at?: string;
  /** How much of what there may be is used, 1 for all of it. */
  readonly share?: number;
  readonly tone?: Tone;
}

/** Items of a resource, under a label. */
export interface Row {
  readonly label: Words;
  readonly items: readonly Item[];
}

/** A part of a resource, such as a container. */
export interface Part {
  readonly name: string;
  readonly kind?: Words;
  readonly state?: Item;
  readonly rows: readonly Row[];
  /** Nothing that one would look for first. */
  readonly folded?: boolean;
}

/** What belongs together. */
export interface Section {
  readonly title: Words;
  readonly rows?: readonly Row[];
  readonly parts?: readonly Part[];
}

/** What an object says of itself, in the words of its kind. */
export interface Details {
  readonly facts: readonly Row[];
  readonly sections: readonly Section[];
}

/** What a kind's details are made of. */
export interface DetailInput {
  /** Without anything that is masked. */
  readonly object: Fields;
  readonly metadata: Fields;
  readonly spec: Fields;
  readonly status: Fields;
  readonly namespace: string;
  readonly nowMs: number;
  /** Objects that are shown with it: EndpointSlices of a Service. Absent: not known. */
  readonly related?: readonly Fields[] | undefined;
  /** Bytes of each value, by its key; they are counted where the values are not masked. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** The details of one kind; of any object, however odd. */
export type DetailRule = (input: DetailInput) => Partial<Details>;
