import { quoted, words } from "@binnacle/words";
import { renderEnglish } from "@binnacle/words/render-english";
import { expect, test } from "vitest";

import { issueTitle } from "./issue-title.ts";
import { ROWS } from "./why/rows.ts";

const titleOf = (reason: string, message = quoted("")): string => renderEnglish(issueTitle({ reason, message }));

test.each([
  ["ReadinessProbePending", words("probe/silent", { container: "app" }), "readiness probe has not passed yet"],
  ["ProgressDeadlineExceeded", words("rollout/deadline", { kind: "Deployment", name: "web" }), "no progress within the deadline"],
  ["NotFound", words("reference/service-account", { name: "till", by: "Deployment nosa" }), "ServiceAccount till does not exist"],
  ["NodeLost", words("node/lost", { name: "node-1", pod: "web-1" }), "node not ready"],
  ["ImagePullBackOff", words("image/pull-failed", { container: "app" }), "image cannot be pulled"],
])("ux-3: an issue with reason %s is called in plain words", (reason, message, title) => {
  expect(titleOf(reason, message)).toBe(title);
});

test("a reason without a row has plain words too, and one that only the cluster knows is quoted", () => {
  expect(titleOf("NotReady", words("resource/own", { kind: "Widget", name: "w", said: quoted("x") }))).toBe("not ready");
  expect(titleOf("LinkDown", words("resource/condition", { kind: "Widget", name: "w", said: quoted("x") }))).toBe("“LinkDown”");
  for (const inherited of ["constructor", "__proto__", "toString"]) expect(titleOf(inherited)).toBe(`“${inherited}”`);
});

test("a title of a row has no word in camel case but the names of kinds", () => {
  const kinds = /\b(?:ConfigMap|PersistentVolumeClaim|ServiceAccount|StorageClass|PriorityClass|RuntimeClass)\b/g;
  const facts = { name: "n", kind: "k", key: "y", backend: "b" };
  const ids = Object.entries(ROWS).flatMap(([family, rows]) => Object.keys(rows).map((row) => `${family}/${row}`));
  const titles = ids.map((id) => titleOf("Some", { id, facts })).filter((title) => title !== "“Some”");
  expect(titles.length).toBeGreaterThan(100);
  expect(titles.filter((title) => /[a-z][A-Z]|\//.test(title.replaceAll(kinds, "")))).toEqual([]);
});

test("a title takes no more of a sentence than names, so that it is short", () => {
  const message = words("image/pull-failed", { container: "app", said: quoted("x".repeat(10_000)) });
  expect(JSON.stringify(issueTitle({ reason: "ErrImagePull", message })).length).toBeLessThan(100);
});
