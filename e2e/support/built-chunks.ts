import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The build of the pages. */
const BUILD = join(import.meta.dirname, "../../apps/web/.next");
/** What one `import()` loads, as Turbopack writes it into the chunk that has the import. */
const LIST = /\["static\/chunks\/[^\]]+"\]/g;
const CHUNK = /static\/chunks\/([\w.~-]+)/g;

/** What one `import()` of the pages loads, without what every page has loaded before. */
export interface LazyPart {
  /** Names of scripts and style sheets. */
  readonly files: readonly string[];
  /** As they are sent in brotli, without headers. */
  readonly bytes: number;
}

/** The parts of a build that are loaded when they are needed, and have a text in one of their files. @param build folder of the build */
export function lazyParts(marker: string, build = BUILD): readonly LazyPart[] {
  const folder = join(build, "static/chunks");
  const names = readdirSync(folder).filter((name) => /\.(?:js|css)$/.test(name));
  const texts = new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  const first = firstChunks(build);
  const lists = new Set([...texts.values()].flatMap((text) => text.match(LIST) ?? []));
  return [...lists]
    .map((list) => [...list.matchAll(CHUNK)].flatMap(([, name = ""]) => (first.has(name) ? [] : [name])))
    .filter((files) => files.some((name) => texts.get(name)?.includes(marker) === true))
    .map((files) => ({ files, bytes: files.reduce((sum, name) => sum + sentBytes(join(folder, name)), 0) }));
}

/** Chunks that the HTML of some page names. */
function firstChunks(build: string): ReadonlySet<string> {
  const pages = join(build, "server/app");
  const manifests = readdirSync(pages, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("client-reference-manifest.js"),
  );
  return new Set(manifests.flatMap((name) => [...readFileSync(join(pages, name), "utf8").matchAll(CHUNK)].map(([, chunk = ""]) => chunk)));
}

/** A file that brotli would not make smaller has none beside it. */
function sentBytes(path: string): number {
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
}
