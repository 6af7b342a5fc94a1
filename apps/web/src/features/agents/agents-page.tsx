"use client";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, type ReactNode } from "react";
import { AppBar } from "../../ui/app-bar.tsx";
import { isChunkFailure } from "../../ui/chunk-failure.ts";
import { LazyCode, useLazyCode } from "../../ui/lazy-code.ts";
import { t } from "../../ui/messages.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { agentPath, agentsPath } from "../address/route-path.ts";
import { projectCrumbs } from "../address/project-crumbs.ts";
import { QueryProvider } from "../queries/query-provider.tsx";
import { useSessionEnd } from "../queries/session-end.ts";
import { SessionEnded } from "../session/session-ended.tsx";
import { signInPath } from "../session/sign-in-path.ts";
import { UserMenu } from "../session/user-menu.tsx";
import { agentQuery, agentsQuery, type AgentNames } from "./agents-client.ts";
import styles from "./agents.module.css";

const LAZY_LIST = new LazyCode(async () => (await import("./agent-list.tsx")).AgentList);
const LAZY_DETAIL = new LazyCode(async () => (await import("./agent-detail.tsx")).AgentDetail);

/** The agents of a project. */
export function AgentsPage({ projectPath }: { readonly projectPath: string }): ReactNode {
  return (
    <QueryProvider>
      <ListPage projectPath={projectPath} />
    </QueryProvider>
  );
}

function ListPage({ projectPath }: { readonly projectPath: string }): ReactNode {
  const query = useQuery(agentsQuery(projectPath));
  const { code: List, failure } = useLazyCode(LAZY_LIST, true);
  if (failure !== undefined) throw failure.error;
  if (isChunkFailure(query.failureReason)) throw query.failureReason;
  const isBare = useSignIn(agentsPath(projectPath), query.data !== undefined);
  return (
    <div className="page">
      <AppBar crumbs={[...projectCrumbs(projectPath), { text: t("agents/agents") }]}>
        <UserMenu viewer={query.data?.viewer} />
      </AppBar>
      <Ended isBare={isBare} />
      <main id="content" className={styles["main"]}>
        {List === undefined || isBare ? <Loading title={t("agents/agents")} /> : <List projectPath={projectPath} query={query} />}
      </main>
    </div>
  );
}

/** One agent of a project. */
export function AgentPage(names: AgentNames): ReactNode {
  return (
    <QueryProvider>
      <DetailPage {...names} />
    </QueryProvider>
  );
}

function DetailPage({ projectPath, name }: AgentNames): ReactNode {
  const query = useQuery(agentQuery({ projectPath, name }));
  const { code: Detail, failure } = useLazyCode(LAZY_DETAIL, true);
  if (failure !== undefined) throw failure.error;
  if (isChunkFailure(query.failureReason)) throw query.failureReason;
  const isBare = useSignIn(agentPath(projectPath, name), query.data !== undefined);
  const crumbs = [...projectCrumbs(projectPath), { text: t("agents/agents"), href: agentsPath(projectPath) }, { text: name, isName: true }];
  return (
    <div className="page">
      <AppBar crumbs={crumbs}>
        <UserMenu viewer={query.data?.viewer} />
      </AppBar>
      <Ended isBare={isBare} />
      <main id="content" className={styles["main"]}>
        {Detail === undefined || isBare ? <Loading title={name} /> : <Detail projectPath={projectPath} name={name} query={query} />}
      </main>
    </div>
  );
}

/** Leads to the sign-in where the session is over and nothing is there to keep. */
function useSignIn(here: string, hasData: boolean): boolean {
  const isBare = useSessionEnd() && !hasData;
  const router = useRouter();
  useEffect(() => {
    if (isBare) router.replace(signInPath(here));
  }, [isBare, router, here]);
  return isBare;
}

function Ended({ isBare }: { readonly isBare: boolean }): ReactNode {
  return useSessionEnd() && !isBare && <SessionEnded />;
}

function Loading({ title }: { readonly title: string }): ReactNode {
  return (
    <>
      <h1>{title}</h1>
      <Skeleton rows={4} label={t("ui/loading")} />
    </>
  );
}
