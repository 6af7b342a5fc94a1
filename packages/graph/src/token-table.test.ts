import fc from "fast-check";
import { expect, test } from "vitest";

import { referenceByToken } from "./reference.ts";
import { TokenTable } from "./token-table.ts";
import { Vertex, type BoundReference } from "./vertex.ts";

const TOKENS = ["first", { group: "", kind: "Secret", namespace: "shop", name: "second" }] as const;

test("a reference to a token leads to its providers, whatever the order of updates", () => {
  const step = fc.record({ token: fc.constantFrom(...TOKENS), who: fc.nat(7) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const [table, provider] = [new TokenTable(), new Vertex("provider")];
      const wanted = new Map(TOKENS.map((token) => [token, new Map<number, BoundReference>()] as const));
      for (const { token, who } of steps) {
        const waiting = wanted.get(token);
        const known = waiting?.get(who);
        if (known === undefined) {
          const bound = referring(who);
          waiting?.set(who, bound);
          table.want(token, bound);
        } else {
          waiting?.delete(who);
          table.unwant(token, known);
        }
        for (const [each, all] of wanted) {
          expect(new Set(table.provide(each, provider))).toEqual(new Set(all.values()));
          expect(table.withdraw(each, provider)).toHaveLength(all.size);
        }
      }
    }),
  );
});

test("a second token of a reference is resolved as well", () => {
  const [table, bound] = [new TokenTable(), referring(1)];
  table.want("first", bound);
  expect(table.wantBesides("second", bound)).toBeUndefined();
  expect(table.provide("second", new Vertex("provider"))).toEqual([bound]);
  table.unwantBesides("second", bound);
  expect(table.withdraw("second", new Vertex("provider"))).toEqual([]);
  expect(table.provide("first", new Vertex("provider"))).toEqual([bound]);
});

function referring(who: number): BoundReference {
  const reference = referenceByToken("owner", `references[${who}]`, { token: "first" });
  return { holder: new Vertex(String(who)), reference, targets: undefined, previous: undefined, next: undefined };
}
