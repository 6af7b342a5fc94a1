import type { StateTable } from "@binnacle/rpc";

/** The states of a table that can be reached from `first`, in alphabetical order. */
export function reachedStates<State extends string>(table: StateTable<State, string>, first: NoInfer<State>): readonly State[] {
  const reached = new Set<State>([first]);
  for (const from of reached) for (const to of Object.values<State | undefined>(table[from])) if (to !== undefined) reached.add(to);
  return [...reached].toSorted();
}
