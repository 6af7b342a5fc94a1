import { expect, test } from "vitest";

import { SourceTree } from "./source-tree.ts";
import { vagueWordProblems, vagueWords } from "./vague-words.ts";

test.each([
  ["told, Said and ASKED", 3],
  ["toldStatusOf ToldStatus lastTold MAX_TOLD #told told-status", 6],
  ["wishes, mended, somebody's", 3],
  ["recommend amends Mendel wishbone unsaid", 0],
])("%s has the words %i times", (text, times) => {
  expect(vagueWords(text)).toBe(times);
});

test("names of the wire are allowed, other names and files are problems", () => {
  const tree = new SourceTree({
    "apps/web/src/told-rules.ts": "export const lastTold = GitopsWish.SYNC;\n",
    "packages/proto/gen/wish_pb.ts": "export const said = 1;\n",
    "scripts/asked.ts": "export const asked = 1;\n",
  });
  expect(vagueWordProblems(tree)).toEqual([
    expect.stringMatching(/^the name lastTold has a vague word/),
    expect.stringMatching(/^apps\/web\/src\/told-rules\.ts has a vague word in its name/),
  ]);
});

test("five hundred words are allowed in all", () => {
  const tree = (times: number) => new SourceTree({ "apps/web/src/a.ts": `// ${"said ".repeat(times)}\n` });
  expect(vagueWordProblems(tree(500))).toEqual([]);
  expect(vagueWordProblems(tree(501))).toEqual([expect.stringMatching(/^sources have 501 vague words/)]);
});
