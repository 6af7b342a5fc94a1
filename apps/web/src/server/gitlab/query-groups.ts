import { words } from "@binnacle/words";
import { z } from "zod";

import { MessageFault } from "../base/message-fault.ts";
import type { GroupRecord, GroupsAnswer, ProjectsOfGroup } from "../main-application/many-projects.ts";
import type { ProjectRecord } from "../main-application/records.ts";
import { MAX_PAGES, pageInfoSchema, parseAnswer, projectSchema, viewerOf, viewerSchema } from "./environment-query.ts";
import { QueryRefused } from "./gitlab-client.ts";
import type { GraphqlAccess } from "./graphql-access.ts";

const GROUPS = `query Groups($after: String) {
  currentUser { username name }
  groups(first: 100, after: $after) { nodes { name fullPath } pageInfo { hasNextPage endCursor } }
}`;

const PROJECTS_OF_GROUP = `query ProjectsOfGroup($group: ID!, $after: String) {
  currentUser { username name }
  group(fullPath: $group) {
    fullPath projects(includeSubgroups: true, first: 100, after: $after) { nodes { id name fullPath } pageInfo { hasNextPage endCursor } }
  }
}`;

/** All queries of this file (`environment-query.ts`). */
export const QUERIES: readonly string[] = [GROUPS, PROJECTS_OF_GROUP];

const groupsAnswer = z.object({
  currentUser: viewerSchema,
  groups: z.object({ nodes: z.array(z.object({ name: z.string(), fullPath: z.string() }).nullable()), pageInfo: pageInfoSchema }).nullish(),
});
const projectsAnswer = z.object({
  currentUser: viewerSchema,
  group: z
    .object({
      fullPath: z.string(),
      projects: z.object({ nodes: z.array(projectSchema.nullable()), pageInfo: pageInfoSchema }).nullish(),
    })
    .nullish(),
});

/** Groups that the viewer may see; at most two thousand. @throws Fault `session_ended`, `main_application_unavailable` */
export async function queryGroups(access: GraphqlAccess, signal: AbortSignal): Promise<GroupsAnswer> {
  const groups: GroupRecord[] = [];
  let after: string | null = null;
  for (let page = 1; ; page += 1) {
    let data: unknown;
    try {
      data = await access.graphql(GROUPS, { after }, { projectPath: "", signal });
    } catch (error) {
      // An older instance has no such field.
      if (error instanceof QueryRefused) return { kind: "not-supported" };
      throw error;
    }
    const answer: z.infer<typeof groupsAnswer> = parseAnswer(groupsAnswer, data);
    viewerOf(access, answer.currentUser);
    groups.push(...(answer.groups?.nodes ?? []).flatMap((node) => node ?? []));
    after = answer.groups?.pageInfo.endCursor ?? null;
    if (answer.groups?.pageInfo.hasNextPage !== true || after === null || page >= MAX_PAGES)
      return { kind: "listed", groups: groups.toSorted(byPath) };
  }
}

/** Projects of a group and of its subgroups. @throws Fault `session_ended`, `not_found` (or not visible), `main_application_unavailable` */
export async function queryProjectsOfGroup(access: GraphqlAccess, group: string, signal: AbortSignal): Promise<ProjectsOfGroup> {
  const projects: ProjectRecord[] = [];
  let after: string | null = null;
  for (let page = 1; ; page += 1) {
    const answer: z.infer<typeof projectsAnswer> = parseAnswer(
      projectsAnswer,
      await access.graphql(PROJECTS_OF_GROUP, { group, after }, { projectPath: "", signal }),
    );
    const viewer = viewerOf(access, answer.currentUser);
    if (!answer.group) throw new MessageFault("not_found", words("overview/no-group", { group }));
    projects.push(...(answer.group.projects?.nodes ?? []).flatMap((node) => node ?? []));
    after = answer.group.projects?.pageInfo.endCursor ?? null;
    const more = answer.group.projects?.pageInfo.hasNextPage === true && after !== null;
    if (!more || page >= MAX_PAGES) return { viewer, projects: projects.toSorted(byPath), more };
  }
}

function byPath(left: { readonly fullPath: string }, right: { readonly fullPath: string }): number {
  return left.fullPath < right.fullPath ? -1 : 1;
}
