import { expect, test } from "vitest";

import { pseudoCatalogue } from "./pseudo-catalogue.ts";
import { Renderer } from "./renderer.ts";

test("a pseudo-language wraps every sentence and leaves its places, parts and plurals alone", () => {
  const templates = { sum: "{^what} is gone[; {by} needs it], {count:one=# pod|other=# pods} left" };
  const pseudo = pseudoCatalogue(templates);
  expect(pseudo).toEqual({ sum: "⟦{^what} ís góñé[; {by} ñééds ít], {count:one=# pód|other=# póds} léft⟧" });
  expect(new Renderer(pseudo, "en").text({ id: "sum", facts: { what: "tea", count: 1 } })).toBe("⟦Tea ís góñé, 1 pód léft⟧");
});
