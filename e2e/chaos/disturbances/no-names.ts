import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { eventually } from "@binnacle/testing";

import type { ChaosWorld } from "../chaos-world.ts";
import type { Disturbance } from "../disturbance.ts";

const PRELOAD = fileURLToPath(new URL("../preloads/failing-names.ts", import.meta.url));
const LIMIT_MS = 60_000;

const failingOf = ({ directory }: ChaosWorld): string => join(directory, "names-fail");

/** Agents know kas by a name that cannot be resolved for a while, in which their connections break. */
export const noNames: Disturbance = {
  name: "DNS",
  world: {
    agentk: (world, port) => ({
      kasAddress: `grpc://kas.invalid:${port}`,
      nodeFlags: ["--import", PRELOAD],
      env: { NAMES_FAIL_FILE: failingOf(world) },
    }),
  },
  allowed: /^50[234] /,
  async begin(world) {
    writeFileSync(failingOf(world), "");
    for (const network of world.networks) {
      network.cut();
      network.restore();
    }
    for (const { program } of world.agents) {
      const look = (): string | undefined => (program.output.includes("EAI_AGAIN") ? undefined : `no word of DNS:\n${program.output}`);
      await eventually(look, LIMIT_MS);
    }
  },
  end(world) {
    rmSync(failingOf(world));
    return Promise.resolve();
  },
};
