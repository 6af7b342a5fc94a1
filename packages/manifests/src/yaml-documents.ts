import { Composer, isAlias, isScalar, LineCounter, Parser, visit, type Document, type ParsedNode, type Range } from "yaml";

import { YAML_OPTIONS } from "./yaml-options.ts";

/** References (aliases) that documents may have, nested ones multiplied. An alias bomb exceeds it at once. */
const MAX_ALIASES = 1_000;
/** Anchors and aliases of a document: the library looks for each of these among all of those. */
const MAX_REFERENCES = 10_000;

const TOO_DEEP = "the document is nested too deeply";

/** One document of a file: its value, or why it has none. */
export type YamlDocument =
  | { readonly kind: "value"; readonly value: unknown; readonly place: DocumentPlace }
  | { readonly kind: "error"; readonly line: number; readonly message: string };

/** Where something stands in its file. */
export interface YamlPlace {
  /** Its text alone, which can be parsed again: what stands before it in its first line is blank. */
  readonly text: string;
  /** Line of the file that the text begins at, from 1. */
  readonly line: number;
}

/** Where a document stands in its file. */
export interface DocumentPlace extends YamlPlace {
  /** Where an item of the list under `key` stands. */
  item(key: string, index: number): YamlPlace;
}

/** The documents of a YAML or JSON file, one after the other; empty ones are left out. Never throws: what cannot be read is an `error`. */
export function* yamlDocuments(text: string): Generator<YamlDocument> {
  const lines = new LineCounter();
  const composer = new Composer(YAML_OPTIONS);
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  let reached = 1;
  try {
    for (const document of composer.compose(new Parser(lines.addNewLine).parse(text))) {
      const read = readDocument(document, { text, lineAt });
      if (read !== undefined) yield read;
      reached = lineAt(document.range[2]);
    }
  } catch {
    // The composer calls itself for every level of a document.
    yield { kind: "error", line: reached, message: TOO_DEEP };
  }
}

function readDocument(
  document: Document.Parsed<ParsedNode>,
  file: { readonly text: string; readonly lineAt: (offset: number) => number },
): YamlDocument | undefined {
  const { lineAt } = file;
  const [error] = document.errors;
  if (error !== undefined) return { kind: "error", line: lineAt(error.pos[0]), message: sentenceOf(error) };
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return undefined;
  const line = lineAt(contents.range[0]);
  const inexact = inexactNumber(document);
  if (inexact !== undefined) return { kind: "error", line: lineAt(inexact), message: "a number is too large to be kept exactly" };
  if (countReferences(document) > MAX_REFERENCES)
    return { kind: "error", line, message: `the document has more than ${MAX_REFERENCES} anchors and aliases` };
  const repeated = repeatedKey(document);
  if (repeated !== undefined) return { kind: "error", line: lineAt(repeated), message: "a key stands twice in one map" };
  const placeOf = ([start, , end]: Range): YamlPlace => {
    const column = start - (file.text.lastIndexOf("\n", start - 1) + 1);
    return { text: " ".repeat(column) + file.text.slice(start, end), line: lineAt(start) };
  };
  const documentPlace = placeOf(contents.range);
  const place: DocumentPlace = {
    ...documentPlace,
    item: (key, index) => {
      // Nodes of a parsed document have ranges; anything else than a node has no place of its own.
      const node = document.getIn([key, index], true) as Partial<ParsedNode> | undefined;
      return node?.range ? placeOf(node.range) : documentPlace;
    },
  };
  try {
    return { kind: "value", value: document.toJS({ maxAliasCount: MAX_ALIASES }), place };
  } catch (cause) {
    return { kind: "error", line, message: sentenceOf(cause) };
  }
}

/** Offset of an integer that a double does not hold, so that what is applied would be another number. */
function inexactNumber(document: Document.Parsed<ParsedNode>): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value !== "number" || !Number.isInteger(node.value) || Number.isSafeInteger(node.value)) return undefined;
      if (!/^[-+]?[0-9_]+$/.test(node.source ?? "")) return undefined;
      offset = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
    Node: (_key, node) => (isAlias(node) ? visit.SKIP : undefined),
  });
  return offset;
}

function countReferences(document: Document.Parsed<ParsedNode>): number {
  let count = 0;
  visit(document, { Node: (_key, node) => void (count += isAlias(node) || node.anchor !== undefined ? 1 : 0) });
  return count;
}

/** Offset of a key that stands in its map already, so that one of the two values would be lost. Keys that are no scalars are not compared. */
function repeatedKey(document: Document.Parsed<ParsedNode>): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Map(_key, { items }) {
      const known = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (known.has(key.value)) {
          offset = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        known.add(key.value);
      }
      return undefined;
    },
  });
  return offset;
}

/** The message of the library up to the first colon: behind it, it quotes the file, which may hold the value of a Secret. */
function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes("call stack")) return TOO_DEEP;
  return `YAML: ${message.split(/[:\n]/, 1)[0] ?? ""}`;
}
