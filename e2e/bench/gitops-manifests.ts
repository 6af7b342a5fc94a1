/** Files of a commit, by path. */
export type ManifestFiles = ReadonlyMap<string, string>;

/** As many as kas takes of one project. */
const MAX_FILES = 1_000;

/** So many ConfigMaps in at most a thousand files below `directory`; another round has another value in each. */
export function manifestFiles(of: { readonly directory: string; readonly objects: number; readonly round: number }): ManifestFiles {
  const { directory, objects, round } = of;
  const files = Math.min(objects, MAX_FILES);
  return new Map(
    Array.from({ length: files }, (_, file) => {
      const documents = Array.from({ length: Math.ceil((objects - file) / files) }, (_each, index) =>
        settings(file + index * files, round),
      );
      return [`${directory}/${file}.yaml`, documents.join("---\n")];
    }),
  );
}

/** A manifest as it is often written: labels, a few keys, a file of some lines. */
function settings(index: number, round: number): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings-${index}
  labels:
    app.kubernetes.io/name: settings
    app.kubernetes.io/part-of: bench
data:
  round: "${round}"
  LOG_LEVEL: info
  application.properties: |
    server.port=8080
    server.name=settings-${index}
    cache.ttl=300s
`;
}

/** ConfigMaps of almost a megabyte each. */
export function largeManifestFiles(of: { readonly directory: string; readonly objects: number }): ManifestFiles {
  const line = `    ${"0123456789abcdef".repeat(6)}\n`;
  const content = line.repeat(Math.floor(980_000 / line.length));
  return new Map(
    Array.from({ length: of.objects }, (_, index) => [
      `${of.directory}/large-${index}.yaml`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: large-${index}\ndata:\n  content: |\n${content}`,
    ]),
  );
}
