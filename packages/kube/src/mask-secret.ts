import type { KubeObject } from "./kube-object.ts";
import { fieldsOf, isFields } from "./loose-json.ts";
import { trimObject } from "./trim-object.ts";

/** What stands in place of a value that is not shown. */
const MASK = "*****";
/** Longer annotations of a Secret are copies of it, or could be. */
const MAX_ANNOTATION_CHARS = 256;
/** The fields of a Secret that hold its values, by themselves and in the copies that tools keep. */
const VALUE_FIELDS = ["data", "stringData"];
const COPY = /(?:stringData|data)\\*["']?\s*:/;
/** A value of more characters has no form that a shown annotation could hold. */
const MAX_VALUE_CHARS = 512;
/** With more values or annotations than this, they are not compared, and no annotation is shown. */
const MAX_COMPARED = 200;

/**
 * The object with every value of `data` and `stringData` masked, and every annotation that could hold a copy of one: those that
 * are longer than 256 characters, that look like a copy of an object with data (an earlier one, too: kubectl, kapp and rancher keep
 * such copies, each under a name of its own), or that hold one of the values, plain, in base64 or as JSON writes it. Not mutated.
 */
export function maskSecret(object: KubeObject): KubeObject {
  const trimmed = trimObject(object);
  const masked: Record<string, unknown> = {};
  for (const field of VALUE_FIELDS) {
    if (trimmed[field] !== undefined && trimmed[field] !== null) masked[field] = maskAll(trimmed[field]);
  }
  const annotations: unknown = trimmed.metadata.annotations;
  const values = VALUE_FIELDS.flatMap((field) => Object.values(fieldsOf(trimmed[field])));
  const metadata = { ...trimmed.metadata };
  if (annotations !== undefined && annotations !== null) Object.assign(metadata, { annotations: maskCopies(annotations, values) });
  return { ...trimmed, ...masked, metadata };
}

/** Keys stay, also of a map where none should be; what is no map is masked as a whole. */
function maskAll(values: unknown): unknown {
  return isFields(values) ? Object.fromEntries(Object.keys(values).map((key) => [key, MASK])) : MASK;
}

function maskCopies(annotations: unknown, values: readonly unknown[]): unknown {
  if (!isFields(annotations) || Math.max(values.length, Object.keys(annotations).length) > MAX_COMPARED) return maskAll(annotations);
  const forms = values.flatMap(formsOf);
  return Object.fromEntries(Object.entries(annotations).map(([key, value]) => [key, mayShow(value, forms) ? value : MASK]));
}

function mayShow(annotation: unknown, forms: readonly string[]): boolean {
  if (typeof annotation !== "string" || annotation.length > MAX_ANNOTATION_CHARS) return false;
  // Some tools keep their copy in base64.
  return [annotation, fromBase64(annotation)].every((text) => !COPY.test(text) && !forms.some((form) => text.includes(form)));
}

/** The ways in which a value of the Secret may be written elsewhere. */
function formsOf(value: unknown): string[] {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length > MAX_VALUE_CHARS) return [];
  const plain = fromBase64(text);
  const encoded = [text, plain].map((form) => toBase64(form));
  const escaped = [text, plain].map((form) => JSON.stringify(form).slice(1, -1));
  return [text, plain, ...encoded, ...escaped].map((form) => form.replace(/(?<!=)=+$/, "")).filter((form) => form !== "");
}

/** Empty for what is not base64. Bytes that are no text come out as something that is found nowhere. */
function fromBase64(text: string): string {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return "";
  }
}

function toBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
}
