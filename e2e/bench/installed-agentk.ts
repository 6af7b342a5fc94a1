import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const AGENTK = "apps/agentk";
/** What only those who write or test a package of ours need. */
const NOT_SHIPPED =
  /(?:\.(?:test|itest|conformance)\.ts|\/(?:fixtures|testing|dev|faults|proto\/proto|contract\.binpb|turbo\.json|tsconfig\.json))$/;

interface LockedPackage {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** An agentk with its production dependencies alone, in a folder of its own. */
export interface InstalledAgentk {
  readonly main: string;
  /** Bytes of all files, by package, without Node. */
  readonly bytes: ReadonlyMap<string, number>;
  remove(): void;
}

/** Installs it from what is in `node_modules`, along the dependencies of the lockfile; no registry is queried. */
export function installAgentk(): InstalledAgentk {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-agentk-installed-"));
  // npm writes this file.
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Readonly<Record<string, LockedPackage>>;
  };
  const bytes = new Map<string, number>();
  for (const place of closureOf(packages, AGENTK)) {
    const isOurs = !place.includes("node_modules/");
    cpSync(join(ROOT, place), join(folder, place), {
      recursive: true,
      // Another version of a dependency's own is a package of its own.
      filter: (path) => !(isOurs && NOT_SHIPPED.test(path)) && !relative(join(ROOT, place), path).startsWith("node_modules"),
    });
    bytes.set(place, bytesIn(join(folder, place)));
    if (isOurs) link(folder, place);
  }
  cpSync(join(ROOT, "package.json"), join(folder, "package.json"));
  return { main: join(folder, AGENTK, "src/main.ts"), bytes, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Places of a package and all that it needs. */
function closureOf(packages: Readonly<Record<string, LockedPackage>>, first: string): ReadonlySet<string> {
  const places = new Set<string>([first]);
  for (const place of places) {
    const { dependencies = {}, optionalDependencies = {} } = packages[place] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = placeOf(packages, { name, from: place });
      if (found !== undefined) places.add(found);
      else if (name in dependencies) throw new Error(`${place} needs ${name}, which the lockfile does not have`);
    }
  }
  return places;
}

/** Where Node finds a package: the nearest `node_modules` upwards. */
function placeOf(
  packages: Readonly<Record<string, LockedPackage>>,
  { name, from }: { readonly name: string; readonly from: string },
): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = folder === "." ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const locked = packages[place];
    if (locked) return locked.link === true ? locked.resolved : place;
    if (folder === ".") return undefined;
  }
}

function link(folder: string, place: string): void {
  // A package of ours.
  const { name } = JSON.parse(readFileSync(join(folder, place, "package.json"), "utf8")) as { name: string };
  const at = join(folder, "node_modules", name);
  mkdirSync(dirname(at), { recursive: true });
  symlinkSync(relative(dirname(at), join(folder, place)), at);
}

/** Of all files below. */
export function bytesIn(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
}
