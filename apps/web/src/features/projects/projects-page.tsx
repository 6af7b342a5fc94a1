"use client";
import { Code, ConnectError } from "@connectrpc/connect";
import type { ListProjectsResponse } from "@binnacle/proto/dashboard";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useState, type ReactNode } from "react";
import { AppBar } from "../../ui/app-bar.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { indexPath } from "../environments/route-path.ts";
import { dashboardClient } from "../live/dashboard-client.ts";
import { signInPath } from "../session/sign-in-path.ts";
import { UserMenu } from "../session/user-menu.tsx";
import styles from "./projects.module.css";

type State =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "there"; readonly answer: ListProjectsResponse };

/** The viewer's projects. One project alone needs no choice. */
export function ProjectsPage(): ReactNode {
  const [state, setState] = useState<State>({ kind: "loading" });
  const [attempt, setAttempt] = useState(0);
  const router = useRouter();
  useEffect(() => {
    const abort = new AbortController();
    dashboardClient()
      .listProjects({}, { signal: abort.signal })
      .then((answer) => {
        const only = answer.projects.length === 1 ? answer.projects[0] : undefined;
        if (only !== undefined) router.replace(indexPath(only.fullPath));
        else setState({ kind: "there", answer });
      })
      .catch((error: unknown) => {
        if (abort.signal.aborted) return;
        const fault = ConnectError.from(error);
        if (fault.code === Code.Unauthenticated) router.replace(signInPath("/"));
        else setState({ kind: "failed", message: fault.rawMessage });
      });
    return () => abort.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- every attempt loads again
  }, [router, attempt]);
  return (
    <div className="page">
      <AppBar crumbs={[{ text: "Projects" }]}>
        <UserMenu viewer={state.kind === "there" ? state.answer.viewer : undefined} />
      </AppBar>
      <main id="content" className={styles["main"]}>
        <h1>Projects</h1>
        {state.kind === "loading" && <Skeleton rows={4} label="Loading projects" />}
        {state.kind === "failed" && (
          <StatePanel
            icon="off"
            role="alert"
            say="The projects could not be loaded."
            more={state.message}
            actions={
              <button type="button" className="btn sm" onClick={() => setAttempt(attempt + 1)}>
                Try again
              </button>
            }
          />
        )}
        {state.kind === "there" && state.answer.projects.length === 0 && (
          <StatePanel icon="search" say="You are not a member of any project." />
        )}
        {state.kind === "there" && state.answer.projects.length > 0 && (
          <ul className={`panel ${styles["list"]}`}>
            {state.answer.projects.map((project) => (
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
        )}
      </main>
    </div>
  );
}
