import { describe, expect, test } from "vitest";

import { compiledOf, publishedManifestOf } from "./published-manifest.ts";

const manifest = { name: "@binnacle/a", version: "0.1.0", exports: { ".": "./src/index.ts", "./en": "./src/en/index.ts" } };
const versions = new Map([["@binnacle/b", "0.2.3"]]);

describe("the manifest that is published", () => {
  test("exports what was compiled of a source, its types first", () => {
    const { exports } = publishedManifestOf(manifest, versions);
    const [index] = Object.values(exports as Record<string, unknown>);
    expect(JSON.stringify(index)).toBe('{"types":"./dist/index.d.ts","default":"./dist/index.js"}');
    expect(exports).toMatchObject({ "./en": { default: "./dist/en/index.js" }, "./package.json": "./package.json" });
  });

  test("requires the version of another package that it was built with, or a later one, and the stated version of others", () => {
    const dependencies = { "@binnacle/b": "*", yaml: "2.9.1" };
    expect(publishedManifestOf({ ...manifest, dependencies }, versions)["dependencies"]).toEqual({
      "@binnacle/b": "^0.2.3",
      yaml: "2.9.1",
    });
  });

  test("is refused to a package that depends on one that is not published", () => {
    const dependencies = { "@binnacle/rpc": "*" };
    expect(() => publishedManifestOf({ ...manifest, dependencies }, versions)).toThrow(
      "@binnacle/a depends on @binnacle/rpc, which is not published",
    );
  });

  test("leaves out what develops the package and what keeps it from being published", () => {
    const developed = { ...manifest, private: true, scripts: { typecheck: "tsc" }, devDependencies: { vitest: "1.0.0" } };
    const text = JSON.stringify(publishedManifestOf(developed, versions));
    expect(text).not.toMatch(/private|scripts|devDependencies/);
  });

  test.each([
    [false, false],
    [["./src/worker.ts"], ["./dist/worker.js"]],
  ])("copies the side effects of the package: %j", (stated, published) => {
    expect(publishedManifestOf({ ...manifest, sideEffects: stated }, versions)["sideEffects"]).toEqual(published);
  });

  test("names nothing that is not a source", () => {
    expect(() => compiledOf("./data/packs.yaml", ".js")).toThrow("./data/packs.yaml is no source below ./src");
  });
});
