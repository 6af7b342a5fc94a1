"use client";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Suspense, useEffect, useMemo, type ReactNode } from "react";
import { AppBar, type Crumb } from "../../ui/app-bar.tsx";
import { LazyCode } from "../../ui/lazy-code.ts";
import { t } from "../../ui/messages.ts";
import { withoutPrefix } from "../../ui/path-prefix.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { indexPath, overviewPath } from "../address/route-path.ts";
import { loadDashboard } from "../live/load-dashboard.ts";
import { PaletteButton } from "../palette/palette-button.tsx";
import { ProjectLines } from "../projects/projects-page.tsx";
import { projectsQuery } from "../projects/projects-query.ts";
import { QueryProvider, type SentAnswers } from "../queries/query-provider.tsx";
import { useSessionEnd } from "../queries/session-end.ts";
import { SessionEnded } from "../session/session-ended.tsx";
import { signInPath } from "../session/sign-in-path.ts";
import { UserMenu } from "../session/user-menu.tsx";
import { OverviewBody } from "./overview-body.tsx";
import styles from "./overview.module.css";
import { useOverview } from "./use-overview.ts";

/** The command palette. */
const LAZY_PALETTE = new LazyCode(async () => (await import("../projects/projects-palette.tsx")).ProjectsPalette);

/** Every environment that the viewer may see, of all projects or of a group. @param props.group full path; empty: all */
export function OverviewPage({ answers, group }: SentAnswers & { readonly group: string }): ReactNode {
  return (
    <QueryProvider answers={answers}>
      <Page group={group} />
    </QueryProvider>
  );
}

function Page({ group }: { readonly group: string }): ReactNode {
  const { data } = useQuery(projectsQuery(loadDashboard));
  const refused = useSessionEnd();
  const router = useRouter();
  const state = useOverview(group);
  const isHydrated = useHydrated();
  const ended = refused || state.problem?.kind === ProblemKind.UNAUTHENTICATED;
  const isBare = ended && state.rows.size === 0;
  // One project alone needs no choice.
  const only = group === "" && data?.projects.length === 1 ? data.projects[0]?.fullPath : undefined;
  const leadsTo = only === undefined ? undefined : indexPath(only);
  useEffect(() => {
    if (isBare) router.replace(signInPath(withoutPrefix(location.pathname)));
    else if (leadsTo !== undefined) router.replace(leadsTo);
  }, [isBare, leadsTo, router]);
  const all = data?.projects;
  const projects = useMemo(() => (all ?? []).filter(({ fullPath }) => group === "" || fullPath.startsWith(`${group}/`)), [all, group]);
  const title = group === "" ? t("overview/title") : t("overview/title-of", { group });
  return (
    <div className="page">
      <AppBar crumbs={crumbsOf(group)}>
        <PaletteButton lazy={LAZY_PALETTE} render={(Palette, onClose) => <Palette projects={all ?? []} onClose={onClose} />} />
        <UserMenu viewer={state.viewer ?? data?.viewer} />
      </AppBar>
      {ended && !isBare && <SessionEnded />}
      <main id="content" className={styles["main"]}>
        <h1>{title}</h1>
        {isHydrated && leadsTo === undefined && !isBare ? (
          <Suspense fallback={<Skeleton rows={8} label={t("overview/loading")} />}>
            <OverviewBody
              state={state}
              title={group === "" ? t("overview/title") : group}
              projects={<ProjectLines projects={projects} path={group === "" ? undefined : group} />}
            />
          </Suspense>
        ) : (
          <Skeleton rows={8} label={t("overview/loading")} />
        )}
      </main>
    </div>
  );
}

function crumbsOf(group: string): readonly Crumb[] {
  if (group === "") return [{ text: t("overview/title") }];
  const segments = group.split("/");
  const way = segments.map((text, index) => {
    const isLast = index === segments.length - 1;
    return isLast ? { text, isName: true } : { text, isName: true, href: overviewPath(segments.slice(0, index + 1).join("/")) };
  });
  return [{ text: t("overview/title"), href: "/" }, ...way];
}
