import { expect, test } from "vitest";

import { countdown } from "./countdown.ts";

// Wrong on purpose: with it no fault can be judged.
test("ends at zero", () => expect(countdown(1)).toEqual([1, 0]));
