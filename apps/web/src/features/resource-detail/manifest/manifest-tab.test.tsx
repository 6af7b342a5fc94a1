import { CompareManifestResponseSchema, ManifestFieldState, ManifestPlaceSchema, ManifestSource } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted } from "@binnacle/words";
import { ManifestTab } from "./manifest-tab.tsx";

const { SAME, DIFFERENT, ABSENT, EXTRA } = ManifestFieldState;
const MANIFEST = { path: "deploy/web.yaml", line: 3, url: "https://git.example.com/-/blob/1/deploy/web.yaml#L3" };

function tab(answer: MessageInitShape<typeof CompareManifestResponseSchema>): string {
  const of = { project: "group/app", sha: "abcdef1234", manifest: create(ManifestPlaceSchema, MANIFEST) };
  const comparison = { answer: create(CompareManifestResponseSchema, { ...of, ...answer }), loading: false };
  return renderToStaticMarkup(<ManifestTab comparison={comparison} kept={false} />);
}

test("only what differs is shown at first, each with its line, both values and who wrote it", () => {
  const fields = [
    { path: "spec.replicas", line: 7, state: DIFFERENT, desired: "3", live: "7", manager: "kubectl-scale" },
    { path: "spec.paused", line: 8, state: ABSENT, desired: "true" },
    { path: "spec.selector.by", line: 9, state: EXTRA, live: "hand" },
    { path: "spec.type", line: 10, state: SAME, desired: "A", live: "A" },
  ];
  const html = tab({ fields, different: 3, compared: 4 });
  expect(html).toMatch(/deploy\/web.yaml:3<\/code>.*of group\/app at <code>abcdef12/);
  expect(html).toContain("3 of 4 fields differ from the manifest.");
  expect(html).toMatch(/spec.replicas.*#L7" title="This field comes from deploy\/web.yaml:7".*>line 7.*>3<.*>7<.*written by kubectl-scale/);
  expect(html).toMatch(/spec.paused.*>true<.*not there.*spec.selector.by.*not named.*>hand</);
  expect(html).not.toContain("spec.type");
});

test("when nothing differs everything is shown", () => {
  const html = tab({ fields: [{ path: "spec.type", line: 10, state: SAME, desired: "A", live: "A" }], compared: 1 });
  expect(html).toContain("The one field matches Git.");
  expect(html).toContain("spec.type");
  expect(html).not.toContain("checkbox");
});

test("for a Secret a note states that values are not shown, and for omitted parts how much is omitted", () => {
  const field = { path: "data.password", line: 7, state: DIFFERENT, hidden: true };
  const html = tab({ fields: [field], different: 3, compared: 9, cut: true });
  expect(html).toMatch(/data.password.*not shown: it belongs to a Secret/);
  expect(html).toContain("and 2 more");
  expect(html).toContain("more fields than are compared");
});

test("B4: of the state applied last the source is named, and no sentence claims Git", () => {
  const fields = [{ path: "data.colour", state: DIFFERENT, desired: "blue", live: "red" }];
  const source = { source: ManifestSource.LAST_APPLIED, sourceWords: toWordsMessage(quoted("Compared with the annotation.")) };
  const html = tab({ ...source, manifest: undefined, project: "", sha: "", fields, different: 1, compared: 2 });
  expect(html).toContain("Compared with the annotation.");
  expect(html).toContain("1 of 2 fields differs from the state applied last.");
  expect(html).toMatch(/<dt>Applied<\/dt>.*blue.*<dt>Cluster<\/dt>.*red/);
  expect(html).not.toMatch(/Git|manifest/);
});

test("B4: fields and diff are two views of one comparison, and the list is the first", () => {
  const html = tab({
    fields: [{ path: "spec.type", state: SAME, desired: "A", live: "A" }],
    compared: 1,
    desiredYaml: "a: 1\n",
    liveYaml: "a: 1\n",
  });
  expect(html).toMatch(/aria-label="View of the comparison".*aria-pressed="true">Fields<.*aria-pressed="false">Diff</);
});

test("the reason for a missing comparison is shown, with its location where that is known", () => {
  const html = tab({ words: toWordsMessage(quoted("deploy/web.yaml is no text")) });
  expect(html).toMatch(/deploy\/web.yaml:3.*Not compared: deploy\/web.yaml is no text\./);
  expect(html).not.toContain("fields");
});

test.each([
  [{ loading: true }, "Loading"],
  [{ loading: false, problem: "kas does not answer", willRetry: true }, "The manifest could not be loaded: kas does not answer."],
  [{ loading: false }, "There is no manifest to show."],
])("without an answer it says what is known: %j", (comparison, words) => {
  expect(renderToStaticMarkup(<ManifestTab comparison={comparison} kept={false} />)).toContain(words);
});
