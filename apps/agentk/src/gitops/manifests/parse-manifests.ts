import { isFields, isKubeObject, textAt, type Fields } from "@binnacle/kube";

import { isWithinBytes } from "./expanded-size.ts";
import type { Manifest, ManifestError } from "./manifest.ts";
import type { ManifestFile } from "./manifest-file.ts";
import { yamlDocuments, type DocumentPlace, type YamlPlace } from "./yaml-documents.ts";

/** One object; the API server takes no more than 3 MiB in a request. */
const MAX_OBJECT_BYTES = 3 * 1024 * 1024;
/** Errors that are told; the rest is a number. */
const MAX_ERRORS = 100;

/** Objects that only tools on somebody's machine read, as cli-utils knows them. */
const LOCAL_CONFIG = "config.kubernetes.io/local-config";

/** What the files of a commit hold. */
export interface ParsedManifests {
  readonly manifests: readonly Manifest[];
  /** At most 100, in order of files and lines. */
  readonly errors: readonly ManifestError[];
  /** Files with an error, all of them: what else they hold may be read wrong too. */
  readonly broken: ReadonlySet<string>;
}

/** Reads all files of a commit. Other work gets its turn between two documents. Never throws for what stands in a file. */
export async function parseManifests(files: readonly ManifestFile[]): Promise<ParsedManifests> {
  const manifests: Manifest[] = [];
  const errors: ManifestError[] = [];
  const broken = new Set<string>();
  for (const file of files) {
    for (const read of manifestsOf(file)) {
      if ("message" in read) {
        errors.push(read);
        broken.add(read.source);
      } else manifests.push(read);
      await new Promise((resolve) => void setImmediate(resolve));
    }
  }
  return { manifests, errors: errors.slice(0, MAX_ERRORS), broken };
}

function* manifestsOf({ source, data }: ManifestFile): Generator<Manifest | ManifestError> {
  const text = decodeUtf8(data);
  if (text === undefined) {
    yield { source, line: 1, message: "the file is not UTF-8" };
    return;
  }
  for (const document of yamlDocuments(text)) {
    if (document.kind === "error") yield { source, line: document.line, message: document.message };
    else yield* objectsOf(document.value, { source, place: document.place });
  }
}

function* objectsOf(value: unknown, from: { readonly source: string; readonly place: DocumentPlace }): Generator<Manifest | ManifestError> {
  const { source, place } = from;
  if (!isFields(value)) {
    yield { source, line: place.line, message: "the document is no object" };
    return;
  }
  const { items } = value;
  if (!Array.isArray(items) || !textAt(value, "kind").endsWith("List")) {
    yield* checked(value, from);
    return;
  }
  for (const [index, item] of items.entries()) {
    const at = place.item("items", index);
    if (isFields(item)) yield* checked(item, { source, place: at });
    else yield { source, line: at.line, message: "an item of the list is no object" };
  }
}

function* checked(object: Fields, from: { readonly source: string; readonly place: YamlPlace }): Generator<Manifest | ManifestError> {
  const { source, place } = from;
  const { line } = place;
  const metadata = isFields(object["metadata"]) ? object["metadata"] : {};
  if (isFields(metadata["annotations"]) && metadata["annotations"][LOCAL_CONFIG] === "true") return;
  const message = complaintOf(object, metadata);
  if (message !== undefined) yield { source, line, message };
  else if (isKubeObject(object)) yield { object, source, line, text: place.text };
}

/** Why an object cannot be applied, whatever the cluster says. */
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
