import { fieldsAt, fieldsOf, isFields, listAt, textAt, type Fields } from "@binnacle/kube";
import { words } from "@binnacle/words";

import type { Item } from "./details.ts";
import { link, saying } from "./rows.ts";

/** How many variables a container is given by its spec, never what they hold, and the objects that the others come from. */
export function environmentItems(container: Fields, namespace: string): (Item | undefined)[] {
  const variables = listAt(container, "env");
  const count = variables.filter((each) => !isFields(fieldsOf(each)["valueFrom"])).length;
  const whole = listAt(container, "envFrom").flatMap((each) => [
    link({ kind: "ConfigMap", name: fieldsAt(each, "configMapRef")["name"], namespace, said: words("detail/all-keys") }),
    link({ kind: "Secret", name: fieldsAt(each, "secretRef")["name"], namespace, said: words("detail/all-keys") }),
  ]);
  return [...(count === 0 ? [] : [saying("detail/variables", { count })]), ...whole, ...keyItems(variables, namespace)];
}

/** Each object once, with its keys. */
function keyItems(variables: readonly unknown[], namespace: string): (Item | undefined)[] {
  const keys = new Map<string, { readonly kind: string; readonly name: string; readonly keys: Set<string> }>();
  for (const each of variables) {
    const from = fieldsAt(each, "valueFrom");
    for (const [field, kind] of [
      ["configMapKeyRef", "ConfigMap"],
      ["secretKeyRef", "Secret"],
    ] as const) {
      const [name, key] = [textAt(from[field], "name"), textAt(from[field], "key")];
      if (name === "") continue;
      const known = keys.get(`${kind}/${name}`) ?? { kind, name, keys: new Set() };
      keys.set(`${kind}/${name}`, known);
      known.keys.add(key);
    }
  }
  return [...keys.values()].map(({ kind, name, keys: named }) =>
    link({ kind, name, namespace, said: words("detail/keys", { count: named.size, keys: [...named].slice(0, 8) }) }),
  );
}
