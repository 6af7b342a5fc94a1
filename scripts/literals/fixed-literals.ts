import type { SourceTree } from "../check/source-tree.ts";
import { typescriptLiterals, type Literal, type LiteralKind } from "./typescript-literals.ts";

/** Where the list is kept, from the root. */
export const LIST = "scripts/literals/literals.json";

/** Every kind with its texts, both sorted. */
export type LiteralList = Readonly<Partial<Record<LiteralKind, readonly string[]>>>;

const PROGRAMS = /^(?:apps\/(?:agentk|kas|web)\/src|packages\/[^/]+\/src)\/.*\.tsx?$/;
/** Tests, what only they use, and stand-ins of programs of others. */
const NOT_OURS =
  /\.(?:test|itest|conformance|bench)\.tsx?$|\/(?:testing|hostile|fixtures|real-cluster|packs)\/|^packages\/(?:kube-sandbox|kubelet-stand-in|control-plane|testing)\//;

/** All texts of the repository that no rename may change: headers, keys, reasons and other names that are read somewhere else. */
export function fixedLiterals(tree: SourceTree): LiteralList {
  const found: Literal[] = [];
  for (const [path, text] of tree.texts()) {
    if (PROGRAMS.test(path) && !NOT_OURS.test(path)) found.push(...typescriptLiterals(path, text));
    else if (path.startsWith("packages/proto/proto/") && path.endsWith(".proto")) found.push(...protoLiterals(text));
    else if (/^docs\/reference\/[a-z-]+\.md$/.test(path)) found.push(...keysOfReference(path, text));
  }
  const kinds = [...new Set(found.map(({ kind }) => kind))].toSorted();
  const textsOf = (kind: LiteralKind): readonly string[] => [
    ...new Set(found.filter((each) => each.kind === kind).map(({ text }) => text)),
  ];
  return Object.fromEntries(kinds.map((kind) => [kind, textsOf(kind).toSorted()]));
}

/** Packages, messages, enums, services and calls, as far as they are named in the file. */
function protoLiterals(text: string): Literal[] {
  const bare = text.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, "");
  const names = [...bare.matchAll(/\b(message|enum|service|rpc|package)\s+([\w.]+)\s*(?=[{(;])/g)];
  return names.map(([, what, name]) => ({ kind: "proto", text: `${what ?? ""} ${name ?? ""}` }));
}

/** Keys of a page that is generated from a schema (`npm run reference`). */
function keysOfReference(path: string, text: string): Literal[] {
  const page = path.slice(path.lastIndexOf("/") + 1, -".md".length);
  if (!/^\| Key\b/m.test(text)) return [];
  return [...text.matchAll(/^\| `([^`|]+)`/gm)].map(([, key]) => ({ kind: "configuration key", text: `${page}: ${key ?? ""}` }));
}

/** What differs between two lists, a line each; a text that only its kind lost and another won shows as both. */
export function literalChanges(committed: LiteralList, found: LiteralList): string[] {
  const kinds = new Set([...Object.keys(committed), ...Object.keys(found)] as LiteralKind[]);
  return [...kinds].toSorted().flatMap((kind) => {
    const [before, after] = [new Set(committed[kind]), new Set(found[kind])];
    const removed = [...before]
      .filter((text) => !after.has(text))
      .toSorted()
      .map((text) => `removed ${kind}: ${JSON.stringify(text)}`);
    const added = [...after]
      .filter((text) => !before.has(text))
      .toSorted()
      .map((text) => `added ${kind}: ${JSON.stringify(text)}`);
    return [...removed, ...added];
  });
}

/** The list as it is committed: one text a line, so that a change is one line of a diff. */
export function formatLiterals(list: LiteralList): string {
  return `${JSON.stringify(list, null, 2)}\n`;
}
