import { groupOf, type KubeObject } from "@binnacle/kube";

/** By apiVersion and kind. A cluster serves some hundreds. */
const KNOWN = new Map<string, Map<string, string>>();

/** `group/kind`. It is needed several times for each object, so that every kind has one text. */
export function kindIdOf({ apiVersion, kind }: KubeObject): string {
  const kinds = KNOWN.get(apiVersion);
  const known = kinds?.get(kind);
  if (known !== undefined) return known;
  const made = `${groupOf(apiVersion)}/${kind}`;
  if (kinds === undefined) KNOWN.set(apiVersion, new Map([[kind, made]]));
  else kinds.set(kind, made);
  return made;
}
