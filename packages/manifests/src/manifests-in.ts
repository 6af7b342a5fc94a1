import { isFields, isKubeObject, textAt, type Fields, type KubeObject, encodeKey, keyOf, type ObjectKey } from "@binnacle/kube";

import { isWithinBytes } from "./expanded-size.ts";
import { yamlDocuments, type DocumentPlace, type YamlPlace } from "./yaml-documents.ts";

/** One object; the API server takes no more than 3 MiB in a request. */
const MAX_OBJECT_BYTES = 3 * 1024 * 1024;

/** Objects that only tools on a developer's machine read, as cli-utils knows them. */
const LOCAL_CONFIG = "config.kubernetes.io/local-config";

/** One object of a file, and where it stands there. */
export interface ManifestText extends YamlPlace {
  readonly object: KubeObject;
  /** Line of the file that the object begins at, from 1. */
  readonly line: number;
  /** Its YAML alone, from that line on. The lines of its fields are looked up there; nothing is parsed for it until they are read. */
  readonly text: string;
}

/** Something in a file that cannot be applied. */
export interface ManifestProblem {
  /** From 1. */
  readonly line: number;
  /** One sentence, without the place, and without content of the file, which may be the value of a Secret. */
  readonly message: string;
}

/** Begins a document wherever it stands, also in a text of several lines. */
const MARKER = /^---(?=\s|$)/gm;

/** The objects of a file in YAML or JSON, and what is wrong with the rest, in order. Never throws for what stands in it. */
export function* manifestsIn(data: Uint8Array | string): Generator<ManifestText | ManifestProblem> {
  const text = typeof data === "string" ? data : decodeUtf8(data);
  if (text === undefined) {
    yield { line: 1, message: "the file is not UTF-8" };
    return;
  }
  for (const document of yamlDocuments(text)) {
    if (document.kind === "error") yield { line: document.line, message: document.message };
    else yield* objectsOf(document.value, document.place);
  }
}

function* objectsOf(value: unknown, place: DocumentPlace): Generator<ManifestText | ManifestProblem> {
  if (!isFields(value)) {
    yield { line: place.line, message: "the document is no object" };
    return;
  }
  const { items } = value;
  if (!Array.isArray(items) || !textAt(value, "kind").endsWith("List")) {
    yield* checked(value, place);
    return;
  }
  for (const [index, item] of items.entries()) {
    const at = place.item("items", index);
    if (isFields(item)) yield* checked(item, at);
    else yield { line: at.line, message: "an item of the list is no object" };
  }
}

function* checked(object: Fields, { text, line }: YamlPlace): Generator<ManifestText | ManifestProblem> {
  const metadata = isFields(object["metadata"]) ? object["metadata"] : {};
  if (isFields(metadata["annotations"]) && metadata["annotations"][LOCAL_CONFIG] === "true") return;
  const message = complaintOf(object, metadata);
  if (message !== undefined) yield { line, message };
  else if (isKubeObject(object)) yield { object, line, text };
}

/** Why an object cannot be applied to any cluster. */
function complaintOf(object: Fields, metadata: Fields): string | undefined {
  if (textAt(object, "apiVersion") === "") return "the object has no apiVersion";
  if (textAt(object, "kind") === "") return "the object has no kind";
  const { name, namespace, generateName } = metadata;
  if (name === undefined && generateName !== undefined) return "an object with generateName cannot be applied again: give it a name";
  if (name === undefined || name === null || name === "") return "the object has no metadata.name";
  if (typeof name !== "string") return "metadata.name is no text: put it in quotes";
  if (namespace !== undefined && namespace !== null && typeof namespace !== "string")
    return "metadata.namespace is no text: put it in quotes";
  if (!isWithinBytes(object, MAX_OBJECT_BYTES)) return "the object is larger than 3 MiB";
  return undefined;
}

function decodeUtf8(data: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    return undefined;
  }
}

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
