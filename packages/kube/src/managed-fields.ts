import { isFields, type Fields } from "./loose-json.ts";

/** Items of a list that are searched for one name; in longer lists no owner is found. */
const MAX_ITEMS = 500;

/**
 * Whether a set of fields has a path, or something that it lies in as a whole.
 *
 * @param owned `fieldsV1` of an entry of `managedFields`
 * @param path names of fields and items, as `splitFieldPath` gives them
 * @see Kubernetes reference, "Server-Side Apply", "Field management"
 */
export function ownsField(owned: Fields, path: readonly string[]): boolean {
  let fields: Fields = owned;
  for (const [depth, part] of path.entries()) {
    const below = belowOf(fields, part);
    // Atomic lists and maps are owned as one.
    if (below === undefined) return depth > 0 && Object.keys(fields).length === 0;
    fields = below;
  }
  return true;
}

/** What is owned at a path and below: empty for a value, a list or a map that is owned as one; `undefined` when it is not owned by itself. */
export function ownedAt(owned: Fields, path: readonly string[]): Fields | undefined {
  return path.reduce<Fields | undefined>((fields, part) => fields && belowOf(fields, part), owned);
}

/** What is owned below a name: of a field, of an item by one of its keys, or by its place. */
function belowOf(fields: Fields, part: string): Fields | undefined {
  const below = fields[`f:${part}`] ?? fields[`i:${part}`];
  if (isFields(below)) return below;
  let looked = 0;
  for (const name in fields) {
    const value = name.startsWith("k:") ? fields[name] : undefined;
    if (!isFields(value)) continue;
    if (hasKey(name.slice(2), part)) return value;
    if ((looked += 1) >= MAX_ITEMS) return undefined;
  }
  return undefined;
}

function hasKey(json: string, part: string): boolean {
  try {
    return Object.values(Object(JSON.parse(json))).some((value) => String(value) === part);
  } catch {
    return false;
  }
}
