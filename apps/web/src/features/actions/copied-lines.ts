import type { ResourceRef } from "@binnacle/proto/dashboard";

/** Names of resources, one a line. */
export function namesText(refs: readonly ResourceRef[]): string {
  return refs.map(({ name }) => name).join("\n");
}

/** `kubectl get` for resources, a line for each namespace: "kubectl get -n shop deployments.apps/web pods/web-0". */
export function kubectlText(refs: readonly ResourceRef[]): string {
  const places = new Map<string, string[]>();
  for (const { group, resource, kind, namespace, name } of refs) {
    const what = `${resource === "" ? kind.toLowerCase() : resource}${group === "" ? "" : `.${group}`}/${name}`;
    const words = places.get(namespace) ?? [];
    words.push(shellWord(what));
    places.set(namespace, words);
  }
  return [...places]
    .map(([namespace, words]) => ["kubectl get", ...(namespace === "" ? [] : ["-n", shellWord(namespace)]), ...words].join(" "))
    .join("\n");
}

/** Names of some kinds may have letters that mean something to a shell. */
function shellWord(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
