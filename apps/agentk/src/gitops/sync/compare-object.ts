import { isFields } from "@binnacle/kube";

import type { PlacedManifest } from "../manifests/placed-manifest.ts";
import { contentOf, tryObject, type Applying } from "./apply-object.ts";
import { digestAfter } from "./left-fields.ts";
import { resultOf, type ObjectResult } from "./object-result.ts";

/** Fields that are told of one object. */
const MAX_FIELDS = 5;

interface Collecting {
  readonly path: string;
  readonly found: string[];
  readonly max: number;
}

/**
 * Whether an object is still as its manifest says. Nothing is changed: the API server is asked what an apply that wins would make of it. Fields that
 * the manifest does not name, such as defaults and those of controllers, are no drift. Of what differs the fields are told, never values.
 *
 * @throws Fault when the API server does not answer
 */
export async function compareObject(manifest: PlacedManifest, by: Applying): Promise<ObjectResult> {
  const tried = await tryObject(manifest, { ...by, force: true, dryRun: true });
  if ("outcome" in tried) return tried;
  if (tried.before === undefined) return resultOf(manifest, "drifted", { reason: "it is not there any more" });
  const fields = changedFields(contentOf(tried.before), contentOf(tried.after), MAX_FIELDS + 1);
  const appliedDigest = digestAfter(tried.after, tried.before);
  if (fields.length === 0) return resultOf(manifest, "unchanged", { appliedDigest });
  const told = fields.slice(0, MAX_FIELDS).join(", ");
  const reason = `other than in the manifest: ${told}${fields.length > MAX_FIELDS ? " and more" : ""}`;
  return resultOf(manifest, "drifted", { reason, appliedDigest });
}

/** Paths of the fields in which two values differ, `.spec.replicas`; the first `max`. Lists of different lengths differ as wholes. */
export function changedFields(before: unknown, after: unknown, max: number): readonly string[] {
  const found: string[] = [];
  collect(before, after, { path: "", found, max });
  return found;
}

function collect(before: unknown, after: unknown, into: Collecting): void {
  const { path, found, max } = into;
  if (found.length >= max || before === after) return;
  if (isFields(before) && isFields(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      collect(before[name], after[name], { ...into, path: `${path}${/^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`}` });
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, item] of before.entries()) collect(item, after[index], { ...into, path: `${path}[${index}]` });
  } else found.push(path);
}
