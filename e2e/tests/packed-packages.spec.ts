import { join } from "node:path";

import { build } from "esbuild";

// @boundaries-ignore scripts are no package: they belong to the repository, as this test does
import { openPackedProject, type PackedProject } from "../../scripts/publishable/packed-project.ts";
import { pick } from "../support/endpoints.ts";
import { expect, test } from "../support/fixtures.ts";

const ROOT = join(import.meta.dirname, "../..");

let project: PackedProject;
test.beforeAll(async () => {
  project = await openPackedProject(ROOT);
});
test.afterAll(() => project.remove());

for (const name of ["@binnacle/graph", "@binnacle/health", "@binnacle/kube", "@binnacle/words"]) {
  test(`the README's example of ${name} prints in a browser what it promises, bundled from the packed files`, async ({ page }) => {
    const { file, example } = pick(project.packages, (each) => each.name === name);
    const bundle = await build({ entryPoints: [file], bundle: true, format: "esm", platform: "browser", write: false });
    const printed: string[] = [];
    page.on("console", (message) => printed.push(message.text()));
    page.on("pageerror", (error) => printed.push(String(error)));
    await page.addScriptTag({ type: "module", content: bundle.outputFiles[0]?.text ?? "" });
    await expect.poll(() => printed).toEqual(example.prints);
  });
}
