/** Whether it has fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The first of the names that is there: parsed configuration comes as snake_case or as protobuf's JSON names. */
export function field(value: unknown, ...names: readonly string[]): unknown {
  if (!isRecord(value)) return undefined;
  const name = names.find((candidate) => value[candidate] !== undefined);
  return name === undefined ? undefined : value[name];
}

/** The list of that name; empty when there is none. */
export function listOf(section: unknown, name: string): readonly unknown[] {
  const list = field(section, name);
  return Array.isArray(list) ? list : [];
}
