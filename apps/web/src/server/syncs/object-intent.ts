import {
  formatInventoryId,
  formatKeptFields,
  KEPT_FIELDS,
  MAX_KEPT_FIELDS,
  parseKeptFields,
  TAKE_OVER,
  type KeptField,
} from "@binnacle/kube";
import { GitopsWish, type AskGitopsRequest } from "@binnacle/proto/dashboard";

import type { KeptProofs } from "./kept-proofs.ts";

/** What is requested of one object of a sync. */
export interface ObjectIntent {
  /** For the log. */
  readonly name: "take-over" | "keep" | "undo-keep";
  /** The object's line in the inventory. */
  readonly object: string;
  /** "spec.replicas"; empty for the object. */
  readonly field: string;
}

/** Who requests it, of which inventory, and what its annotations are. */
export interface ObjectIntentContext {
  readonly user: string;
  readonly nowMs: number;
  /** "namespace/name" of the ConfigMap. */
  readonly inventory: string;
  /** The value of annotation `gitops.binnacle/kept-fields`. */
  readonly kept: string;
  readonly proofs: KeptProofs;
}

const NAMES = {
  [GitopsWish.TAKE_OVER]: "take-over",
  [GitopsWish.KEEP]: "keep",
  [GitopsWish.UNDO_KEEP]: "undo-keep",
} as const;
const MAX_FIELD = 512;

/** `undefined` for a request without what it needs, or with more. */
export function objectIntentOf({ wish, commit, object }: Pick<AskGitopsRequest, "wish" | "commit" | "object">): ObjectIntent | undefined {
  const name = NAMES[wish as keyof typeof NAMES];
  const line = object && formatInventoryId(object);
  if (name === undefined || object === undefined || line === undefined || commit !== "") return undefined;
  const { field } = object;
  const isField = field !== "" && field.length <= MAX_FIELD;
  return isField === (name !== "take-over") && (isField || field === "") ? { name, object: line, field } : undefined;
}

/** The annotation that an intent writes, as part of a merge patch; `undefined` when no further field can be kept. */
export function annotationOf(intent: ObjectIntent, context: ObjectIntentContext): Readonly<Record<string, string | null>> | undefined {
  const { name, object, field } = intent;
  if (name === "take-over") return { [TAKE_OVER]: object };
  const others = parseKeptFields(context.kept).filter((each) => each.object !== object || each.field !== field);
  if (name === "undo-keep") return { [KEPT_FIELDS]: formatKeptFields(others) };
  if (others.length >= MAX_KEPT_FIELDS) return undefined;
  const { user, nowMs: atMs, inventory, proofs } = context;
  const entry: KeptField = { object, field, user, atMs, proof: proofs.prove({ inventory, object, field, user, atMs }) };
  return { [KEPT_FIELDS]: formatKeptFields([...others, entry]) };
}
