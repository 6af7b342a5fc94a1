"use client";
import type { LastDeployment } from "@binnacle/proto/dashboard";
import { DeliveryState, DeploymentSource } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { Ago } from "../../ui/ago.tsx";
import { formatClock, millisOf } from "../../ui/format-time.ts";
import { OutwardLink } from "../../ui/outward-link.tsx";
import { shortSha } from "../../ui/short-sha.ts";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { said, say } from "../../ui/said.ts";
import { sayWith } from "../../ui/say-with.ts";
import styles from "./environments.module.css";

/** Which version runs: a tag or the short commit, and how long ago it was deployed; or that this is not known. */
export function RowVersion({ last }: { readonly last: LastDeployment }): ReactNode {
  const now = useNow(10_000);
  const { value, why, asOf } = last;
  if (value === undefined) {
    return (
      <span className="muted" data-deployment-state={last.state} title={said(why)}>
        {missingWords(last)}
      </span>
    );
  }
  const { sha, ref, tag, title, commitUrl, at, source } = value;
  return (
    <span className={asOf === undefined ? "" : "stale-data"} data-deployed={sha}>
      <OutwardLink url={commitUrl} translate="no" title={title}>
        <code>{tag ? ref : shortSha(sha)}</code>
      </OutwardLink>
      <span className={styles["sub"]}>
        {at !== undefined && (
          <>
            {" "}
            {sayWith(source === DeploymentSource.GITOPS ? "environments/applied-ago" : "environments/deployed-ago", {
              ago: <Ago atMs={millisOf(at)} now={now} />,
            })}
          </>
        )}
        {asOf !== undefined && (
          <>
            {" "}
            <WithTimes text={say("live/as-of", { at: formatClock(millisOf(asOf), now) })} times={[millisOf(asOf)]} now={now} />
          </>
        )}
      </span>
    </span>
  );
}

/** Short: the page of the environment says more. That there is none is said only where it is known. */
function missingWords({ state }: LastDeployment): string {
  if (state === DeliveryState.NONE) return say("environments/no-deployment-yet");
  return state === DeliveryState.FORBIDDEN ? say("environments/deployment-not-known-to-you") : say("environments/deployment-not-known");
}
