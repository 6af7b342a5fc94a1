/** Fields of a `package.json` that count here; texts but where it says so. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly license?: string;
  readonly type?: string;
  readonly sideEffects?: boolean | readonly string[];
  /** In the workspace: each subpath and the source that it is. */
  readonly exports?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  /** Who has it is meant to be published. */
  readonly publishConfig?: Readonly<Record<string, string>>;
}

/** Where a source of the workspace, `./src/a/b.ts`, is in what is published. @param ending ".js" or ".d.ts" */
export function compiledOf(source: string, ending: ".js" | ".d.ts"): string {
  const [, path] = /^\.\/src\/(.+)\.ts$/.exec(source) ?? [];
  if (path === undefined) throw new Error(`${source} is no source below ./src`);
  return `./dist/${path}${ending}`;
}

/**
 * The `package.json` that is published of a package of the workspace: what is exported is compiled, what develops it is left out, and of
 * another package of the workspace it wants the version that it was made with, or a later one that is compatible.
 *
 * @param versions of the packages that are published, by name
 * @throws when it depends on a package of the workspace that is not published
 */
export function publishedManifestOf(manifest: Manifest, versions: ReadonlyMap<string, string>): Readonly<Record<string, unknown>> {
  const { name, version, description, keywords, license, type, engines, publishConfig } = manifest;
  const { sideEffects } = manifest;
  const entries = Object.entries(manifest.exports ?? {});
  // `types` stands before `default`: the first condition that holds is taken.
  const exports = entries.map(([path, source]) => [path, { types: compiledOf(source, ".d.ts"), default: compiledOf(source, ".js") }]);
  const main = manifest.exports?.["."];
  return {
    name,
    version,
    description,
    keywords,
    license,
    type,
    engines,
    sideEffects: typeof sideEffects === "object" ? sideEffects.map((source) => compiledOf(source, ".js")) : sideEffects,
    ...(main === undefined ? {} : { types: compiledOf(main, ".d.ts") }),
    exports: { ...Object.fromEntries(exports), "./package.json": "./package.json" },
    files: ["dist"],
    dependencies: dependenciesOf(manifest, versions),
    publishConfig,
  };
}

function dependenciesOf({ name, dependencies }: Manifest, versions: ReadonlyMap<string, string>): Record<string, string> | undefined {
  if (dependencies === undefined) return undefined;
  const wanted = Object.entries(dependencies).map(([other, range]) => {
    if (range !== "*") return [other, range];
    const version = versions.get(other);
    if (version === undefined) throw new Error(`${name} depends on ${other}, which is not published`);
    return [other, `^${version}`];
  });
  return Object.fromEntries(wanted);
}
