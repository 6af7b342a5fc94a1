import { SettledState, SourceSchema } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { isWhole } from "./is-whole.ts";

test("R4: a view whose sources have not all answered is not whole, though it is shown", () => {
  const sources = [SettledState.LIVE, SettledState.FORBIDDEN].map((settled) => create(SourceSchema, { settled }));
  expect(isWhole({ complete: true, sources })).toBe(true);
  expect(isWhole({ complete: false, sources })).toBe(false);
  expect(isWhole({ complete: true, sources: [...sources, create(SourceSchema)] })).toBe(false);
});
