import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { AttackWorlds } from "./attack-worlds.ts";
import { attackSchema } from "./attack.ts";
import { problemsOfAttack } from "./run-attack.ts";

const worlds = new AttackWorlds();
afterAll(() => worlds.close());

const files = globSync(join(import.meta.dirname, "cases", "*.json")).sort();

test.each(files.map((file) => [basename(file, ".json"), file] as const))("%s does no harm", async (_name, file) => {
  const attack = attackSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  expect(await problemsOfAttack(await worlds.of(attack), attack), attack.what).toEqual([]);
});
