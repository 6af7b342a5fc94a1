import { notFound, redirect } from "next/navigation";
import type { ReactNode } from "react";
import { indexPath } from "../features/address/route-path.ts";
import { createQueryClient } from "../features/queries/query-client.ts";
import { browserClock } from "../features/live/browser-clock.ts";
import { placeOf } from "../features/projects/place-of.ts";
import { LazyProjectsPage } from "../features/projects/lazy-projects-page.tsx";
import { projectsQuery } from "../features/projects/projects-query.ts";
import { sessionQuery } from "../features/session/session-info.ts";
import type { InProcessCalls } from "../server/in-process.ts";
import { firstAnswers } from "./first-answers.ts";

/**
 * The page of the viewer's projects, or of those below a path; where there is nothing to choose it leads straight to the environments.
 *
 * @param path absent: all projects
 * @param calls absent: the page that is there has all of it
 */
export async function projectsDocument(path: string | undefined, calls: InProcessCalls | undefined): Promise<ReactNode> {
  if (calls === undefined) return <LazyProjectsPage path={path} />;
  const client = createQueryClient();
  const query = projectsQuery(async () => calls.dashboard);
  const asking = [client.prefetchQuery({ ...query, retry: false }), client.prefetchQuery({ ...sessionQuery(calls.session), retry: false })];
  const answers = await firstAnswers(client, asking, browserClock);
  const projects = client.getQueryData(query.queryKey)?.projects;
  const [only, ...others] = projects ?? [];
  if (path === undefined && only !== undefined && others.length === 0) redirect(indexPath(only.fullPath));
  if (path !== undefined && projects !== undefined) {
    const place = placeOf(path, projects);
    if (place.kind === "project") redirect(indexPath(place.fullPath));
    if (place.kind === "nothing") notFound();
  }
  return <LazyProjectsPage path={path} answers={answers} />;
}
