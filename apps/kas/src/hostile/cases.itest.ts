import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { AttackWorld } from "./attack-world.ts";
import { attackSchema } from "./attack.ts";
import { problemsOfAttack } from "./run-attack.ts";

let world: AttackWorld;
beforeAll(async () => {
  world = await AttackWorld.open();
});
afterAll(() => world.close());

const files = globSync(join(import.meta.dirname, "cases", "*.json")).sort();

test.each(files.map((file) => [basename(file, ".json"), file] as const))("%s does no harm", async (_name, file) => {
  const attack = attackSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  expect(await problemsOfAttack(world, attack), attack.what).toEqual([]);
});
