"use client";
import { ProblemKind } from "@binnacle/proto/dashboard";
import { useRouter } from "next/navigation";
import { useEffect, type ReactNode } from "react";
import { AppBar, type Crumb } from "../../ui/app-bar.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { useNow } from "../../ui/use-now.ts";
import { indexPath } from "../environments/route-path.ts";
import { EnvironmentProvider, useView } from "../live/environment-context.tsx";
import { freshnessOf, isGrey } from "../live/freshness.ts";
import { ResourceDrawer } from "../resource-detail/resource-drawer.tsx";
import { ResourceList } from "../resource-list/resource-list.tsx";
import { signInPath } from "../session/sign-in-path.ts";
import { UserMenu } from "../session/user-menu.tsx";
import { useViewer } from "../session/use-viewer.ts";
import { Announcer } from "./announcer.tsx";
import { Banners } from "./banners.tsx";
import { EnvironmentHeader } from "./environment-header.tsx";
import styles from "./environment.module.css";
import { ProblemState } from "./problem-state.tsx";
import { StillLoading } from "./still-loading.tsx";
import { Summary } from "./summary.tsx";
import { useLazyGraph, type LazyGraph } from "./use-lazy-graph.ts";
import { useUrlState } from "./use-url-state.ts";

/** One environment: header, views, drawer. */
export function EnvironmentPage(props: { readonly projectPath: string; readonly environment: string }): ReactNode {
  return (
    <EnvironmentProvider projectPath={props.projectPath} environment={props.environment}>
      <Page {...props} />
    </EnvironmentProvider>
  );
}

function Page({ projectPath, environment }: { readonly projectPath: string; readonly environment: string }): ReactNode {
  const view = useView();
  const now = useNow();
  const [url] = useUrlState();
  const router = useRouter();
  const freshness = freshnessOf(view, now);
  const problem = view.problem;
  const unauthenticated = problem?.kind === ProblemKind.UNAUTHENTICATED;
  const bare = unauthenticated && view.version === 0;
  const Graph = useLazyGraph(url.view === "graph");
  useEffect(() => {
    if (bare) router.replace(signInPath(`${location.pathname}${location.search}`));
  }, [bare, router]);
  // What was shown stays, unless the viewer may not see it any more.
  const hides = problem !== undefined && !unauthenticated && (view.version === 0 || problem.kind !== ProblemKind.UNAVAILABLE);
  const viewer = useViewer(view.viewer, hides);
  const grey = isGrey(freshness) || unauthenticated;
  return (
    <div className={styles["page"]}>
      <AppBar crumbs={crumbsOf(projectPath, environment)}>
        <UserMenu viewer={viewer} />
      </AppBar>
      <EnvironmentHeader name={environment} freshness={freshness} />
      <Banners freshness={freshness} />
      <main id="content" className={`${styles["work"]} ${grey ? `${styles["grey"]} stale-data` : ""}`} data-stale={grey}>
        {hides ? (
          <ProblemState problem={problem} />
        ) : (
          <>
            <div className={styles["view"]}>
              <StillLoading />
              {view.version === 0 && !bare ? <FirstLoad /> : <Content kind={url.view} Graph={Graph} />}
            </div>
            <ResourceDrawer projectPath={projectPath} environment={environment} />
          </>
        )}
      </main>
      <Announcer freshness={freshness} />
    </div>
  );
}

function Content({ kind, Graph }: { readonly kind: "summary" | "graph" | "list"; readonly Graph: LazyGraph }): ReactNode {
  const view = useView();
  if (view.empty !== undefined && view.complete) return <ProblemState problem={view.empty} />;
  if (kind === "summary") return <Summary />;
  if (kind === "list") return <ResourceList />;
  return Graph === undefined ? <FirstLoad /> : <Graph />;
}

function FirstLoad(): ReactNode {
  const { stream } = useView();
  if (stream.kind === "lost") return <StatePanel icon="off" say="Binnacle does not answer. Trying again." more={stream.reason} />;
  return (
    <div className={styles["pad"]}>
      <Skeleton rows={6} label="Loading resources" />
    </div>
  );
}

function crumbsOf(projectPath: string, environment: string): readonly Crumb[] {
  return [
    ...projectPath.split("/").map((text) => ({ text })),
    { text: "Environments", href: indexPath(projectPath) },
    { text: environment },
  ];
}
