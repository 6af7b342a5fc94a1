import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";
import { parseDocument } from "yaml";

const REPOSITORY = join(import.meta.dirname, "..", "..");
const textOf = (file: string): string => readFileSync(join(REPOSITORY, file), "utf8");

/** A file as what it says. @throws for what is no well-formed YAML, doubled keys among it */
function parsed(file: string): unknown {
  const document = parseDocument(textOf(file), { strict: true, uniqueKeys: true });
  expect([...document.errors, ...document.warnings], file).toEqual([]);
  return document.toJS();
}

test("the workflow of GitHub sets Go up, keeps the control plane and runs .ci/run", () => {
  const workflow = parsed(".github/workflows/ci.yml");
  expect(workflow).toMatchObject({
    permissions: { contents: "read" },
    jobs: { test: { container: "node:24-bookworm", steps: expect.arrayContaining([expect.objectContaining({ run: ".ci/run" })]) } },
  });
  const { steps } = (workflow as { jobs: { test: { steps: { uses?: string; with?: Record<string, unknown> }[] } } }).jobs.test;
  const settings = (action: string) => steps.find(({ uses }) => uses?.startsWith(`${action}@`) === true)?.with;
  expect(settings("actions/checkout")).toEqual({ "fetch-depth": 0 });
  expect(textOf(String(settings("actions/setup-go")?.["go-version-file"]))).toMatch(/^go 1\.\d+/m);
  expect(settings("actions/cache")).toMatchObject({ path: ".control-plane" });
});

test("the pipeline of GitLab builds the control plane with the Go of go.mod, keeps it and runs .ci/run, at night with what takes long", () => {
  const version = /^go (\d+\.\d+)/m.exec(textOf("packages/control-plane/programs/go.mod"))?.[1];
  expect(parsed(".gitlab-ci.yml")).toMatchObject({
    "control-plane": {
      image: `golang:${version}-bookworm`,
      script: ["packages/control-plane/scripts/build.sh .control-plane"],
      cache: { paths: [".control-plane"] },
      artifacts: { paths: [".control-plane"] },
    },
    test: {
      image: "node:24-bookworm",
      script: ['if [ "$CI_PIPELINE_SOURCE" = schedule ]; then .ci/run long; else .ci/run; fi'],
      variables: { GIT_DEPTH: "0" },
    },
  });
});

test("neither has a secret, nor the name of a registry", () => {
  for (const file of [".github/workflows/ci.yml", ".gitlab-ci.yml"]) {
    expect(textOf(file), file).not.toMatch(/secrets\.|password|token|https?:/i);
    expect(textOf(file), file).not.toMatch(/\b(?:image|container): *[^\s/]+\.[a-z]+\//);
  }
});
