import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Kinds of files that cite documents. */
const TEXT = /(?:\.(?:ts|tsx|mjs|md|json|ya?ml|proto|py|sh|css)|^\.ci\/run)$/;
/** Made by tools, from texts of others. */
const GENERATED =
  /^(?:package-lock\.json|packages\/proto\/gen\/|packages\/kube-sandbox\/data\/|packages\/health\/fixtures\/health-cases\/.*\.json)/;

/** The files of the repository by path from its root, as a check sees them: a test makes one up. */
export class SourceTree {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #files: readonly string[];
  /** Every file, and every folder that holds one. */
  readonly #paths: ReadonlySet<string>;

  /**
   * @param texts what may cite, by path
   * @param others further files, of which only the path counts
   */
  constructor(texts: Readonly<Record<string, string>>, others: readonly string[] = []) {
    this.#texts = new Map(Object.entries(texts));
    this.#files = [...new Set([...this.#texts.keys(), ...others])];
    const paths = new Set<string>();
    for (const file of this.#files) {
      for (let path = file; path !== ""; path = path.slice(0, Math.max(0, path.lastIndexOf("/")))) paths.add(path);
    }
    this.#paths = paths;
  }

  texts(): Iterable<readonly [string, string]> {
    return this.#texts;
  }

  textOf(path: string): string | undefined {
    return this.#texts.get(path);
  }

  /** Paths of all files. */
  files(): readonly string[] {
    return this.#files;
  }

  /** Paths of the files in a folder and in its folders. */
  filesBelow(folder: string): readonly string[] {
    return this.#files.filter((path) => path.startsWith(`${folder}/`));
  }

  /** @param pattern a path; `*` and `<word>` stand for a part of a name, `{a,b}` for either */
  has(pattern: string): boolean {
    return alternativesOf(pattern.replace(/\/$/, "")).every((path) => this.#hasOne(path));
  }

  #hasOne(path: string): boolean {
    if (!/[*<]/.test(path)) return this.#paths.has(path);
    const expression = path.split(/\*+|<[^>]*>/).map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
    const whole = new RegExp(`^${expression.join("[^/]*")}$`);
    return [...this.#paths].some((known) => whole.test(known));
  }
}

/** `a/{b,c}.ts` as `a/b.ts` and `a/c.ts`, also when braces stand in braces or come twice. */
export function alternativesOf(pattern: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(pattern);
  if (braces === null) return [pattern];
  const [before, after] = [pattern.slice(0, braces.index), pattern.slice(braces.index + braces[0].length)];
  return (braces[1] ?? "").split(",").flatMap((word) => alternativesOf(`${before}${word.trim()}${after}`));
}

/** What git knows of the working tree, with what is new and not ignored. */
export function readSourceTree(root: string): SourceTree {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const files = listed.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
  const citing = files.filter((path) => TEXT.test(path) && !GENERATED.test(path));
  return new SourceTree(Object.fromEntries(citing.map((path) => [path, readFileSync(join(root, path), "utf8")])), files);
}
