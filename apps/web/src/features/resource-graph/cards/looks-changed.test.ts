import type { Words } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import { expect, test } from "vitest";
import { inputNodeOf, sameInput } from "@binnacle/presentation/layout/graph-input-of";
import { looksChanged } from "./node-card.tsx";
import { madeNode } from "../../live/made-view.ts";
import type { LiveNode } from "../../live/live-node.ts";

function node(change: { readonly revision: number; readonly factWords?: Words }): LiveNode {
  return madeNode({
    id: "a",
    ref: { kind: "Pod", resource: "pods", name: "p" },
    factWords: toWordsMessage(words("fact/ready", { count: "1/1" })),
    ...change,
  });
}

test("W9: a node that an Event has come about looks the same, and one with another fact does not", () => {
  expect(looksChanged(node({ revision: 1 }), node({ revision: 2 }))).toBe(false);
  expect(looksChanged(node({ revision: 1 }), node({ revision: 2, factWords: toWordsMessage(words("fact/ready", { count: "0/1" })) }))).toBe(
    true,
  );
});

test("W9: a node that an Event has come about is not laid out again", () => {
  expect(sameInput(inputNodeOf(node({ revision: 1 })), inputNodeOf(node({ revision: 2 })))).toBe(true);
});
