import { createHmac, createSecretKey, randomBytes } from "node:crypto";

import {
  droppedOfSpec,
  fieldPath,
  fieldsAt,
  forEachDropped,
  groupOf,
  isFields,
  listAt,
  textAt,
  type KubeObject,
  type TextSharing,
} from "@binnacle/kube";

/** Known to this process only, so that a value cannot be found by trying. */
const PROCESS_KEY = createSecretKey(randomBytes(32));
/** So many digests an object has at most; what else is left out has one in common. */
const MAX_DIGESTS = 200;
/** What a digest costs: an entry of a map and a number, paths being shared between objects; and the map. */
const DIGEST_BYTES = 48;
const MAP_BYTES = 128;
/** How much of a digest is kept: two values are taken for one in one of 2⁴⁸ cases. */
const HASH_BYTES = 6;
const NOTHING: ReadonlyMap<string, number> = new Map();

/** Kinds whose spec does not change after creation; there may be many of them. One digest covers all. */
const COARSE: ReadonlySet<string> = new Set(["/Pod", "apps/ReplicaSet", "batch/Job"]);

/** A keyed hash of a value. It is never sent. */
export function hashOfValue(value: unknown): number {
  return createHmac("sha256", PROCESS_KEY).update(jsonOf(value)).digest().readUIntBE(0, HASH_BYTES);
}

/**
 * What was in the parts of objects that views do not keep, as keyed hashes by path: enough to see that they have changed, and no way back
 * to what they were.
 */
export class FieldDigests {
  /** Of what has one digest only that. */
  readonly #digests = new WeakMap<KubeObject, ReadonlyMap<string, number> | number>();

  /** @param kept what `projectObject` has left of the object */
  note(object: KubeObject, kept: KubeObject, texts: TextSharing): void {
    // Only objects of environments have a journal.
    if (object.metadata.namespace === undefined) return;
    const digest = digestOf(object, texts);
    const spec = digest.size === 1 ? digest.get("spec") : undefined;
    if (digest.size > 0) this.#digests.set(kept, spec ?? digest);
  }

  /** Hashes by path; none for what is kept whole. */
  of(kept: KubeObject): ReadonlyMap<string, number> {
    const digest = this.#digests.get(kept) ?? NOTHING;
    return typeof digest === "number" ? new Map([["spec", digest]]) : digest;
  }

  /** What is remembered of an object, in bytes. */
  bytesOf(kept: KubeObject): number {
    const digest = this.#digests.get(kept);
    if (digest === undefined) return 0;
    return typeof digest === "number" ? DIGEST_BYTES : MAP_BYTES + digest.size * DIGEST_BYTES;
  }
}

/** Hashes by path of what `projectObject` leaves out. */
export function digestOf(object: KubeObject, texts: TextSharing): ReadonlyMap<string, number> {
  const id = `${groupOf(object.apiVersion)}/${object.kind}`;
  if (id === "/Secret") return digestOfSecret(object);
  if (COARSE.has(id)) {
    const dropped = droppedOfSpec(object);
    return dropped.length === 0 ? NOTHING : new Map([["spec", hashOfValue(dropped)]]);
  }
  const digest = new Map<string, number>();
  const rest: unknown[] = [];
  forEachDropped(object, (path, value) => {
    if (digest.size >= MAX_DIGESTS) rest.push(path, value);
    else digest.set(texts.share(path), hashOfValue(value));
  });
  if (rest.length > 0) digest.set("", hashOfValue(rest));
  return digest;
}

/**
 * Secrets are read as metadata: their managed fields show which keys there are and which manager wrote them. The hash at `data` covers who
 * wrote data when.
 */
function digestOfSecret(object: KubeObject): ReadonlyMap<string, number> {
  const digest = new Map<string, number>();
  const written: string[] = [];
  for (const entry of listAt(object.metadata, "managedFields")) {
    const data = fieldsAt(fieldsAt(entry, "fieldsV1"), "f:data");
    if (!isFields(fieldsAt(entry, "fieldsV1")["f:data"])) continue;
    written.push(`${textAt(entry, "manager")} ${textAt(entry, "time")}`);
    for (const name of Object.keys(data)) {
      if (name.startsWith("f:") && digest.size < MAX_DIGESTS) digest.set(fieldPath("data", name.slice(2)), 0);
    }
  }
  if (written.length > 0) digest.set("data", hashOfValue(written.toSorted()));
  return digest;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // Deeper than the stack: no correct server sends that, and an incorrect one gets a constant.
    return "too deep";
  }
}
