"use client";
import type { Project } from "@binnacle/proto/dashboard";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, type ReactNode } from "react";
import { isChunkFailure } from "../../ui/chunk-failure.ts";
import { AppBar } from "../../ui/app-bar.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { indexPath } from "../address/route-path.ts";
import { sentenceOfError } from "../asked/asked-error.ts";
import { useSessionEnd } from "../asked/asked-provider.tsx";
import { loadDashboard } from "../live/load-dashboard.ts";
import { signInPath } from "../session/sign-in-path.ts";
import { UserMenu } from "../session/user-menu.tsx";
import { projectsQuery } from "./projects-query.ts";
import styles from "./projects.module.css";

/** The viewer's projects. One project alone needs no choice. */
export function ProjectsPage(): ReactNode {
  const { data, failureReason, refetch } = useQuery(projectsQuery(loadDashboard));
  if (isChunkFailure(failureReason)) throw failureReason;
  const ended = useSessionEnd();
  const router = useRouter();
  const only = data?.projects.length === 1 ? data.projects[0]?.fullPath : undefined;
  const leadsTo = ended ? signInPath("/") : only === undefined ? undefined : indexPath(only);
  useEffect(() => {
    if (leadsTo !== undefined) router.replace(leadsTo);
  }, [leadsTo, router]);
  return (
    <div className="page">
      <AppBar crumbs={[{ text: "Projects" }]}>
        <UserMenu viewer={data?.viewer} />
      </AppBar>
      <main id="content" className={styles["main"]}>
        <h1>Projects</h1>
        {data !== undefined && leadsTo === undefined ? (
          <Projects projects={data.projects} />
        ) : failureReason === null || leadsTo !== undefined ? (
          <Skeleton rows={4} label="Loading projects" />
        ) : (
          <StatePanel
            icon="off"
            role="alert"
            say="The projects could not be loaded."
            more={sentenceOfError(failureReason)}
            actions={
              <button type="button" className="btn sm" onClick={() => void refetch()}>
                Try again
              </button>
            }
          />
        )}
      </main>
    </div>
  );
}

function Projects({ projects }: { readonly projects: readonly Project[] }): ReactNode {
  if (projects.length === 0) return <StatePanel icon="search" say="You are not a member of any project." />;
  return (
    <ul className={`panel ${styles["list"]}`}>
      {projects.map((project) => (
        <li key={project.fullPath}>
          <Link href={indexPath(project.fullPath)}>
            <span className="b">{project.name}</span>
            <span className="muted">{project.fullPath}</span>
            <span className="grow" />
            <Icon name="right" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
