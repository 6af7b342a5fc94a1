import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { expect, test } from "vitest";

import {
  durationField,
  isDuration,
  isTime,
  MAX_TIME_MS,
  MIN_TIME_MS,
  timeField,
  timeOf,
  toInt32,
  toTimestamp,
  toUint32,
} from "./wire-values.ts";

/** Any number that JavaScript has: fractions, NaN, both infinities, and what no message can hold. */
const number = fc.oneof(
  fc.double(),
  fc.double({ min: -1e15, max: 1e15, noNaN: true }),
  fc.constantFrom(0.1, 365_193_115.234375, -0.5, Number.NaN, Infinity, -Infinity, 1e18, -1e18, 1e300, 2 ** 63, MIN_TIME_MS, MAX_TIME_MS),
);

test("T40: any number becomes a time that can be encoded, and one that a calendar has", () => {
  fc.assert(
    fc.property(number, (ms) => {
      const sent = fromBinary(TimestampSchema, toBinary(TimestampSchema, toTimestamp(ms)));
      const came = timeOf(sent);
      expect(came !== undefined && isTime(came)).toBe(true);
      expect(came).toBe(Number.isNaN(ms) ? 0 : Math.min(MAX_TIME_MS, Math.max(MIN_TIME_MS, Math.round(ms))) + 0);
    }),
  );
});

test("T40: an invalid foreign time is a gap, never another time", () => {
  fc.assert(
    fc.property(fc.option(number, { nil: undefined }), (ms) => {
      const { at } = timeField("at", ms);
      expect(at && timeOf(at)).toBe(ms !== undefined && isTime(ms) ? Math.round(ms) + 0 : undefined);
    }),
  );
});

test("T40: any number becomes a period that can be encoded, or none", () => {
  fc.assert(
    fc.property(number, (ms) => {
      const { every } = durationField("every", ms);
      const sent = every && fromBinary(DurationSchema, toBinary(DurationSchema, every));
      expect(sent && isDuration(sent)).toBe(ms >= 0 ? true : undefined);
    }),
  );
});

test("T40: any number becomes a count that 32 bits can hold", () => {
  fc.assert(
    fc.property(number, (claimed) => {
      expect(new Uint32Array([toUint32(claimed)])[0]).toBe(toUint32(claimed));
      expect(toInt32(claimed)).toBe(toInt32(claimed) | 0);
    }),
  );
});
