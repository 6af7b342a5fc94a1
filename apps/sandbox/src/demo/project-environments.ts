import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Manifest } from "../cluster/manifest.ts";
import type { Environment, Project } from "../main-application/world.ts";
import { DEMO_DIR } from "./demo-agents.ts";

/** Above all ids of the demo. */
const FIRST_ID = 201;
const CONFIGURATION = ".gitlab/agents/demo/config.yaml";

/** An environment of group/app that the first agent deploys from a project of its own, which is empty at first. */
export interface ProjectEnvironment {
  /** Of the environment, and of its namespace. */
  readonly name: string;
  /** "group/<name>" */
  readonly fullPath: string;
  /** Of project and environment. */
  readonly id: number;
}

/** @param names of `--manifest-projects` */
export function projectEnvironments(names: readonly string[]): readonly ProjectEnvironment[] {
  return names.map((name, index) => ({ name, fullPath: `group/${name}`, id: FIRST_ID + index }));
}

/** The environment in the main application. */
export function environmentIn({ id, name }: ProjectEnvironment): Environment {
  return { id, projectId: 1, name, slug: name, tier: "OTHER", namespace: name, agentId: 1 };
}

/** Its project. An agent reads its own project and public ones. */
export function projectOf({ id, name, fullPath }: ProjectEnvironment, members: Project["members"]): Project {
  return { id, name, fullPath, groupId: 1, members, visibility: "public" };
}

/** Its namespace, and the agent's rights there. */
export function manifestsFor({ name: namespace }: ProjectEnvironment): readonly Manifest[] {
  const binding = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name: "agentk-gitops", namespace },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "agentk-gitops" },
    subjects: [{ kind: "ServiceAccount", name: "agentk", namespace: "gitlab-agent" }],
  };
  const home = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
  return [
    { apiVersion: "v1", kind: "Namespace", name: namespace, namespace: undefined, object: home, status: undefined },
    { apiVersion: binding.apiVersion, kind: "RoleBinding", name: "agentk-gitops", namespace, object: binding, status: undefined },
  ];
}

/** The configuration file of the first agent with these manifest projects too, by its path. */
export function configurationWith(environments: readonly ProjectEnvironment[]): Readonly<Record<string, string>> {
  if (environments.length === 0) return {};
  // The file ends with its list of manifest projects.
  const before = readFileSync(join(DEMO_DIR, CONFIGURATION), "utf8");
  const added = environments.map(({ name, fullPath }) => `    - id: ${fullPath}\n      default_namespace: ${name}\n`);
  return { [CONFIGURATION]: [before, ...added].join("") };
}
