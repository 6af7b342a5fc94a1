import { readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { eventually } from "@binnacle/testing";

import type { ChaosWorld } from "../chaos-world.ts";
import type { Disturbance } from "../disturbance.ts";

/** Every write to it fails for want of space. */
const FULL = "/dev/full";
const LIMIT_MS = 30_000;

const auditOf = ({ directory }: ChaosWorld): string => join(directory, "audit");
const logOf = ({ directory }: ChaosWorld): string => join(directory, "audit.log");

/** The path of the records leads elsewhere from now on. */
function lead(world: ChaosWorld, target: string): void {
  const audit = auditOf(world);
  symlinkSync(target, `${audit}.new`);
  renameSync(`${audit}.new`, audit);
}

/** The disk of the first kas' records is full for a while, and that of its log is full all the time. */
export const fullDisk: Disturbance = {
  name: "full disk",
  world: {
    kas(index, world) {
      if (index !== 0) return {};
      writeFileSync(logOf(world), "");
      lead(world, logOf(world));
      return { printsTo: FULL, configuration: { observability: { audit: { file: auditOf(world) } } } };
    },
  },
  // No request waits for a line.
  allowed: /^$/,
  begin(world) {
    lead(world, FULL);
    return Promise.resolve();
  },
  end(world) {
    lead(world, logOf(world));
    return Promise.resolve();
  },
  async wrongAfter(world) {
    // What waited for the disk is written; the last answer is in the file within a batch.
    const nrs = [...world.api.written.keys()].filter((path) => Number(path.split("/").at(-1)) % 2 === 0);
    const missing = (): readonly string[] => {
      const lines = readFileSync(logOf(world), "utf8");
      return nrs.map((path) => path.split("/").at(-1) ?? "").filter((nr) => !lines.includes(`"name":"${nr}"`));
    };
    const look = (): string | undefined => (missing().length === 0 ? undefined : `no record of ${missing().length} writes`);
    return eventually(look, LIMIT_MS).then(
      () => [],
      () => [look() ?? "records came late"],
    );
  },
};
