import { expect, test } from "vitest";

import { linkProblems } from "./links.ts";
import { SourceTree } from "./source-tree.ts";

function problemsOf(text: string, path = "docs/design/limits.md"): string[] {
  return linkProblems(new SourceTree({ "docs/design/view.md": "# View\n", [path]: text }, ["docs/images/a b.webp", "LICENSE"]));
}

test("links lead from the folder of their page, to files and folders, with a heading or without", () => {
  expect(problemsOf('[view](view.md#heading), [all](../design), [own](#here), [licence](../../LICENSE "MIT")')).toEqual([]);
  expect(problemsOf('<img src="docs/images/a%20b.webp" alt="x">', "START.md")).toEqual([]);
});

test("addresses of the web and examples in code are not looked at", () => {
  expect(problemsOf("[a](https://example.com/x), [b](mailto:a@example.com) `[c](gone.md)`\n```\n[d](gone.md)\n```\n")).toEqual([]);
});

test.each([
  ["a page that is not there", "one\n\n[x](gone.md#top)", ':3: the link to "gone.md#top" leads to no file'],
  ["a picture that is not there", "![x](../images/none.png)", ':1: the link to "../images/none.png" leads to no file'],
  ["a source of a picture", '<source srcset="../images/none.webp">', ':1: the link to "../images/none.webp" leads to no file'],
  ["a path from the root instead of the folder", "[x](docs/design/view.md)", ':1: the link to "docs/design/view.md" leads to no file'],
  ["a link without a target", '<a href="">x</a>', ':1: the link to "" leads to no file'],
])("%s is reported with its line", (_name, text, problem) => {
  expect(problemsOf(text)).toEqual([`docs/design/limits.md${problem}`]);
});

test("files that are no Markdown have no links", () => {
  expect(problemsOf("[x](gone.md)", "apps/kas/src/main.ts")).toEqual([]);
});
