import { ProblemKind } from "@binnacle/proto/dashboard";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { indexPath } from "../features/address/route-path.ts";
import { createQueryClient } from "../features/asked/query-client.ts";
import { queryKeys } from "../features/asked/query-keys.ts";
import { LazyEnvironmentsPage } from "../features/environments/lazy-environments-page.tsx";
import { browserClock } from "../features/live/browser-clock.ts";
import { sessionQuery } from "../features/session/session-info.ts";
import { signInPath } from "../features/session/sign-in-path.ts";
import type { InProcessCalls } from "../server/in-process.ts";
import { firstAnswers } from "./first-answers.ts";
import { firstEnvironments } from "./first-environments.ts";
import { withSentences } from "./with-sentences.ts";

/** The page of a project's environments with the rows that are known. @param calls absent: the page that is there has all of it */
export async function indexDocument(projectPath: string, calls: InProcessCalls | undefined): Promise<ReactNode> {
  if (calls === undefined) return <LazyEnvironmentsPage key={projectPath} projectPath={projectPath} />;
  const client = createQueryClient();
  const asking = client.prefetchQuery({ ...sessionQuery(calls.session), retry: false });
  const first = await firstEnvironments(calls.dashboard, projectPath, browserClock);
  if (first?.problem?.kind === ProblemKind.UNAUTHENTICATED) redirect(signInPath(indexPath(projectPath)));
  if (first?.viewer) client.setQueryData(queryKeys.viewer, first.viewer);
  return (
    <LazyEnvironmentsPage
      key={projectPath}
      projectPath={projectPath}
      answers={await firstAnswers(client, [asking], browserClock)}
      first={first && withSentences(first)}
    />
  );
}
