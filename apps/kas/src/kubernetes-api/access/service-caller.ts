import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceCallerSchema } from "@binnacle/proto/service-proxy";

import type { AllowedAgents, AuthorizedUser } from "../../main-application/proxy-authorizer.ts";
import { userAccessModeOf } from "./access-mode.ts";

/** Who somebody is to services of the cluster. */
export type ServiceCallerInit = MessageInitShape<typeof ServiceCallerSchema>;

/** The role that a job has in its own project and groups: an entry that names it lets jobs in. */
const JOB_ROLE = "ci_job";

/** A person: his name, and the roles by which he has the agent, where the main application says them (`access_as: user`). */
export function callerOfUser({ user, access_as: accessAs }: AuthorizedUser): ServiceCallerInit {
  const mode = userAccessModeOf(accessAs);
  const held = (list: readonly { readonly id: number; readonly roles: readonly string[] }[]) =>
    list.map(({ id, roles }) => ({ id: BigInt(id), roles: [...roles] }));
  return { username: user.username, ...(mode.kind === "user" && { projects: held(mode.projects), groups: held(mode.groups) }) };
}

/** A job: never the person who started it. */
export function callerOfJob({ project }: AllowedAgents): ServiceCallerInit {
  const asJob = ({ id }: { readonly id: number }) => ({ id: BigInt(id), roles: [JOB_ROLE] });
  return { username: "", projects: [asJob(project)], groups: project.groups.map(asJob) };
}
