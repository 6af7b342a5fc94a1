import { hashPassword, hashToken } from "@binnacle/organization";
import { stringify } from "yaml";

import { isRecord, type Manifest } from "../cluster/manifest.ts";
import type { Project, World } from "../main-application/world.ts";

/** Roles of the demo's projects, which are groups of users here. */
const GROUPS = ["reporter", "developer", "maintainer"] as const;
const GITLAB_GROUP = /^gitlab:project_role:1:(developer|maintainer)$/;

/** The file of an organization with the people, projects, environments and agents of the demo; of passwords and tokens it has hashes. */
export async function demoOrganization(world: World): Promise<string> {
  const users = await Promise.all(
    world.users.map(async ({ id, username, name, password, personalAccessToken }) => ({
      name: username,
      display_name: name,
      password: await hashPassword(password),
      groups: GROUPS.filter((role) => world.projects.some(({ members }) => members.get(id) === role)).map(groupOf),
      tokens: [{ name: "kubectl", hash: hashToken(personalAccessToken) }],
    })),
  );
  const comment = "# Written by `npm start -- --standalone`. A change is in use within ten seconds; see docs/how-to/standalone.md.\n";
  return `${comment}${stringify({
    projects: world.projects.map((project) => ({
      id: project.id,
      path: project.fullPath,
      members: membersOf(project),
      environments: world.environments
        .filter(({ projectId }) => projectId === project.id)
        .map(({ name, tier, namespace, agentId }) => ({ name, tier: tier.toLowerCase(), namespace, agent: agentName(world, agentId) })),
    })),
    agents: world.agents.map(({ id, name, projectId, token }) => ({
      id,
      name,
      project: world.project(projectId)?.fullPath ?? "",
      tokens: [hashToken(token)],
      user_access: { access_as: "user", groups: GROUPS.map(groupOf) },
    })),
    users,
  })}`;
}

/** What the demo grants to roles of its project, granted to groups of the organization too. */
export function bindingsOf(manifests: readonly Manifest[]): readonly Manifest[] {
  return manifests.flatMap((manifest) => {
    const [subject] = Array.isArray(manifest.object["subjects"]) ? (manifest.object["subjects"] as unknown[]) : [];
    const role = isRecord(subject) && typeof subject["name"] === "string" ? GITLAB_GROUP.exec(subject["name"])?.[1] : undefined;
    if (role === undefined) return [];
    const name = `${manifest.name}-standalone`;
    const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: `oidc:group:${groupOf(role)}` }];
    return [{ ...manifest, name, object: { ...manifest.object, metadata: { name }, subjects } }];
  });
}

function membersOf({ members }: Project): readonly object[] {
  return GROUPS.filter((role) => [...members.values()].includes(role)).map((role) => ({ group: groupOf(role), role }));
}

function groupOf(role: string): string {
  return `${role}s`;
}

function agentName(world: World, id: number): string {
  const agent = world.agents.find((each) => each.id === id);
  return `${world.project(agent?.projectId ?? 0)?.fullPath ?? ""}:${agent?.name ?? ""}`;
}
