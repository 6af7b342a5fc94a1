import { keyOf, type ShownSource } from "./log-sources.ts";

/** What a source is called beside its lines, by its id: as short as it differs from the others. */
export function sourceLabels(sources: readonly ShownSource[]): ReadonlyMap<number, string> {
  const containers = new Set(sources.map(({ container }) => container));
  const pods = new Set(sources.map(({ namespace, pod }) => `${namespace}/${pod}`));
  const namespaces = new Set(sources.map(({ namespace }) => namespace));
  const runs = new Map<string, number>();
  for (const source of sources) runs.set(keyOf(source), (runs.get(keyOf(source)) ?? 0) + 1);
  return new Map(
    sources.map((source) => {
      const parts = [
        ...(namespaces.size > 1 ? [source.namespace] : []),
        ...(pods.size > 1 ? [source.pod] : []),
        ...(containers.size > 1 || pods.size === 1 ? [source.container] : []),
      ];
      const run = (runs.get(keyOf(source)) ?? 0) > 1 && source.restarts !== undefined ? ` #${source.restarts}` : "";
      return [source.id, `${parts.join("/")}${run}`];
    }),
  );
}
