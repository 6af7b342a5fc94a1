import { ProblemKind, type Dashboard, type SummarizeEnvironmentResponse } from "@binnacle/proto/dashboard";
import { settlesWithin, type Clock } from "@binnacle/rpc";
import type { Client } from "@connectrpc/connect";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { environmentPath } from "../features/address/route-path.ts";
import { createQueryClient } from "../features/queries/query-client.ts";
import { queryKeys } from "../features/queries/query-keys.ts";
import { DeploymentText } from "../features/environment/deployment-text.tsx";
import { SyncPill } from "../features/environment/sync-pill.tsx";
import { EnvironmentPage } from "../features/environment/environment-page.tsx";
import { browserClock } from "../features/live/browser-clock.ts";
import { sessionQuery } from "../features/session/session-info.ts";
import { signInPath } from "../features/session/sign-in-path.ts";
import type { InProcessCalls } from "../server/in-process.ts";
import { firstAnswers } from "./first-answers.ts";
import { LATE_MS, WAIT_MS } from "./wait.ts";
import { withSentences } from "./with-sentences.ts";

/** Which environment, and what its address says behind the question mark. */
interface EnvironmentAddress {
  readonly projectPath: string;
  readonly environment: string;
  readonly query: Query;
}

/** What the page of an environment is sent with. */
export interface FirstEnvironment {
  /** What was known in time; `undefined` when nothing was. */
  readonly first: SummarizeEnvironmentResponse | undefined;
  /** All of it, when it was not known in time: comes within seconds, `undefined` when nothing has. Never rejects. */
  readonly later: Promise<SummarizeEnvironmentResponse | undefined> | undefined;
}

/** Of an address, as Next gives it to pages. */
type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

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

/** Asks for the summary of an environment, and waits 300 ms for it. What fails here the page's own stream says in its words. */
export async function firstEnvironment(
  dashboard: Pick<Client<typeof Dashboard>, "summarizeEnvironment">,
  names: { readonly projectPath: string; readonly environment: string },
  clock: Clock,
): Promise<FirstEnvironment> {
  const over = new AbortController();
  const cancel = clock.after(LATE_MS, () => over.abort());
  let known: SummarizeEnvironmentResponse | undefined;
  const read = async (): Promise<SummarizeEnvironmentResponse | undefined> => {
    try {
      for await (const message of dashboard.summarizeEnvironment(names, { signal: over.signal })) known = message;
    } catch {
      // What has come is as good as before.
    }
    cancel();
    return known;
  };
  const all = Promise.race([read(), aborted(over.signal).then(() => known)]);
  const inTime = await settlesWithin(all, WAIT_MS, clock);
  return { first: known, later: inTime ? undefined : all };
}

/** A call that does not hear of its signal is not waited for either. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** The path with this query. */
export function withQuery(path: string, query: Query): string {
  const text = new URLSearchParams(
    Object.entries(query).flatMap(([name, values = []]) => [values].flat().map((value): [string, string] => [name, value])),
  ).toString();
  return text === "" ? path : `${path}?${text}`;
}
