import { expect, test } from "vitest";

import { countdown } from "./countdown.ts";

// Not called *.test.ts, because only fault-run.test.ts runs it.
test("ends at one", () => expect(countdown(3)).toEqual([3, 2, 1]));

test("has as many numbers as it begins with", () => expect(countdown(3)).toHaveLength(3));
