import { expect, test } from "vitest";
import { resultsOf, type PaletteItem, fit, wordsOf } from "./palette-items.ts";

const run = (): void => undefined;

function resource(text: string, detail = "Pod in shop", state = "Healthy"): PaletteItem {
  return { id: text, group: "Resources", text, detail, state, run };
}

const ITEMS: readonly PaletteItem[] = [
  resource("checkout-7c9f8d-x2lq4"),
  resource("old-checkout"),
  resource("checkout", "Deployment in shop", "Degraded"),
  resource("catalog"),
  { id: "kind Deployment", group: "Kinds", text: "Deployment", detail: "12 resources", run },
  { id: "environment staging", group: "Environments", text: "staging", run },
  { id: "do theme", group: "Actions", text: "Switch between light and dark", run },
];

const found = (query: string, recent: readonly string[] = []) =>
  resultsOf(ITEMS, query, recent).groups.flatMap(({ items }) => items.map(({ text }) => text));

test("what is called so comes before what begins so, that before what has it within, and letters one after the other come last", () => {
  expect(found("checkout")).toEqual(["checkout", "checkout-7c9f8d-x2lq4", "old-checkout"]);
  expect(found("chkot")).toEqual(["checkout", "checkout-7c9f8d-x2lq4", "old-checkout"]);
  expect(found("x2lq4")).toEqual(["checkout-7c9f8d-x2lq4"]);
  expect(found("zzz")).toEqual([]);
});

test("every word must fit: by name, kind, namespace or state", () => {
  expect(found("checkout degraded")).toEqual(["checkout"]);
  expect(found("CHECKOUT  Deployment")).toEqual(["checkout"]);
  expect(found("dark")).toEqual(["Switch between light and dark"]);
  expect(found("deployment")[0]).toBe("Deployment");
});

test("without a query what was chosen last is first, and nothing stands twice", () => {
  const { groups } = resultsOf(ITEMS, " ", ["kind Deployment", "gone"]);
  expect(groups.map(({ title }) => title)).toEqual(["Recent", "Resources", "Environments", "Actions"]);
  expect(groups[0]?.items.map(({ id }) => id)).toEqual(["kind Deployment"]);
  expect(found("check", ["old-checkout"])[0]).toBe("checkout");
});

test("of 5,000 no more than 50 are shown, and how many there are is known; a megabyte of a name is looked through in one go", () => {
  const many = Array.from({ length: 5000 }, (_, index) => resource(`web-${index}`));
  const { groups, total } = resultsOf(many, "web", []);
  expect([groups.flatMap(({ items }) => items).length, total]).toEqual([50, 5000]);
  expect(fit(wordsOf("ab".repeat(50)), "a".repeat(1_000_000))).toBe(0);
  expect(fit(wordsOf("needle"), `${"x".repeat(1_000_000)}needle`)).toBeGreaterThan(0);
});
