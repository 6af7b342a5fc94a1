import { expect, test } from "vitest";

import { expressionsOf } from "./expressions-of.ts";
import { slowExpressions, type Knowledge, type Verdict } from "./slow-expressions.ts";

const SLOW: Verdict = { kind: "slow", growth: "2nd degree polynomial", attack: "'a'.repeat(99)" };

function knowledge(given: Partial<Knowledge> = {}): Knowledge {
  const prove = async ({ source }: { readonly source: string }): Promise<Verdict> => (source.includes("+") ? SLOW : { kind: "linear" });
  return { proven: new Set(), allowed: new Map(), prove, ...given };
}

test("expressions are found with their lines, whatever looks like one", () => {
  const text = 'const a = 4 / 2 / 1;\n// no /comment+/g\nconst b = "/text/";\ncall(/x[/]\\/y/gi, new RegExp(`^${b}`), RegExp("c"));\n';
  expect(expressionsOf("a.ts", text)).toEqual([
    { path: "a.ts", line: 4, written: "/x[/]\\/y/gi", pattern: { source: "x[/]\\/y", flags: "gi" } },
    { path: "a.ts", line: 4, written: "new RegExp(`^${b}`)", pattern: undefined },
    { path: "a.ts", line: 4, written: 'RegExp("c")', pattern: undefined },
  ]);
});

test("expressions of TSX are found", () => {
  const text = "export const A = (): ReactNode => <p>{/a/.test(x) ? <b /> : null}</p>;";
  expect(expressionsOf("a.tsx", text).map(({ written }) => written)).toEqual(["/a/"]);
});

test("W6: a slow expression is a problem, with its place, its growth and a text that shows it", async () => {
  const { problems, linear } = await slowExpressions(expressionsOf("a.ts", "x;\n/b/;\n/a+$/;\n"), knowledge());
  expect(problems).toEqual(["a.ts:3: /a+$/ is slow: 2nd degree polynomial, for example on 'a'.repeat(99)"]);
  expect(linear).toEqual(["/b/"]);
});

test("what is proven already is not proven again", async () => {
  const proved: string[] = [];
  const prove: Knowledge["prove"] = async ({ source }) => {
    proved.push(source);
    return { kind: "linear" };
  };
  await slowExpressions(expressionsOf("a.ts", "/a/; /b/; /b/g; /b/;"), knowledge({ proven: new Set(["/a/"]), prove }));
  expect(proved).toEqual(["b", "b"]);
});

test("a slow expression may be allowed; an unused allowance is a problem", async () => {
  const allowed = new Map([
    ["/a+$/", "sees one line of our own"],
    ["/gone+$/", "was here"],
  ]);
  const { problems } = await slowExpressions(expressionsOf("a.ts", "/a+$/;"), knowledge({ allowed }));
  expect(problems).toEqual(["scripts/expressions/allowed.ts: unused: /gone+$/"]);
});

test("W6: one that is put together while the program runs, or that cannot be proved, has to be allowed by name", async () => {
  const prove: Knowledge["prove"] = async () => ({ kind: "unknown", reason: "timeout" });
  const { problems } = await slowExpressions(expressionsOf("a.ts", "new RegExp(x);\n/y/;"), knowledge({ prove }));
  expect(problems).toEqual([
    "a.ts:1: new RegExp(x) could not be proven to be linear: it is put together while the program runs",
    "a.ts:2: /y/ could not be proven to be linear: timeout",
  ]);
});
