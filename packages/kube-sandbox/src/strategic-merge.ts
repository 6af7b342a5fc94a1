import { badRequest } from "./api-error.ts";
import { childOf, itemOf, type Typed } from "./field-set.ts";
import { isSame, isTree, listIn, textIn, type Tree } from "./json-tree.ts";

/** RFC 7386: null takes a field away, objects merge, everything else is replaced. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isTree(patch)) return patch;
  const result: Tree = isTree(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete result[field];
    else result[field] = mergePatch(result[field], value);
  }
  return result;
}

/**
 * Strategic merge patch: lists with a merge key merge by it, `$patch`, `$setElementOrder/…`, `$retainKeys` and
 * `$deleteFromPrimitiveList/…` are obeyed.
 *
 * @throws ApiError 400 for a directive that is not known or an item without its key
 */
export function strategicMerge(target: unknown, patch: unknown, typed: Typed): unknown {
  if (!isTree(patch)) return patch;
  if (patch["$patch"] === "replace") return withoutDirectives(patch);
  if (patch["$patch"] === "delete") return {};
  const result: Tree = isTree(target) ? { ...target } : {};
  const retained = patch["$retainKeys"];
  if (Array.isArray(retained)) for (const field of Object.keys(result)) if (!retained.includes(field)) delete result[field];
  for (const [field, value] of Object.entries(patch)) {
    if (field === "$patch" || field === "$retainKeys" || field.startsWith("$setElementOrder/")) continue;
    if (field.startsWith("$deleteFromPrimitiveList/")) {
      const name = field.slice("$deleteFromPrimitiveList/".length);
      const gone = Array.isArray(value) ? value : [];
      result[name] = listIn(result, name).filter((item) => !gone.includes(item));
      continue;
    }
    if (field.startsWith("$")) throw badRequest(`unknown directive ${field} in a strategic merge patch`);
    if (value === null) delete result[field];
    else if (Array.isArray(value))
      result[field] = mergeList(result[field], value, { typed: childOf(typed, field), order: patch[`$setElementOrder/${field}`] });
    else result[field] = strategicMerge(result[field], value, childOf(typed, field));
  }
  return reorder(result, patch, typed);
}

function mergeList(
  target: unknown,
  patch: readonly unknown[],
  { typed, order }: { readonly typed: Typed; readonly order: unknown },
): unknown[] {
  const strategy = textIn(typed.schema, "x-kubernetes-patch-strategy") ?? "";
  const key = textIn(typed.schema, "x-kubernetes-patch-merge-key");
  const replaces = patch.some((item) => isTree(item) && item["$patch"] === "replace");
  const items = patch.filter((item) => !(isTree(item) && item["$patch"] === "replace"));
  if (replaces || !strategy.split(",").includes("merge") || !Array.isArray(target)) {
    return items.filter((item) => !(isTree(item) && item["$patch"] === "delete")).map((item) => withoutDirectives(item));
  }
  if (key === undefined) return [...target, ...items.filter((item) => !target.some((one) => isSame(one, item)))];
  let result = [...target];
  for (const item of items) {
    if (!isTree(item)) throw badRequest("an item of a strategic merge patch is not an object");
    if (item[key] === undefined) throw badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);
    const index = result.findIndex((one) => isTree(one) && isSame(one[key], item[key]));
    if (item["$patch"] === "delete") result = result.filter((one) => !(isTree(one) && isSame(one[key], item[key])));
    else if (index < 0) result.push(withoutDirectives(item));
    else result[index] = strategicMerge(result[index], item, itemOf(typed));
  }
  return order === undefined ? orderByPatch(result, { patch: items, before: target, key }) : result;
}

/** Without `$setElementOrder` the API server keeps the order of the patch, and puts its new items before the present ones that follow. */
function orderByPatch(
  merged: readonly unknown[],
  { patch, before, key }: { readonly patch: readonly unknown[]; readonly before: readonly unknown[]; readonly key: string },
): unknown[] {
  const rankIn = (list: readonly unknown[], item: unknown): number =>
    list.findIndex((one) => isTree(one) && isTree(item) && isSame(one[key], item[key]));
  const ofPatch = merged.filter((item) => rankIn(patch, item) >= 0).sort((a, b) => rankIn(patch, a) - rankIn(patch, b));
  const result: unknown[] = [];
  for (const item of merged.filter((one) => rankIn(patch, one) < 0)) {
    while (ofPatch.length > 0 && rankIn(before, ofPatch[0]) < rankIn(before, item)) result.push(ofPatch.shift());
    result.push(item);
  }
  return [...result, ...ofPatch];
}

function reorder(result: Tree, patch: Tree, typed: Typed): Tree {
  for (const [field, order] of Object.entries(patch)) {
    if (!field.startsWith("$setElementOrder/") || !Array.isArray(order)) continue;
    const name = field.slice("$setElementOrder/".length);
    const list = result[name];
    if (!Array.isArray(list)) continue;
    const key = textIn(childOf(typed, name).schema, "x-kubernetes-patch-merge-key");
    const rank = (item: unknown): number =>
      order.findIndex((one) => (key === undefined ? isSame(one, item) : isTree(one) && isTree(item) && isSame(one[key], item[key])));
    const known = list.filter((item) => rank(item) >= 0).sort((a, b) => rank(a) - rank(b));
    // Items the patch does not mention stay where they are; the mentioned ones take the mentioned order.
    let next = 0;
    result[name] = list.map((item) => (rank(item) < 0 ? item : known[next++]));
  }
  return result;
}

function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !(isTree(item) && item["$patch"] === "delete")).map(withoutDirectives);
  if (!isTree(value)) return value;
  const fields = Object.entries(value).filter(([field, inner]) => !field.startsWith("$") && inner !== null);
  return Object.fromEntries(fields.map(([field, inner]) => [field, withoutDirectives(inner)]));
}
