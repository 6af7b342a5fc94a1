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

test("no title of a row is that of another language, and none has a word in camel case but the names of kinds", () => {
  const kinds = /\b(?:ConfigMap|PersistentVolumeClaim|ServiceAccount|StorageClass)\b/g;
  for (const [family, rows] of Object.entries(ROWS))
    for (const row of Object.keys(rows)) {
      const title = titleOf("Some", words(`${family}/${row}` as never, { name: "n", kind: "k", key: "y", backend: "b" }));
      if (title !== "“Some”") expect(title.replaceAll(kinds, ""), row).not.toMatch(/[a-z][A-Z]|\//);
    }
});

test("a title takes no more of a sentence than names, so that it is short", () => {
  const message = words("image/pull-failed", { container: "app", said: quoted("x".repeat(10_000)) });
  expect(JSON.stringify(issueTitle({ reason: "ErrImagePull", message })).length).toBeLessThan(100);
});
