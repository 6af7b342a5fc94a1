// needs: redis
import { expect, test } from "vitest";

import { DISTURBANCES } from "./disturbances.ts";
import { runDisturbance } from "./disturbance.ts";

/** At twenty a second. */
const LENGTHS = { calm: 40, disturbed: 100 };

test.each(DISTURBANCES)(
  "security-3: $name: every request is answered, and all is well afterwards",
  { timeout: 180_000 },
  async (disturbance) => {
    const verdict = await runDisturbance(disturbance, LENGTHS);
    expect(verdict.wrong).toEqual([]);
    expect(verdict.answered).toBeGreaterThan(LENGTHS.calm);
  },
);
