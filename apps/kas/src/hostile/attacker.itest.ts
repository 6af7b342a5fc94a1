import fc from "fast-check";
import { afterAll, expect, test } from "vitest";

import { AttackWorlds } from "./attack-worlds.ts";
import { attackSchema } from "./attack.ts";
import { anyAttack } from "./random-attack.ts";
import { problemsOfAttack } from "./run-attack.ts";

/** `npm run fuzz -- hostile MINUTES` draws others, for minutes. */
const seed = Number(process.env["PROPERTY_SEED"] ?? 1);
const limitMs = Number(process.env["PROPERTY_MS"] ?? 40_000);
const MOST_RUNS = 100_000;
/** To find a smaller attack that does the same. */
const SHRINK_MS = 300_000;

const worlds = new AttackWorlds();
afterAll(() => worlds.close());

test(
  "T5, T14, T15: whatever clients and agents send, kas lives, forgets it, and serves their neighbours",
  {
    timeout: limitMs + SHRINK_MS,
  },
  async () => {
    const found: string[] = [];
    await fc.assert(
      fc.asyncProperty(anyAttack, async (attack) => {
        const parsed = attackSchema.parse(attack);
        const problems = await problemsOfAttack(await worlds.of(parsed), parsed);
        if (problems.length > 0) found.push(JSON.stringify(attack));
        // Ready to be kept: apps/kas/src/hostile/cases/<name>.json.
        expect(problems, found.at(-1)).toEqual([]);
      }),
      { seed, numRuns: MOST_RUNS, interruptAfterTimeLimit: limitMs },
    );
  },
);
