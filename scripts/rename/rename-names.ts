import type { SourceTree } from "../check/source-tree.ts";
import { declarationsIn, shorthandsIn, type Declaration } from "./declarations.ts";
import { renamedFaults } from "./fault-snippets.ts";
import { LanguageServer, type ImportStyle, type TextEdit } from "./language-server.ts";
import { hasIdentifier } from "./mentions.ts";
import type { NameChange } from "./rename-list.ts";

/** Where names are changed. */
export interface NameRun {
  readonly root: string;
  /** Program of the compiler. */
  readonly tsc: string;
  readonly tree: SourceTree;
}

/** What changed names make of the sources. */
export interface RenamedTexts {
  /** The new texts of the files that differ, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files in which something was called by a new name before, a line each: the types do not show when one hides the other. */
  readonly clashes: readonly string[];
}

/**
 * Changes names by the language server, and the snippets of planted faults with them.
 *
 * @throws Error for a name that its file declares neither by its old nor by its new name
 */
export async function renameNames(run: NameRun, changes: readonly NameChange[]): Promise<RenamedTexts> {
  const texts = new Map(run.tree.texts());
  const changed = new Map<string, string>();
  const clashes = new Set<string>();
  const servers = new Map<ImportStyle, LanguageServer>();
  const serverFor = async (imports: ImportStyle): Promise<LanguageServer> => {
    const known = servers.get(imports);
    if (known !== undefined) return known;
    const server = await LanguageServer.start(run.root, { tsc: run.tsc, imports });
    servers.set(imports, server);
    for (const [path, text] of changed) if (isSource(path)) server.open(path, text);
    return server;
  };
  const set = (path: string, text: string): void => {
    texts.set(path, text);
    changed.set(path, text);
    if (isSource(path)) for (const server of servers.values()) server.open(path, text);
  };
  try {
    for (const change of changes) {
      for (let next = nextOf(change, texts); next !== undefined; next = nextOf(change, texts)) {
        const server = await serverFor(next.scope === "export" ? "new name" : "alias");
        for (const path of usersOf(change, next, texts)) server.open(path, texts.get(path));
        const edits = await server.rename(change.file, next.start, change.to).catch((error: unknown) => {
          throw new Error(`${change.file}: ${change.from} cannot be renamed`, { cause: error });
        });
        for (const [path, found] of edits) {
          const before = texts.get(path);
          if (before === undefined) throw new Error(`${change.from} of ${change.file}: ${path} is not a source of this repository`);
          if (next.scope !== "member" && hasIdentifier(path, before, change.to))
            clashes.add(`${path}: ${change.to} was there before; look whether two are one now`);
          const inPlace = next.scope === "export" ? withShorthands(found, { path, text: before, name: next.name }) : found;
          for (const [file, text] of renamedFaults(texts, { path, before, edits: inPlace })) set(file, text);
          set(path, applied(before, inPlace));
        }
      }
    }
  } finally {
    await Promise.all([...servers.values()].map((server) => server.close()));
  }
  return { texts: changed, clashes: [...clashes] };
}

/** The next declaration that still has the old name. */
function nextOf({ file, from, to, scope }: NameChange, texts: ReadonlyMap<string, string>): Declaration | undefined {
  const text = texts.get(file);
  if (text === undefined) throw new Error(`there is no ${file}, which should declare ${from}`);
  const parts = from.split(".");
  const hasPath = ({ name, within }: Declaration): boolean => [...within, name].slice(-parts.length).join(".") === from;
  const declarations = declarationsIn(file, text);
  const fitting = declarations.filter((each) => hasPath(each) && (scope === undefined || each.scope === scope));
  const [next] = fitting;
  if (fitting.some((each) => each.scope !== next?.scope))
    throw new Error(`${file}: ${from} is a variable and a member; the list needs a scope`);
  if (next === undefined && !declarations.some((each) => each.name === to)) throw new Error(`${file} declares neither ${from} nor ${to}`);
  return next;
}

/** Files whose projects must be known: those that have the name, unless no other file can. */
function usersOf({ file }: NameChange, { name, scope }: Declaration, texts: ReadonlyMap<string, string>): string[] {
  if (scope === "local" || name.startsWith("#")) return [file];
  return [file, ...[...texts].filter(([path, text]) => path !== file && isSource(path) && text.includes(name)).map(([path]) => path)];
}

/** Edits that keep the keys of shorthands: `{ old }` becomes `{ old: new }`. */
function withShorthands(
  edits: readonly TextEdit[],
  { path, text, name }: { readonly path: string; readonly text: string; readonly name: string },
): TextEdit[] {
  const shorthands = shorthandsIn(path, text);
  return edits.map((edit) => (shorthands.has(edit.start) ? { ...edit, text: `${name}: ${edit.text}` } : edit));
}

function applied(text: string, edits: readonly TextEdit[]): string {
  let result = text;
  for (const edit of edits.toSorted((left, right) => right.start - left.start))
    result = result.slice(0, edit.start) + edit.text + result.slice(edit.end);
  return result;
}

function isSource(path: string): boolean {
  return /\.tsx?$/.test(path);
}
