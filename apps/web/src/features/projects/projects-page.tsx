"use client";
import type { Project } from "@binnacle/proto/dashboard";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { isChunkFailure } from "../../ui/chunk-failure.ts";
import { AppBar, type Crumb } from "../../ui/app-bar.tsx";
import { LazyCode } from "../../ui/lazy-code.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { indexPath, placePath } from "../address/route-path.ts";
import { sentenceOfError } from "../queries/request-error.ts";
import { QueryProvider, type SentAnswers } from "../queries/query-provider.tsx";
import { useSessionEnd } from "../queries/session-end.ts";
import { loadDashboard } from "../live/load-dashboard.ts";
import { PaletteButton } from "../palette/palette-button.tsx";
import { signInPath } from "../session/sign-in-path.ts";
import { UserMenu } from "../session/user-menu.tsx";
import { placeOf } from "./place-of.ts";
import { ProjectLine } from "./project-line.tsx";
import { byNeed } from "./project-order.ts";
import { projectsQuery } from "./projects-query.ts";
import { PROJECTS_AT_A_TIME, useProjectSummaries } from "./use-project-summaries.ts";
import { t } from "../../ui/messages.ts";
import styles from "./projects.module.css";

/** The command palette. */
const LAZY_PALETTE = new LazyCode(async () => (await import("./projects-palette.tsx")).ProjectsPalette);
const NONE: readonly Project[] = [];

/** The viewer's projects below a path; a path that is a project leads to its environments. */
export function ProjectsPage({ answers, path }: SentAnswers & { readonly path: string }): ReactNode {
  return (
    <QueryProvider answers={answers}>
      <Page path={path} />
    </QueryProvider>
  );
}

function Page({ path }: { readonly path: string }): ReactNode {
  const { data, failureReason, refetch } = useQuery(projectsQuery(loadDashboard));
  if (isChunkFailure(failureReason)) throw failureReason;
  const ended = useSessionEnd();
  const router = useRouter();
  const place = data === undefined ? undefined : placeOf(path, data.projects);
  const project = place?.kind === "project" ? place.fullPath : undefined;
  const leadsTo = ended ? signInPath(placePath(path)) : project === undefined ? undefined : indexPath(project);
  const title = t("projects/projects-in", { path });
  useEffect(() => {
    if (leadsTo !== undefined) router.replace(leadsTo);
  }, [leadsTo, router]);
  return (
    <div className="page">
      <AppBar crumbs={crumbsOf(path)}>
        <PaletteButton lazy={LAZY_PALETTE} render={(Palette, onClose) => <Palette projects={data?.projects ?? NONE} onClose={onClose} />} />
        <UserMenu viewer={data?.viewer} />
      </AppBar>
      <main id="content" className={styles["main"]}>
        <h1>{title}</h1>
        {data !== undefined && leadsTo === undefined ? (
          <ProjectLines projects={place?.kind === "group" ? place.projects : []} path={path} />
        ) : failureReason === null || leadsTo !== undefined ? (
          <Skeleton rows={4} label={t("projects/loading-projects")} />
        ) : (
          <StatePanel
            icon="off"
            role="alert"
            message={t("projects/not-loaded")}
            more={sentenceOfError(failureReason)}
            actions={
              <button type="button" className="btn sm" onClick={() => void refetch()}>
                {t("ui/try-again")}
              </button>
            }
          />
        )}
      </main>
    </div>
  );
}

function crumbsOf(path: string): readonly Crumb[] {
  const segments = path.split("/");
  const way = segments.map((text, index) => {
    const isLast = index === segments.length - 1;
    return isLast ? { text, isName: true } : { text, isName: true, href: placePath(segments.slice(0, index + 1).join("/")) };
  });
  return [{ text: t("ui/projects"), href: "/" }, ...way];
}

/** Lines of projects, fifty at a time, with what is known of each. @param props.path of the group that they are below; absent: all */
export function ProjectLines({ projects, path }: { readonly projects: readonly Project[]; readonly path: string | undefined }): ReactNode {
  const [shown, setShown] = useState(PROJECTS_AT_A_TIME);
  const page = useMemo(() => projects.slice(0, shown), [projects, shown]);
  const { summaries, isSettled } = useProjectSummaries(useMemo(() => page.map(({ fullPath }) => fullPath), [page]));
  // The order is fixed until all are known.
  const ordered = isSettled ? byNeed(page, summaries) : page;
  if (projects.length === 0 && path !== undefined) {
    return (
      <StatePanel
        icon="search"
        message={t("projects/not-found", { path })}
        actions={
          <Link className="btn sm" href="/">
            {t("ui/all-projects")}
          </Link>
        }
      />
    );
  }
  if (projects.length === 0) return <StatePanel icon="search" message={t("projects/no-membership")} />;
  return (
    <>
      <ul className={`panel ${styles["list"]}`}>
        {ordered.map((project) => (
          <ProjectLine key={project.fullPath} project={project} summary={summaries.get(project.fullPath)} />
        ))}
      </ul>
      <p className={styles["foot"]}>
        <span>{isSettled ? t("projects/sorted-by-need") : t("ui/sorted-when-known")}</span>
        {projects.length > ordered.length && (
          <button type="button" className="btn sm" onClick={() => setShown(shown + PROJECTS_AT_A_TIME)}>
            {t("projects/show-more", { count: projects.length - ordered.length })}
          </button>
        )}
      </p>
    </>
  );
}
