import { HealthStatus } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { encodeIndexFilter, parseIndexFilter } from "./index-filter.ts";
import { NOT_KNOWN_YET } from "@binnacle/presentation/environments/row-order";

test("the filter of the index reads back from the address, and nonsense filters nothing", () => {
  for (const status of [undefined, HealthStatus.DEGRADED, HealthStatus.UNSPECIFIED, NOT_KNOWN_YET] as const) {
    for (const text of ["", "review/ä & b"]) {
      expect(parseIndexFilter(new URLSearchParams(encodeIndexFilter({ text, status, sync: undefined })))).toEqual({
        text,
        status,
        sync: undefined,
      });
    }
  }
  expect(encodeIndexFilter({ text: "", status: undefined, sync: undefined })).toBe("");
  expect(parseIndexFilter(new URLSearchParams("health=toString"))).toEqual({ text: "", status: undefined, sync: undefined });
});
