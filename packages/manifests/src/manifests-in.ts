import { isFields, isKubeObject, textAt, type Fields, type KubeObject } from "@binnacle/kube";

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
  /** One sentence, without the place, and without what the file says: that may be the value of a Secret. */
  readonly message: string;
}

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
