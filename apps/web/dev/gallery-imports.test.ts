import { build } from "esbuild";
import { join } from "node:path";
import { expect, test } from "vitest";

const GALLERY = join(import.meta.dirname, "components", "components-page.tsx");

// The development server fails at it in the browser's part, which otherwise only `dev-mode.spec.ts` shows, a long test.
test("nothing that the gallery of components imports needs Node", async () => {
  const { errors, metafile } = await build({
    entryPoints: [GALLERY],
    bundle: true,
    write: false,
    metafile: true,
    platform: "browser",
    format: "esm",
    jsx: "automatic",
    outdir: "out",
    logLevel: "silent",
    external: ["*.woff2"],
  });
  expect(errors).toEqual([]);
  expect(Object.keys(metafile.inputs).length).toBeGreaterThan(300);
});
