import { describe, expect, test } from "vitest";

import { placesOf } from "./catalogue.ts";
import { compileCatalogue, compileMessage } from "./compile-messages.ts";
import { ENGLISH_SOURCE } from "./en/index.ts";
import { ENGLISH } from "./english.ts";

describe("a compiled message", () => {
  test("is a text where it has no placeholders", () => {
    expect(compileMessage("the node's '{'platform'}'")).toBe("the node's {platform}");
  });

  test("has placeholders and choices among its texts", () => {
    expect(
      compileMessage("{Kind} {name}: {count, plural, one {a pod} other {{count} pods}}{has_by, select, no {} other { of {by}}}"),
    ).toEqual([
      ["Kind"],
      " ",
      ["name"],
      ": ",
      ["count", "plural", { one: "a pod", other: [["count"], " pods"] }],
      ["has_by", "select", { no: "", other: [" of ", ["by"]] }],
    ]);
  });

  test("names each value once, in whichever form it is used", () => {
    expect([...placesOf(compileMessage("{Kind}{kind}{has_by, select, no {} other {{by, plural, other {{more}}}}}"))]).toEqual([
      "kind",
      "by",
      "more",
    ]);
    expect([...placesOf("no values")]).toEqual([]);
  });
});

describe("compilation fails, with the id of the message", () => {
  test.each([
    ["a brace that is not closed", "{name", /EXPECT_ARGUMENT_CLOSING_BRACE/],
    ["a choice without a text for the rest", "{count, plural, one {a}}", /MISSING_OTHER_CLAUSE/],
    ["a grouped number", "{count, plural, other {# pods}}", /groups digits/],
    ["a format of numbers", "{count, number}", /not supported/],
    ["an ordinal", "{count, selectordinal, other {th}}", /ordinals/],
    ["an offset", "{count, plural, offset:1 other {pods}}", /offsets/],
  ])("for %s", (_, text, reason) => {
    const compile = (): unknown => compileCatalogue({ "a/id": text });
    expect(compile).toThrow(/^message a\/id: /);
    expect(compile).toThrow(reason);
  });
});

test("the compiled English is that of the sources: npm run gen writes it", () => {
  expect(ENGLISH).toEqual(compileCatalogue(ENGLISH_SOURCE));
});
