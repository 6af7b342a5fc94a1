import { ProblemKind } from "@binnacle/proto/dashboard";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { environmentPath } from "../features/address/route-path.ts";
import { createQueryClient } from "../features/asked/query-client.ts";
import { queryKeys } from "../features/asked/query-keys.ts";
import { DeploymentText } from "../features/environment/deployment-text.tsx";
import { SyncPill } from "../features/environment/sync-pill.tsx";
import { EnvironmentPage } from "../features/environment/environment-page.tsx";
import { browserClock } from "../features/live/browser-clock.ts";
import { sessionQuery } from "../features/session/session-info.ts";
import { signInPath } from "../features/session/sign-in-path.ts";
import type { InProcessCalls } from "../server/in-process.ts";
import { firstAnswers } from "./first-answers.ts";
import { firstEnvironment } from "./first-environment.ts";
import { withSentences } from "./with-sentences.ts";
import { withQuery, type Query } from "./with-query.ts";

/** Which environment, and what its address says behind the question mark. */
interface EnvironmentAddress {
  readonly projectPath: string;
  readonly environment: string;
  readonly query: Query;
}

/** The page of an environment with what is known of it. @param calls absent: the page that is there has all of it */
export async function environmentDocument({ query, ...names }: EnvironmentAddress, calls: InProcessCalls | undefined): Promise<ReactNode> {
  const key = `${names.projectPath}\n${names.environment}`;
  if (calls === undefined) return <EnvironmentPage key={key} {...names} />;
  const client = createQueryClient();
  const asking = client.prefetchQuery({ ...sessionQuery(calls.session), retry: false });
  const { first, later } = await firstEnvironment(calls.dashboard, names, browserClock);
  if (first?.problem?.kind === ProblemKind.UNAUTHENTICATED) {
    redirect(signInPath(withQuery(environmentPath(names.projectPath, names.environment), query)));
  }
  if (first?.header?.viewer) client.setQueryData(queryKeys.viewer, first.header.viewer);
  const { lastDeployment, sync } = first?.header?.environment?.delivery ?? {};
  return (
    <EnvironmentPage
      key={key}
      {...names}
      answers={await firstAnswers(client, [asking], browserClock)}
      first={first && withSentences(first)}
      later={later?.then((all) => all && withSentences(all))}
      deployment={lastDeployment && <DeploymentText last={lastDeployment} gitops={sync?.value} now={0} />}
      sync={sync && <SyncPill sync={sync} now={0} />}
    />
  );
}
