import { expect, test } from "vitest";
import { parse } from "yaml";

import { World, type CiJob } from "../main-application/world.ts";
import { jobKubeconfig } from "./job-kubeconfig.ts";

const JOB: CiJob = {
  id: 5,
  pipelineId: 6,
  projectId: 1,
  userId: 1,
  token: "secret",
  environment: { name: "review/1", slug: "review-1", tier: "development" },
  isOnProtectedBranch: false,
};

test("a job's kubeconfig has a context for each agent that lets it in, its namespace where there is one, and none chosen", () => {
  const project = { name: "app", groupId: 1, members: new Map() };
  const world = new World({
    users: [],
    projects: [
      { ...project, id: 1, fullPath: "group/app" },
      { ...project, id: 2, fullPath: "ops/agents" },
    ],
    agents: ["demo", "shared", "releases", "strangers"].map((name, index) => ({
      id: index + 1,
      name,
      projectId: index === 0 ? 1 : 2,
      token: name,
    })),
    environments: [],
    ciJobs: [JOB],
  });
  const entry = (more: object) => ({ ci_access: { projects: [{ id: "group/app", ...more }] } });
  world.setConfiguration(2, entry({ default_namespace: "reviews", environments: ["review/*"] }));
  world.setConfiguration(3, entry({ protected_branches_only: true }));
  const file: unknown = parse(jobKubeconfig(world, JOB, { k8sProxy: "https://kas:1", caFile: "/ca" }));
  expect(file).toEqual({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "gitlab", cluster: { server: "https://kas:1/k8s-proxy", "certificate-authority": "/ca" } }],
    contexts: [
      { name: "group/app:demo", context: { cluster: "gitlab", user: "agent:1" } },
      { name: "ops/agents:shared", context: { cluster: "gitlab", user: "agent:2", namespace: "reviews" } },
    ],
    users: [
      { name: "agent:1", user: { token: "ci:1:secret" } },
      { name: "agent:2", user: { token: "ci:2:secret" } },
    ],
  });
});
