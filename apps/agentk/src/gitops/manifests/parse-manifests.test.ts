import { expect, test } from "vitest";

import { parsed } from "../testing/parsed.ts";

const file = (source: string, text: string): { source: string; data: Uint8Array } => ({ source, data: Buffer.from(text) });

const CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n";

test("an error leaves the other documents and files readable", async () => {
  const { manifests, errors } = await parsed(
    file("a.yaml", `${CONFIG}---\nkind: Pod\n---\n${CONFIG}`),
    file("b.yaml", "a: [\n"),
    file("c.yaml", CONFIG),
  );
  expect(manifests.map(({ source, line }) => `${source}:${line}`)).toEqual(["a.yaml:1", "a.yaml:8", "c.yaml:1"]);
  expect(errors.map(({ source, line }) => `${source}:${line}`)).toEqual(["a.yaml:6", expect.stringMatching(/^b.yaml:/)]);
});

test("at most a hundred errors are reported", async () => {
  const { errors } = await parsed(file("a.yaml", "kind: Pod\n---\n".repeat(150)));
  expect(errors).toHaveLength(100);
});
