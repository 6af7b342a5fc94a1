import { fieldsOf, isFields, type Fields, type KubeObject } from "@binnacle/kube";
import { stringify } from "yaml";

import { isWithinBytes } from "../expanded-size.ts";
import type { ComparedField } from "./compare-fields.ts";

/** Larger objects have no texts: a browser would be busy with them for seconds. */
const MAX_TEXT_BYTES = 256 * 1024;
/** What is nested deeper has no texts either: no object of Kubernetes is. */
const MAX_LEVELS = 64;
const MASK = "*****";
/** Two values that are not shown and not the same. */
const MASK_OF = { desired: `${MASK} (1)`, live: `${MASK} (2)` } as const;
/** Place of something that the cluster does not have; removed when all fields are set, so that items keep their places until then. */
const ABSENT = Symbol("absent");

/** An object as its manifest and as the cluster has it, as YAML with the same fields in the same order. */
export interface DiffTexts {
  readonly desired: string;
  readonly live: string;
}

/** What texts are made of. */
export interface DiffTextsOptions {
  /** The manifest, reduced to what is compared and to its identity. */
  readonly desired: Fields;
  /** What the comparison found. */
  readonly fields: readonly ComparedField[];
  /** Whether the value at a path must not be shown. */
  readonly isHidden: (path: string) => boolean;
}

/**
 * Writes both sides of a comparison as YAML. The live side is the manifest with what differs replaced, so the texts differ where, and only
 * where, the fields do: defaults, order of named items and forms of quantities make no difference.
 *
 * @returns `undefined` when one of them would be larger than 256 KiB, or has more than 64 levels
 */
export function diffTexts({ desired, fields, isHidden }: DiffTextsOptions): DiffTexts | undefined {
  if (!isWithinBounds(desired)) return undefined;
  const sides = { desired: copyOf(desired, "", isHidden), live: copyOf(desired, "", isHidden) };
  for (const field of fields) {
    const hidden = isHidden(field.path);
    if (field.state === "different") {
      if (hidden) setAt(sides.desired, field.steps, MASK_OF.desired);
      setAt(sides.live, field.steps, hidden ? MASK_OF.live : field.live);
    }
    if (field.state === "absent") setAt(sides.live, field.steps, ABSENT);
    if (field.state === "extra") addAt(sides.live, field, hidden ? MASK : field.live);
  }
  if (!isWithinBounds(sides.live)) return undefined;
  return { desired: yamlOf(sides.desired), live: yamlOf(withoutAbsent(sides.live)) };
}

function isWithinBounds(value: unknown): boolean {
  return isWithinBytes(value, MAX_TEXT_BYTES) && isWithinLevels(value, MAX_LEVELS);
}

function isWithinLevels(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isWithinLevels(inner, levels - 1));
}

function yamlOf(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** A copy that shares nothing, so that an alias of the file is written out at each place; hidden values are masked, keys stay. */
function copyOf(value: unknown, path: string, isHidden: (path: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => copyOf(item, `${path}[]`, isHidden));
  if (isFields(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, copyOf(inner, path === "" ? name : `${path}.${name}`, isHidden)]),
    );
  return isHidden(path) && value !== null ? MASK : value;
}

function setAt(root: unknown, steps: readonly string[], value: unknown): void {
  const last = steps.at(-1);
  const parent = containerAt(root, steps.slice(0, -1));
  if (last !== undefined) setIn(parent, last, value);
}

function addAt(root: unknown, { steps, below = [], isItem = false }: ComparedField, value: unknown): void {
  if (isItem) {
    const list = containerAt(root, [...steps, ...below], []);
    if (Array.isArray(list)) list.push(value);
  } else setAt(root, [...steps, ...below], value);
}

/** The map or list at some steps. Maps on the path that are not there are created; so is the last one, as `end`. */
function containerAt(root: unknown, steps: readonly string[], end: unknown = {}): unknown {
  let node = root;
  for (const [index, step] of steps.entries()) {
    const next: unknown = typeof node === "object" && node !== null && Object.hasOwn(node, step) ? Reflect.get(node, step) : undefined;
    const isThere = typeof next === "object" && next !== null;
    const inner = isThere ? next : index === steps.length - 1 ? end : {};
    if (!isThere) setIn(node, step, inner);
    node = inner;
  }
  return node;
}

/** Sets an own property also where its name is that of an inherited one. */
function setIn(node: unknown, name: string, value: unknown): void {
  if (typeof node !== "object" || node === null) return;
  Object.defineProperty(node, name, { value, configurable: true, enumerable: true, writable: true });
}

function withoutAbsent(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== ABSENT).map(withoutAbsent);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== ABSENT)
      .map(([name, inner]) => [name, withoutAbsent(inner)]),
  );
}

/** The content of a manifest, without what only API servers write. @param metadata names of the fields that are compared */
export function comparedPart(desired: KubeObject, metadata: readonly string[]): Fields {
  const { apiVersion, kind, metadata: all, status: _, ...rest } = desired;
  const shown = ["name", "namespace", ...metadata];
  const entries = Object.entries(fieldsOf(all)).filter(([name]) => shown.includes(name));
  return { apiVersion, kind, metadata: Object.fromEntries(entries), ...rest };
}
