import { words, type Words } from "@binnacle/words";

/** The namespaces of a scope within a sentence: "namespaces shop, shop-jobs". @param namespaces empty: all */
export function whereWords(namespaces: readonly string[]): Words {
  if (namespaces.length === 0) return words("scope/in/everywhere");
  return namespaces.length === 1
    ? words("scope/in/namespace", { name: namespaces[0] })
    : words("scope/in/namespaces", { names: namespaces });
}
