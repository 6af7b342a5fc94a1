import { join } from "node:path";

import { expect, test } from "vitest";

import { pluralsOf } from "./plurals.ts";
import { readSourceTree } from "./source-tree.ts";

const CODE = /^(?:apps|packages)\/[^/]+\/(?:src|app)\/.*\.tsx?$/;
/** Tests, generated code, and programs that imitate the texts of others. */
const NO_PRODUCT =
  /\.(?:test|itest|conformance|bench)\.tsx?$|\.dev\.tsx$|\/(?:testing|hostile|real-cluster)\/|^packages\/(?:kube-sandbox|kubelet-stand-in|testing|words)\//;
const PAGE = /^apps\/web\/(?:app|src\/(?:features|ui))\//;

/** Their ids are sent by agents, which do not send a count with them. */
const SENT_IDS = ["packages/environment-view/src/projection/where-words.ts"];

function pluralsIn(expression: string, isPage = false): string[] {
  return pluralsOf("made.tsx", `export const made = ${expression};`, { isPage }).map(({ text }) => text);
}

test.each([
  'n === 1 ? "pod" : "pods"',
  'n > 1 ? "entries" : "entry"',
  'n === 1 ? "Known is" : "Known are"',
  'n === 1 ? "1 pod" : `${n} pods`',
  'n === 1 ? "kas" : `${n} kas`',
  'n === 1 ? t("area/one") : t("area/many", { n })',
  'name + "s"',
])("%s is a plural", (plural) => expect(pluralsIn(plural)).toEqual([plural]));

test("the id of a message is chosen by a number only in the catalogue", () => {
  expect(pluralsIn('t(n === 1 ? "area/one" : "area/many")')).toEqual(['n === 1 ? "area/one" : "area/many"']);
  expect(pluralsIn('t(isOpen ? "area/one" : "area/many")')).toEqual([]);
});

test("a number before a noun is a plural on a page alone", () => {
  expect(pluralsIn("`${n} pods`", true)).toEqual(["`${n} pods`"]);
  expect([...pluralsIn("`${n} pods`"), ...pluralsIn("`${name} is gone, ${n} %`", false)]).toEqual([]);
});

test.each(['tls ? "https" : "http"', 'n === 1 ? "exact" : "suffix"', "n === 1 ? first : [...all]", 'text + "x"', "`${n} s`"])(
  "%s is no plural",
  (expression) => expect(pluralsIn(expression, true)).toEqual([]),
);

test("plurals stand in the catalogue", () => {
  const texts = [...readSourceTree(join(import.meta.dirname, "..", "..")).texts()];
  const sources = texts.filter(([path]) => CODE.test(path) && !NO_PRODUCT.test(path) && !SENT_IDS.includes(path));
  const plurals = sources.flatMap(([path, text]) =>
    pluralsOf(path, text, { isPage: PAGE.test(path) }).map((plural) => `${path}:${plural.line} ${plural.text}`),
  );
  expect(sources.length).toBeGreaterThan(1000);
  expect(plurals).toEqual([]);
});
