import type { Project } from "@binnacle/proto/dashboard";
import type { DehydratedState } from "@tanstack/react-query";
import { notFound, redirect } from "next/navigation";
import type { ReactNode } from "react";
import { indexPath } from "../features/address/route-path.ts";
import { createQueryClient } from "../features/queries/query-client.ts";
import { browserClock } from "../features/live/browser-clock.ts";
import { LazyOverviewPage } from "../features/overview/lazy-overview-page.tsx";
import { placeOf } from "../features/projects/place-of.ts";
import { LazyProjectsPage } from "../features/projects/lazy-projects-page.tsx";
import { projectsQuery } from "../features/projects/projects-query.ts";
import { sessionQuery } from "../features/session/session-info.ts";
import type { InProcessCalls } from "../server/in-process.ts";
import { firstAnswers } from "./first-answers.ts";

/** The overview of all projects, or of a group; with only one project at all it leads to that. @param calls as of `projectsDocument` */
export async function overviewDocument(group: string, calls: InProcessCalls | undefined): Promise<ReactNode> {
  if (calls === undefined) return <LazyOverviewPage key={group} group={group} />;
  const { answers, projects } = await firstProjects(calls);
  const [only, ...others] = projects ?? [];
  if (group === "" && only !== undefined && others.length === 0) redirect(indexPath(only.fullPath));
  return <LazyOverviewPage key={group} group={group} answers={answers} />;
}

/**
 * The page of the viewer's projects below a path; where there is nothing to choose it leads straight to the environments.
 *
 * @param calls absent: the page that is there has all of it
 */
export async function projectsDocument(path: string, calls: InProcessCalls | undefined): Promise<ReactNode> {
  if (calls === undefined) return <LazyProjectsPage path={path} />;
  const { answers, projects } = await firstProjects(calls);
  if (projects !== undefined) {
    const place = placeOf(path, projects);
    if (place.kind === "project") redirect(indexPath(place.fullPath));
    if (place.kind === "nothing") notFound();
  }
  return <LazyProjectsPage path={path} answers={answers} />;
}

async function firstProjects(
  calls: InProcessCalls,
): Promise<{ readonly answers: DehydratedState; readonly projects: readonly Project[] | undefined }> {
  const client = createQueryClient();
  const query = projectsQuery(async () => calls.dashboard);
  const asking = [client.prefetchQuery({ ...query, retry: false }), client.prefetchQuery({ ...sessionQuery(calls.session), retry: false })];
  const answers = await firstAnswers(client, asking, browserClock);
  return { answers, projects: client.getQueryData(query.queryKey)?.projects };
}
