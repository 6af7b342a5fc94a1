import type { Program } from "@binnacle/testing";

import type { Figure } from "./goals.ts";

const MIB = 1024 * 1024;

/** MiB of each of some processes. */
interface Memory {
  /** Resident, as the processes are. */
  readonly opened: readonly number[];
  /** Resident, when they have collected their garbage. */
  readonly settled: readonly number[];
  /** Of living objects. */
  readonly held: readonly number[];
  readonly names: readonly string[];
}

/** Memory of processes now. */
export async function memoryOf(programs: Readonly<Record<string, Pick<Program, "resident" | "heldMemory">>>): Promise<Memory> {
  const all = Object.values(programs);
  const residentMib = (): number[] => all.map((program) => program.resident().now / MIB);
  const opened = residentMib();
  const held = (await Promise.all(all.map((program) => program.heldMemory()))).map(({ heapUsed, external }) => (heapUsed + external) / MIB);
  return { names: Object.keys(programs), opened, settled: residentMib(), held };
}

/**
 * What each terminal takes. New terminals fit in part into memory that a process had before.
 *
 * @param terminals how many were opened between the two moments
 */
export function figuresOfTerminals(terminals: number, before: Memory, after: Memory): readonly Figure[] {
  return (["opened", "settled", "held"] as const).flatMap((when): Figure[] => {
    const since = when === "held" ? before.held : before.settled;
    const each = after[when].map((mib, index) => (mib - (since[index] ?? 0)) / terminals);
    return [
      ...after.names.map((name, index) => ({ figure: `${when}: each in ${name}`, value: each[index] ?? 0, unit: "MiB" })),
      { figure: `${when}: each in all processes`, value: each.reduce((sum, one) => sum + one, 0), unit: "MiB", goal: 1 },
    ];
  });
}
