import { encodeKey, keyOf, type ObjectKey } from "@binnacle/kube";

import { manifestsIn, type ManifestText } from "./manifests-in.ts";

/** Begins a document wherever it stands, also in a text of several lines. */
const MARKER = /^---(?=\s|$)/gm;

/**
 * The manifest of an object in a file. Only the document that has the line is read, so a long file costs no more than what is looked for.
 *
 * @param at.line where it begins, from 1; 0 when that is not known: the whole file is read then
 * @param at.key a manifest without a namespace is one of any
 * @returns `undefined` when nothing that can be read there is that object
 */
export function manifestAt(text: string, { line, key }: { readonly line: number; readonly key: ObjectKey }): ManifestText | undefined {
  const { part, linesBefore } = line === 0 ? { part: text, linesBefore: 0 } : documentAround(text, line);
  for (const read of manifestsIn(part)) {
    if ("message" in read) continue;
    const at = linesBefore + read.line;
    const namespace = keyOf(read.object).namespace || key.namespace;
    if ((line === 0 || at === line) && encodeKey({ ...keyOf(read.object), namespace }) === encodeKey(key)) return { ...read, line: at };
  }
  return undefined;
}

function documentAround(text: string, line: number): { readonly part: string; readonly linesBefore: number } {
  const offset = offsetOfLine(text, line);
  const markers = [...text.matchAll(MARKER)].map(({ index }) => index);
  const from = markers.findLast((at) => at <= offset) ?? 0;
  const to = markers.find((at) => at > offset) ?? text.length;
  return { part: text.slice(from, to), linesBefore: countLines(text.slice(0, from)) };
}

function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf("\n", offset);
    if (end === -1) return text.length;
    offset = end + 1;
  }
  return offset;
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
