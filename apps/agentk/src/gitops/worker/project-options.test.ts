import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { AgentConfigurationSchema, type ManifestProjectCFSchema } from "@binnacle/proto/agentcfg";
import { expect, test } from "vitest";

import { readProjects, type ProjectOptions } from "./project-options.ts";

function read(...manifestProjects: MessageInitShape<typeof ManifestProjectCFSchema>[]): readonly ProjectOptions[] {
  return readProjects(create(AgentConfigurationSchema, { gitops: { manifestProjects } }));
}

test("what the file leaves out is as in Go's agentk", () => {
  expect(read({ id: "a/b", paths: [{}] })).toEqual([
    {
      id: "a/b",
      globs: ["**/*.{yaml,yml,json}"],
      defaultNamespace: "default",
      reconcileTimeoutMs: 3_600_000,
      dryRun: "none",
      prune: true,
      pruneTimeoutMs: 3_600_000,
      propagation: "foreground",
      inventoryPolicy: "must_match",
      forceConflicts: false,
      stopOn: "unreadable_file",
      drift: "correct",
      maxObjects: 5_000,
    },
  ]);
});

test("what the file says holds", () => {
  const project = { id: "a", prune: false, pruneTimeout: "1.5s", dryRunStrategy: "server", prunePropagationPolicy: "orphan" };
  expect(read({ ...project, inventoryPolicy: "adopt_all", paths: [{ glob: "x/*" }, { glob: "y" }] })).toMatchObject([
    { prune: false, pruneTimeoutMs: 1_500, dryRun: "server", propagation: "orphan", inventoryPolicy: "adopt_all", globs: ["x/*", "y"] },
  ]);
});

test("options of ours hold for the project that they name, the limit of objects for all", () => {
  const gitops = { manifestProjects: [{ id: "a" }, { id: "b" }] };
  const ours = { maxObjects: 9, manifestProjects: [{ id: "b", forceConflicts: true, stopOn: "any_error", drift: "show" }] };
  const configuration = create(AgentConfigurationSchema, { gitops, binnacle: { gitops: ours } });
  expect(readProjects(configuration)).toMatchObject([
    { id: "a", maxObjects: 9, forceConflicts: false, stopOn: "unreadable_file", drift: "correct" },
    { id: "b", maxObjects: 9, forceConflicts: true, stopOn: "any_error", drift: "show" },
  ]);
});

test("an option that a newer kas sends refuses the whole configuration", () => {
  const gitops = { manifestProjects: [{ id: "a" }] };
  const ours = { manifestProjects: [{ id: "a", drift: "repaint" }] };
  expect(() => readProjects(create(AgentConfigurationSchema, { gitops, binnacle: { gitops: ours } }))).toThrow(
    'a: drift: "repaint" is none of correct, show',
  );
});

test.each([
  [{ id: "" }, "a project has no id"],
  [{ id: "a", reconcileTimeout: "1h" }, 'a: reconcile_timeout: "1h" is no duration such as "3600s"'],
  [{ id: "a", dryRunStrategy: "maybe" }, 'a: dry_run_strategy: "maybe" is none of none, client, server'],
  [{ id: "a", inventoryPolicy: "x" }, "a: inventory_policy:"],
])("a wrong value refuses the whole configuration: %o", (project, message) => {
  expect(() => read({ id: "good" }, project)).toThrow(message);
});

test("a project that stands there twice refuses the whole configuration", () => {
  expect(() => read({ id: "a" }, { id: "a" })).toThrow("a stands there twice");
});
