import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { yamlSections } from "./yaml-text.tsx";

test("fields with something below them fold, the rest stays together", () => {
  const yaml = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n\n  uid: u\ndata: {}\nstatus:\n  a: 1\n";
  expect(yamlSections(yaml)).toEqual([
    { start: 0, line: 1, head: "", body: "apiVersion: v1\nkind: ConfigMap", bodyLines: 2 },
    { start: 31, line: 3, head: "metadata:", body: "  name: web\n\n  uid: u", bodyLines: 3 },
    { start: 63, line: 7, head: "", body: "data: {}", bodyLines: 1 },
    { start: 72, line: 8, head: "status:", body: "  a: 1", bodyLines: 1 },
  ]);
});

test("sections are the whole text, each where it says that it begins", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue(), { maxKeys: 6 }), (object) => {
      const yaml = stringify(object, { lineWidth: 0 });
      const sections = yamlSections(yaml);
      const texts = sections.map(({ head, body }) => (head === "" ? body : `${head}\n${body}`));
      expect(`${texts.join("\n")}\n`).toBe(yaml.endsWith("\n") ? yaml : `${yaml}\n`);
      for (const [index, { start, line }] of sections.entries()) {
        expect(yaml.slice(start)).toMatch((texts[index] ?? "").slice(0, 1) === "" ? /^/ : yaml.slice(start, start + 1));
        expect(yaml.slice(0, start).split("\n")).toHaveLength(line);
      }
    }),
  );
});
