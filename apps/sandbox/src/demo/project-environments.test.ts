import { expect, test } from "vitest";
import { parse } from "yaml";

import { createDemoSeed } from "./demo-seed.ts";
import { configurationWith, manifestsFor, projectEnvironments } from "./project-environments.ts";

const ENVIRONMENTS = projectEnvironments(["good", "held"]);

test("each has a public project, an environment of group/app at the first agent, and a namespace in which that may apply", () => {
  const seed = createDemoSeed({ foreignCluster: false, colleagues: 0, agents: 1, manifestProjects: ["good", "held"] });
  expect(seed.projects.slice(-2)).toMatchObject([
    { fullPath: "group/good", visibility: "public" },
    { fullPath: "group/held", visibility: "public" },
  ]);
  expect(seed.environments.slice(-2)).toMatchObject([
    { name: "good", namespace: "good", projectId: 1, agentId: 1 },
    { name: "held", namespace: "held", projectId: 1, agentId: 1 },
  ]);
  expect(ENVIRONMENTS.flatMap(manifestsFor).map(({ kind, name, namespace }) => [kind, name, namespace])).toEqual([
    ["Namespace", "good", undefined],
    ["RoleBinding", "agentk-gitops", "good"],
    ["Namespace", "held", undefined],
    ["RoleBinding", "agentk-gitops", "held"],
  ]);
});

test("the configuration of the agent names their projects after its own, and stays as it is without them", () => {
  const [text = ""] = Object.values(configurationWith(ENVIRONMENTS));
  // A file of the demo.
  const { gitops } = parse(text) as { gitops: { manifest_projects: readonly object[] } };
  expect(gitops.manifest_projects).toMatchObject([
    { id: "group/app" },
    { id: "group/good", default_namespace: "good" },
    { id: "group/held", default_namespace: "held" },
  ]);
  expect(configurationWith([])).toEqual({});
});
