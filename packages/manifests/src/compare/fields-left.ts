import { fieldPath, fieldsOf, isFields, itemPath, type Fields } from "@binnacle/kube";

/** No object of Kubernetes is nested so far. */
const MAX_DEPTH = 48;
/** Items that are looked at for one name. */
const MAX_ITEMS = 500;

/** A field that its applier owns and its manifest does not have. */
export interface LeftField {
  readonly path: string;
  /** The path to the nearest parent that the manifest has. */
  readonly steps: readonly string[];
  /** Names of the fields from there to it, or to the list that it is an item of. */
  readonly below: readonly string[];
  readonly isItem: boolean;
  readonly live: unknown;
}

type Place = Pick<LeftField, "path" | "steps" | "below">;

/**
 * What an applier owns and its manifest does not have (any more), each as large as it is: an earlier commit had it.
 *
 * @param owned `fieldsV1` of the applier's entry in `managedFields`
 * @see Kubernetes reference, "Server-Side Apply", "Field management": `f:` fields, `k:` items by keys, `v:` values of sets, `i:` places
 */
export function fieldsLeft(owned: Fields, desired: unknown, live: unknown): Generator<LeftField> {
  return below(owned, { desired, live, at: { path: "", steps: [], below: [] } });
}

function* below(owned: Fields, { desired, live, at }: Step): Generator<LeftField> {
  if (at.steps.length > MAX_DEPTH) return;
  for (const [name, inner] of Object.entries(owned)) {
    const step = stepOf(name, { desired, live, at });
    if (step === undefined || step.live === undefined || step.desired === null) continue;
    const isField = name.startsWith("f:");
    const names = isField ? [...at.below, name.slice(2)] : at.below;
    if (step.desired !== undefined) yield* below(fieldsOf(inner), step);
    // Others may have added to a map or a list that it began, not to an item of its own.
    else if (isField && hasParts(inner))
      yield* below(inner, {
        ...step,
        desired: Array.isArray(step.live) ? [] : {},
        at: { path: step.at.path, steps: at.steps, below: names },
      });
    else yield { path: step.at.path, steps: at.steps, below: names, isItem: !isField, live: step.live };
  }
}

function hasParts(owned: unknown): owned is Fields {
  return isFields(owned) && Object.keys(owned).some((name) => name !== ".");
}

interface Step {
  readonly desired: unknown;
  readonly live: unknown;
  readonly at: Place;
}

function stepOf(name: string, { desired, live, at }: Step): Step | undefined {
  if (name.startsWith("f:") && isFields(desired) && isFields(live)) {
    const field = name.slice(2);
    return { desired: desired[field], live: live[field], at: { path: fieldPath(at.path, field), steps: [...at.steps, field], below: [] } };
  }
  if (!name.startsWith("k:") || !Array.isArray(desired) || !Array.isArray(live)) return undefined;
  const keys = keysIn(name.slice(2));
  if (keys.length === 0) return undefined;
  const has = (item: unknown): boolean => keys.every(([key, value]) => isFields(item) && item[key] === value);
  const mayHave = (item: unknown): boolean => keys.every(([key, value]) => isFields(item) && (item[key] ?? value) === value);
  const items = desired.slice(0, MAX_ITEMS);
  const exact = items.findIndex(has);
  // What the manifest leaves out of the keys is a default.
  const index = exact === -1 ? items.findIndex(mayHave) : exact;
  const item: unknown = live.slice(0, MAX_ITEMS).find(has);
  return {
    desired: desired[index],
    live: item,
    at: { path: itemPath(at.path, String(keys[0]?.[1])), steps: [...at.steps, String(index)], below: [] },
  };
}

function keysIn(json: string): readonly (readonly [string, unknown])[] {
  try {
    return Object.entries(Object(JSON.parse(json)));
  } catch {
    return [];
  }
}
