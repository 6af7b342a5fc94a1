import { isFields } from "@binnacle/kube";

/** Paths of the fields in which two values differ, `.spec.replicas`; the first `max`. Lists of different lengths differ as wholes. */
export function changedFields(before: unknown, after: unknown, max: number): readonly string[] {
  const found: string[] = [];
  collect(before, after, { path: "", found, max });
  return found;
}

interface Collecting {
  readonly path: string;
  readonly found: string[];
  readonly max: number;
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
