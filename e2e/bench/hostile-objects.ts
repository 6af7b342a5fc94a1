import type { KubeObject } from "@binnacle/kube";

/** Size of a hostile object, in characters of JSON. */
const CHARS = 256 * 1024;

/** Objects of 256 KiB that are made to cost as much as can be, by what they are full of; JSON, so that each is as it comes from a cluster. */
export function hostileObjects(): ReadonlyMap<string, string> {
  const words = "some unknown words stand here for test ".repeat(6);
  const shapes: Readonly<Record<string, Partial<KubeObject>>> = {
    "one long state": { status: { phase: "aB".repeat(CHARS / 2) } },
    "fields that are states": { status: mapOf((index) => [`p${index}Status`, `Word${index}`]) },
    "fields that are empty": { status: mapOf((index) => [`k${index}`, ""]) },
    "fields with long names": { status: mapOf((index) => [`${"aB".repeat(40)}${index}`, "x"]) },
    "numbers to be compared": { status: mapOf((index) => [`${index % 2 === 0 ? "ready" : "desired"}Thing${index >> 1}`, index]) },
    "conditions with long messages": {
      status: {
        conditions: listOf((index) => ({
          type: `Thing${index}Ready`,
          status: "False",
          reason: `NotReady${index}`,
          message: `${words}${index}`,
        })),
      },
    },
    "lists of conditions": {
      status: mapOf((index) => [
        `group${index}`,
        { conditions: [{ type: `T${index}Ready`, status: "False", reason: `Reason${index}`, message: `${words}${index}` }] },
      ]),
    },
    "members with states": { status: { members: listOf((index) => ({ state: `S${index}`, ready: false, error: `e${index}` })) } },
    "maps in maps": { status: nested(4, 9, "s") },
    "switches that are none": { status: { phase: "Ready" }, spec: { strategy: mapOf((index) => [`strategy${index}`, {}]) } },
  };
  return new Map(
    Object.entries(shapes).map(([name, shape]) => [
      name,
      JSON.stringify({ apiVersion: "works.example/v1", kind: "Kiln", metadata: { name: "x", generation: 1 }, ...shape }),
    ]),
  );
}

function mapOf(entry: (index: number) => readonly [string, unknown]): Record<string, unknown> {
  const map: Record<string, unknown> = {};
  for (let index = 0, chars = 0; chars < CHARS; index += 1) {
    const [name, value] = entry(index);
    map[name] = value;
    chars += name.length + JSON.stringify(value).length + 4;
  }
  return map;
}

function listOf(entry: (index: number) => unknown): unknown[] {
  const list: unknown[] = [];
  for (let index = 0, chars = 0; chars < CHARS; index += 1) {
    const value = entry(index);
    list.push(value);
    chars += JSON.stringify(value).length + 1;
  }
  return list;
}

function nested(depth: number, width: number, name: string): unknown {
  if (depth === 0) return { status: `Word${name}`, ready: 1, desired: 2 };
  return Object.fromEntries(Array.from({ length: width }, (_, index) => [`${name}${index}`, nested(depth - 1, width, `${name}${index}`)]));
}
