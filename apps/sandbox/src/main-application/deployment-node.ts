import type { Application } from "./application.ts";
import type { Deployment, Project } from "./world.ts";

/** What GraphQL says of a deployment; names are those of the schema. @param mayReadCode the commit is part of the code */
export function deploymentNode(
  app: Application,
  { deployment, project, mayReadCode }: { readonly deployment: Deployment; readonly project: Project; readonly mayReadCode: boolean },
): Record<string, unknown> {
  const { iid, ref, tag, sha, title, authorName, createdAt, finishedAt, job, jobId, userId } = deployment;
  const user = app.world.users.find(({ id }) => id === userId);
  return {
    iid: String(iid),
    ref,
    tag,
    sha,
    status: "SUCCESS",
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    commit: mayReadCode ? { title, authorName, webUrl: `${app.externalUrl}/${project.fullPath}/-/commit/${sha}` } : null,
    triggerer: user ? { username: user.username, name: user.name } : null,
    job: { name: job, webPath: `/${project.fullPath}/-/jobs/${jobId}` },
  };
}
