import { GetResourceResponseSchema, Presence } from "@binnacle/proto/dashboard";
import { pseudoCatalogue } from "@binnacle/words";
import { ENGLISH } from "@binnacle/words/en";
import { create } from "@bufbuild/protobuf";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import { setLanguage } from "../../ui/messages.ts";
import { madeNode } from "../live/made-view.ts";
import type { ResourceState } from "./use-resource.ts";
import { YamlTab, yamlFileName } from "./yaml-tab.tsx";
import { findInText } from "./yaml/find-in-text.ts";
import { clickedRange, lineRange, partsAround, type LineRange } from "./yaml/line-range.ts";
import { YamlText } from "./yaml/yaml-text.tsx";
import { YamlTools } from "./yaml/yaml-tools.tsx";

const YAML = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: web\n  namespace: prod\n";

afterEach(() => setLanguage(ENGLISH, "en"));

function tab(resource: ResourceState, more: { readonly resource?: string; readonly presence?: Presence } = {}): string {
  const ref = { kind: "Secret", resource: more.resource ?? "secrets", namespace: "prod", name: "web" };
  const node = madeNode({ id: "1", ref, presence: more.presence ?? Presence.PRESENT });
  return renderToStaticMarkup(<YamlTab node={node} resource={resource} kept={false} />);
}

const loaded: ResourceState = { answer: create(GetResourceResponseSchema, { yaml: YAML }), loading: false };
const found = (query: string, at = 0) => ({ query, hits: findInText(YAML, query), at, onQuery: () => {}, onStep: () => {} });

test("US9: the YAML stands in a region with a name that the keyboard reaches, with line numbers that are not copied", () => {
  const html = tab(loaded);
  expect(html).toMatch(/<section[^>]* aria-label="YAML of Secret web" tabindex="0"/i);
  expect(html).toMatch(/<pre[^>]* aria-hidden="true">1\n2<\/pre><pre[^>]*>apiVersion: v1\nkind: Secret<\/pre>/);
  expect(html).toMatch(/aria-hidden="true">3<\/pre><button[^>]* aria-expanded="true">.*metadata:<\/button>/);
  expect(html).toMatch(/>4\n5<\/pre><pre[^>]*> {2}name: web\n {2}namespace: prod<\/pre>/);
});

test("US9: it says what was left out, of Secrets what is masked", () => {
  expect(tab(loaded)).toMatch(/Left out: managed fields.*last-applied-configuration.*masked as \*{5}/);
  expect(tab(loaded, { resource: "configmaps" })).not.toContain("masked");
});

test("US9: it can be copied, kept as a file, wrapped and looked through", () => {
  const html = tab(loaded);
  for (const name of ["Copy YAML", "Download YAML", "Find in YAML"]) expect(html).toContain(`aria-label="${name}"`);
  expect(html).toContain('title="secret-web.yaml"');
  expect(html).toMatch(/aria-pressed="false">Wrap</);
});

test("a file's name has nothing that a system of files reads as more than a name", () => {
  expect(yamlFileName({ kind: "ClusterRole", name: "system:../a b" })).toBe("clusterrole-system-..-a-b.yaml");
  expect(yamlFileName({ kind: "Pod", name: "x".repeat(300) }).length).toBeLessThanOrEqual(255);
});

test("US9: the lines that a link is about are marked, with their numbers, also the line of a field", () => {
  const shown = (lines: LineRange | undefined): string =>
    renderToStaticMarkup(<YamlText yaml={YAML} label="YAML" search={found("kind")} wraps={false} lines={lines} />);
  expect(shown({ from: 2, to: 4 })).toMatch(/<span[^>]*>1<\/span><span[^>]*marked[^>]*>2<\/span>/);
  expect(shown({ from: 2, to: 4 })).toMatch(/data-marked=""><mark[^>]*>kind<\/mark>: Secret<\/span>/);
  expect(shown({ from: 2, to: 4 })).toMatch(/<div[^>]*data-marked="">.*metadata:/);
  expect(shown({ from: 2, to: 4 })).toMatch(/data-marked=""> {2}name: web<\/span><span[^>]*> {2}namespace: prod<\/span>/);
  expect(shown(undefined)).not.toContain("data-marked");
});

test("US9: an address names lines that there are, a click one of them, with Shift all from the one that is named", () => {
  expect(lineRange("3", 9)).toEqual({ from: 3, to: 3 });
  expect(lineRange("8-20", 9)).toEqual({ from: 8, to: 9 });
  expect(lineRange("8-2", 9)).toEqual({ from: 2, to: 8 });
  for (const none of ["", "0", "10", "10-12", "x"]) expect(lineRange(none, 9)).toBeUndefined();
  expect(clickedRange(undefined, 4, { extends: true })).toBe("4");
  expect(clickedRange({ from: 4, to: 4 }, 4, { extends: false })).toBe("");
  expect(clickedRange({ from: 4, to: 4 }, 9, { extends: true })).toBe("4-9");
  expect(clickedRange({ from: 4, to: 9 }, 2, { extends: true })).toBe("2-4");
});

test("a text in parts around lines is the text again", () => {
  const text = "a\n\nb\nc\n";
  for (let from = 1; from <= 12; from += 1) {
    for (let to = from; to <= 12; to += 1) {
      const parts = partsAround(text, 3, { from, to });
      expect(parts.map((part) => part.text).join("\n")).toBe(text);
      for (const part of parts) expect(text.slice(part.offset, part.offset + part.text.length)).toBe(part.text);
    }
  }
});

test("hits are marked, also in the line of a field, and one is the current one", () => {
  const html = renderToStaticMarkup(<YamlText yaml={YAML} label="YAML" search={found("META")} wraps={false} />);
  expect(html).toContain('<mark data-at="">meta</mark>data:');
  const names = renderToStaticMarkup(<YamlText yaml={YAML} label="YAML" search={found("name", 1)} wraps={false} />);
  expect(names).toContain('<mark>name</mark>: web\n  <mark data-at="">name</mark>space: prod');
});

test("the number of hits is shown, also when there is none", () => {
  const tools = (query: string, at = 0): string =>
    renderToStaticMarkup(<YamlTools yaml={YAML} fileName="a.yaml" search={found(query, at)} wraps={false} onWrap={() => {}} />);
  expect(tools("name", 1)).toMatch(/<output[^>]*>2 of 2<.*aria-label="Previous hit".*aria-label="Next hit"/);
  expect(tools("nowhere")).toMatch(/<output[^>]*>No hit<.*aria-disabled="true"/);
  expect(tools("")).not.toContain("Next hit");
});

test("a hidden object is not shown as absent", () => {
  expect(tab({ loading: false }, { presence: Presence.NOT_VISIBLE })).toContain("not visible to you");
  expect(tab({ loading: false })).toContain("There is no object to show.");
});

test("in another language nothing of the tab is English, but for the object", () => {
  setLanguage(pseudoCatalogue(ENGLISH), "en");
  const html = tab(loaded);
  const names = [...html.matchAll(/(?:aria-label|placeholder)="([^"]*)"/g)].map(([, name]) => name);
  for (const name of names) expect(name).toMatch(/^⟦/);
  expect(html.replaceAll(/<pre.*?<\/pre>|<[^>]+>/gs, " ")).not.toMatch(/\b(?:Wrap|Left|masked)\b/);
});
