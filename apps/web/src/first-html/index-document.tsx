import { ProblemKind, WatchEnvironmentsResponseSchema, type Dashboard, type WatchEnvironmentsResponse } from "@binnacle/proto/dashboard";
import { settlesWithin, type Clock } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { indexPath } from "../features/address/route-path.ts";
import { createQueryClient } from "../features/queries/query-client.ts";
import { queryKeys } from "../features/queries/query-keys.ts";
import { applyRows, isLoading, START } from "../features/environments/environments-state.ts";
import { LazyEnvironmentsPage } from "../features/environments/lazy-environments-page.tsx";
import { browserClock } from "../features/live/browser-clock.ts";
import { sessionQuery } from "../features/session/session-info.ts";
import { signInPath } from "../features/session/sign-in-path.ts";
import type { InProcessCalls } from "../server/in-process.ts";
import { firstAnswers } from "./first-answers.ts";
import { WAIT_MS } from "./wait.ts";
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

/**
 * The rows of a project's environments as far as they are known within 300 ms, as one message; `undefined` when nothing is. What fails here
 * the page's own stream says in its words.
 */
export async function firstEnvironments(
  dashboard: Pick<Client<typeof Dashboard>, "watchEnvironments">,
  projectPath: string,
  clock: Clock,
): Promise<WatchEnvironmentsResponse | undefined> {
  const over = new AbortController();
  let state = START;
  let last: WatchEnvironmentsResponse | undefined;
  const read = async (): Promise<void> => {
    try {
      for await (const message of dashboard.watchEnvironments({ projectPath }, { signal: over.signal })) {
        state = applyRows(state, message, { nowMs: clock.now(), first: last === undefined });
        last = message;
        if (message.problem !== undefined || (state.complete && !isLoading(state))) return;
      }
    } catch {
      // What has come is as good as before.
    }
  };
  await settlesWithin(read(), WAIT_MS, clock);
  over.abort();
  if (last === undefined) return undefined;
  const { viewer, problem, complete } = state;
  return create(WatchEnvironmentsResponseSchema, {
    rows: [...state.rows.values()],
    complete,
    ...(last.sentAt && { sentAt: last.sentAt }),
    ...(viewer && { viewer }),
    ...(problem && { problem }),
  });
}
