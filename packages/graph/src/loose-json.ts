/** Fields of unknown JSON. */
export type Fields = Readonly<Record<string, unknown>>;

const NOTHING: Fields = Object.freeze({});
const NO_ITEMS: readonly unknown[] = Object.freeze([]);

/** Whether the value is a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The field as a JSON object, or an empty one. */
export function fieldsAt(parent: unknown, name: string): Fields {
  const value = isFields(parent) ? parent[name] : undefined;
  return isFields(value) ? value : NOTHING;
}

/** The field as a list, or an empty one. */
export function listAt(parent: unknown, name: string): readonly unknown[] {
  const value = isFields(parent) ? parent[name] : undefined;
  return Array.isArray(value) ? value : NO_ITEMS;
}

/** The field when it is text, else the empty string. */
export function textAt(parent: unknown, name: string): string {
  const value = isFields(parent) ? parent[name] : undefined;
  return typeof value === "string" ? value : "";
}
