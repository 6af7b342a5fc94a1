import { expect, test } from "vitest";

import { compileCatalogue } from "./compile-messages.ts";
import { pseudoCatalogue } from "./pseudo-catalogue.ts";
import { Renderer } from "./renderer.ts";

test("a pseudo-language wraps every message and leaves its placeholders, keys of choices and their names alone", () => {
  const english = compileCatalogue({
    sum: "{What} is gone{has_by, select, no {} other {; {by} needs it}}, {count, plural, one {{count} pod} other {{count} pods}} left",
    plain: "gone",
  });
  const pseudo = pseudoCatalogue(english);
  expect(pseudo).toEqual({
    sum: [
      "⟦",
      ["What"],
      " ís góñé",
      ["has_by", "select", { no: "", other: ["; ", ["by"], " ñééds ít"] }],
      ", ",
      ["count", "plural", { one: [["count"], " pód"], other: [["count"], " póds"] }],
      " léft",
      "⟧",
    ],
    plain: "⟦góñé⟧",
  });
  const renderer = new Renderer(pseudo, "en");
  expect(renderer.text({ id: "sum", facts: { what: "tea", count: 1 } })).toBe("⟦Tea ís góñé, 1 pód léft⟧");
  expect(renderer.text({ id: "plain", facts: {} })).toBe("⟦góñé⟧");
});
