import type { Application } from "./application.ts";
import { pageOf } from "./connection-page.ts";
import type { Group, Project, User } from "./world.ts";

/** Which part of a list is wanted. */
export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
}

interface GroupsArguments extends PageArguments {
  readonly search?: string | null;
}

/** Groups as a user may read them: those of which they are a member, and those above and around a project that they may read. */
export interface GroupFields {
  /** `group` and `groups` of the query. */
  readonly fields: Record<string, unknown>;
  /** The group of a project; null for who may not read it. */
  of(project: Project): Record<string, unknown> | null;
}

/** @param projectNode what the user sees of a project; `undefined` for one that they may not read */
export function groupFields(
  app: Application,
  user: User,
  projectNode: (project: Project) => Record<string, unknown> | undefined,
): GroupFields {
  const { world } = app;
  const isReadable = (group: Group): boolean =>
    group.members.has(user.id) || world.projectsIn(group, true).some(({ members }) => members.has(user.id));
  const readable = world.groups.filter(isReadable).toSorted((a, b) => (a.fullPath < b.fullPath ? -1 : 1));
  const parentOf = ({ fullPath }: Group): Group | undefined => readable.find((each) => each.fullPath === above(fullPath));
  const nodeOf = (group: Group): Record<string, unknown> => ({
    id: `gid://gitlab/Group/${group.id}`,
    name: group.name,
    fullName: fullNameOf(group),
    fullPath: group.fullPath,
    webUrl: `${app.externalUrl}/groups/${group.fullPath}`,
    parent: () => orNull(parentOf(group)),
    projects: ({ includeSubgroups, search, ...page }: GroupsArguments & { includeSubgroups?: boolean | null }) =>
      pageOf(
        world
          .projectsIn(group, includeSubgroups ?? false)
          .flatMap((project) => (isFound(project, search) ? (projectNode(project) ?? []) : [])),
        page,
      ),
    descendantGroups: ({ includeParentDescendants, search, ...page }: GroupsArguments & { includeParentDescendants?: boolean | null }) =>
      pageOf(
        readable
          .filter(({ fullPath }) =>
            includeParentDescendants === false ? above(fullPath) === group.fullPath : fullPath.startsWith(`${group.fullPath}/`),
          )
          .filter((each) => isFound(each, search))
          .map(nodeOf),
        page,
      ),
  });
  const fullNameOf = (group: Group): string => {
    const parent = world.groupByPath(above(group.fullPath));
    return parent ? `${fullNameOf(parent)} / ${group.name}` : group.name;
  };
  const orNull = (group: Group | undefined): Record<string, unknown> | null => (group && isReadable(group) ? nodeOf(group) : null);
  return {
    fields: {
      group: ({ fullPath }: { fullPath: string }) => orNull(world.groupByPath(fullPath)),
      groups: ({ search, topLevelOnly, ...page }: GroupsArguments & { topLevelOnly?: boolean | null }) =>
        pageOf(
          readable.filter((group) => isFound(group, search) && (topLevelOnly !== true || !group.fullPath.includes("/"))).map(nodeOf),
          page,
        ),
    },
    of: ({ groupId }) => orNull(world.groups.find(({ id }) => id === groupId)),
  };
}

/** "acme/shop/backend" -> "acme/shop"; empty for one at the top. */
function above(fullPath: string): string {
  return fullPath.slice(0, Math.max(0, fullPath.lastIndexOf("/")));
}

function isFound({ name, fullPath }: Pick<Group, "name" | "fullPath">, search: string | null | undefined): boolean {
  const wanted = (search ?? "").toLowerCase();
  return name.toLowerCase().includes(wanted) || fullPath.toLowerCase().includes(wanted);
}
