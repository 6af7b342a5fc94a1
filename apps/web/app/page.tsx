import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { indexPath } from "../src/features/address/route-path.ts";
import { createQueryClient } from "../src/features/asked/query-client.ts";
import { browserClock } from "../src/features/live/browser-clock.ts";
import { ProjectsPage } from "../src/features/projects/projects-page.tsx";
import { projectsQuery } from "../src/features/projects/projects-query.ts";
import { sessionQuery } from "../src/features/session/session-info.ts";
import { documentCalls } from "../src/first-html/document-calls.ts";
import { firstAnswers } from "../src/first-html/first-answers.ts";

export const metadata: Metadata = { title: "Projects" };

/** Projects of the viewer; with only one it leads straight to that one. */
export default async function Page(): Promise<ReactNode> {
  const calls = await documentCalls();
  if (calls === undefined) return <ProjectsPage />;
  const client = createQueryClient();
  const projects = projectsQuery(async () => calls.dashboard);
  const asking = [
    client.prefetchQuery({ ...projects, retry: false }),
    client.prefetchQuery({ ...sessionQuery(calls.session), retry: false }),
  ];
  const answers = await firstAnswers(client, asking, browserClock);
  const [only, ...others] = client.getQueryData(projects.queryKey)?.projects ?? [];
  if (only !== undefined && others.length === 0) redirect(indexPath(only.fullPath));
  return (
    <HydrationBoundary state={answers}>
      <ProjectsPage />
    </HydrationBoundary>
  );
}
