/** Fields of unknown JSON. */
export type Fields = Readonly<Record<string, unknown>>;

const NOTHING: Fields = Object.freeze({});
const NO_ITEMS: readonly unknown[] = Object.freeze([]);

/** Whether the value is a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as a JSON object, or an empty one. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : NOTHING;
}

/** The field as a JSON object, or an empty one. */
export function fieldsAt(parent: unknown, name: string): Fields {
  return isFields(parent) ? fieldsOf(parent[name]) : NOTHING;
}

/** The value as a list, or an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NO_ITEMS;
}

/** The field as a list, or an empty one. */
export function listAt(parent: unknown, name: string): readonly unknown[] {
  return isFields(parent) ? listOf(parent[name]) : NO_ITEMS;
}

/** The value when it is text, else the empty string. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The field when it is text, else the empty string. */
export function textAt(parent: unknown, name: string): string {
  return isFields(parent) ? textOf(parent[name]) : "";
}

/** The field as a number; decimal strings count, as some controllers write them. `undefined` when it is neither. */
export function numberAt(parent: unknown, name: string): number | undefined {
  if (!isFields(parent)) return undefined;
  const value = parent[name];
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return undefined;
}
