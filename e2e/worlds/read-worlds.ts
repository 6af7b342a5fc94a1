import { readdirSync } from "node:fs";

import type { FaultWorld, MakeFaultWorld } from "./fault-world.ts";

const FOLDER = new URL("faults/", import.meta.url);

/** Every world, by the name of its file, as it is at a time. */
export async function readWorlds(nowMs: number): Promise<(FaultWorld & { readonly id: string })[]> {
  const ago = (minutes: number): string => new Date(nowMs - minutes * 60_000).toISOString().replace(/\.\d+Z$/, "Z");
  const files = readdirSync(FOLDER).toSorted();
  return Promise.all(
    files.map(async (file) => {
      // Each file of the folder exports a world.
      const { world } = (await import(new URL(file, FOLDER).href)) as { readonly world: MakeFaultWorld };
      return { id: file.replace(".ts", ""), ...world(ago) };
    }),
  );
}
