import { expect, test } from "vitest";

import { namesOf } from "./read-certificate.ts";

test.each([
  ["", []],
  [
    "DNS:Shop.Example.com, DNS:*.example.com, IP Address:10.0.0.1, IP Address:0:0:0:0:0:0:0:1",
    ["shop.example.com", "*.example.com", "10.0.0.1", "0:0:0:0:0:0:0:1"],
  ],
  ["email:a@example.com, URI:https://x.example.com, DirName:CN = x", []],
  ["DNS:a.example.com, DNS:A.example.com", ["a.example.com"]],
  // One name that reads like two is none.
  ['DNS:"a.example.com, DNS:bank.example.com", DNS:b.example.com', ["b.example.com"]],
  ['DNS:"a\\", DNS:bank.example.com", DNS:b.example.com', ["b.example.com"]],
  ["DNS:<script>.example.com, DNS:a b, DNS:", []],
  [`DNS:${"a".repeat(254)}, DNS:b.example.com`, ["b.example.com"]],
])("names of hosts in %s", (text, names) => {
  expect(namesOf(text)).toEqual({ names, namesCut: false });
});

test("no more than a hundred names are kept, and that there are more is known", () => {
  const entries = Array.from({ length: 10_000 }, (_, index) => `DNS:h${index}.example.com`);
  expect(namesOf(entries.slice(0, 100).join(", "))).toMatchObject({ namesCut: false });
  const { names, namesCut } = namesOf(entries.join(", "));
  expect([names.length, namesCut]).toEqual([100, true]);
});
