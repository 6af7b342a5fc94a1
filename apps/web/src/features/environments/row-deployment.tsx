"use client";
import type { Deployment } from "@binnacle/proto/dashboard";
import { DeploymentGap, DeploymentSource } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { Ago } from "../../ui/ago.tsx";
import { millisOf } from "../../ui/format-time.ts";
import { OutwardLink } from "../../ui/outward-link.tsx";
import { shortSha } from "../../ui/short-sha.ts";
import { useNow } from "../../ui/use-now.ts";
import { say } from "../../ui/said.ts";
import styles from "./environments.module.css";

/** The last deployment of a row: its commit and how long ago. */
export function RowDeployment({ deployment }: { readonly deployment: Deployment }): ReactNode {
  const now = useNow(10_000);
  const { gap, sha, title, commitUrl, at, source } = deployment;
  if (gap !== DeploymentGap.UNSPECIFIED) return <span className={styles["sub"]}>{gapWords(gap)}</span>;
  return (
    <span className={`${styles["sub"]} ${styles["deployed"]}`} data-deployed={sha}>
      <OutwardLink url={commitUrl} translate="no" title={title}>
        <code>{shortSha(sha)}</code>
      </OutwardLink>
      {at !== undefined && (
        <>
          {source === DeploymentSource.GITOPS ? say("environments/applied") : say("environments/deployed")}
          <Ago atMs={millisOf(at)} now={now} />
        </>
      )}
    </span>
  );
}

/** Short: the page of the environment has the whole sentence. */
function gapWords(gap: DeploymentGap): string {
  if (gap === DeploymentGap.NOT_KNOWN) return say("environments/deployment-not-known");
  if (gap === DeploymentGap.NONE) return say("environments/no-deployment-yet");
  return gap === DeploymentGap.NOT_READABLE ? say("environments/deployment-not-readable") : say("environments/deployment-not-told");
}
