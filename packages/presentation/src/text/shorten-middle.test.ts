import fc from "fast-check";
import { expect, test } from "vitest";
import { codeWidth, nameWidth } from "./name-width.ts";
import { shortenMiddle } from "./shorten-middle.ts";

const name = fc.stringMatching(/^[a-z0-9]([-.a-z0-9]{0,250}[a-z0-9])?$/);
const anything = fc.oneof(name, fc.string({ unit: "binary", maxLength: 300 }));
const measure = fc.constantFrom(undefined, nameWidth(12), nameWidth(14), codeWidth);

test("what has room stays as it is, and the ends of the rest stay", () => {
  expect(shortenMiddle("short", 11)).toBe("short");
  expect(shortenMiddle("checkout-7c9f8d-x2lq4", 18)).toBe("checkout-…8d-x2lq4");
  expect(shortenMiddle("checkout-7c9f8d-x2lq4", 11)).toBe("ch…8d-x2lq4");
  expect(shortenMiddle("checkout-7c9f8d-x2lq4", 4)).toBe("…lq4");
  expect(shortenMiddle("a".repeat(300), 18)).toHaveLength(18);
});

test("US12: a shortened name never takes more than its room", () => {
  fc.assert(
    fc.property(anything, fc.integer({ min: 20, max: 400 }), measure, (text, room, of = (each: string) => each.length) => {
      expect(of(shortenMiddle(text, room, of))).toBeLessThanOrEqual(room);
    }),
  );
});

test("US12: names that differ in their last 8 characters stay different in room for 9", () => {
  const end = fc.stringMatching(/^[a-z0-9]{8}$/);
  fc.assert(
    fc.property(name, fc.tuple(end, end), fc.integer({ min: 9, max: 60 }), (start, [one, other], room) => {
      fc.pre(one !== other);
      expect(shortenMiddle(start + one, room)).not.toBe(shortenMiddle(start + other, room));
    }),
  );
});

test("US12: the names of Pods of one ReplicaSet stay different on the narrowest card", () => {
  const pods = ["8x89f", "w5kzm", "mmwwm"].map((end) => shortenMiddle(`payments-service-7d9c5b8f6b-${end}`, 70, nameWidth(12)));
  expect(pods[0]).toMatch(/^….*-8x89f$/);
  expect(new Set(pods).size).toBe(3);
});

test("words have room for their spaces: they are reckoned no narrower than they are drawn, and at most a tenth wider", () => {
  // As Chromium draws them in Inter at weight 600, in hundredths of the font's size.
  for (const [words, drawn] of [
    ["9 old ReplicaSets", 832],
    ["3 completed Jobs", 863],
    ["Horizontal Pod Autoscaler", 1262],
  ] as const) {
    expect(nameWidth(100)(words)).toBeGreaterThanOrEqual(drawn);
    expect(nameWidth(100)(words)).toBeLessThan(drawn * 1.1);
  }
});

test("no character is cut in two", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, room) => {
      expect(shortenMiddle(text, room).isWellFormed()).toBe(true);
    }),
  );
});
