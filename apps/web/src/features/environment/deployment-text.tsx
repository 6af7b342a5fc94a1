import type { Deployment, Gitops, LastDeployment, ToolSync } from "@binnacle/proto/dashboard";
import { GitopsTool, DeliveryState, DeploymentSource } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { Ago } from "../../ui/ago.tsx";
import { formatClock, millisOf } from "../../ui/format-time.ts";
import { OutwardLink } from "../../ui/outward-link.tsx";
import { shortSha } from "../../ui/short-sha.ts";
import { messageText, t } from "../../ui/messages.ts";
import { tElements } from "../../ui/message-elements.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { placeOfTool, toolName } from "../gitops/tool-name.ts";
import styles from "./deployment.module.css";

/**
 * The last deployment in one line: commit, author, when, by whom and by which job.
 *
 * @param props.gitops names the tools that deliver, where the commit is not known
 * @param props.now milliseconds since the epoch; 0 in HTML, because the time of reading is unknown
 */
export function DeploymentText(props: {
  readonly last: LastDeployment;
  readonly gitops: Gitops | undefined;
  readonly now: number;
}): ReactNode {
  const { last, gitops, now } = props;
  const { value: deployment, why } = last;
  if (deployment === undefined)
    return (
      <p className={styles["line"]} data-deployment-state={last.state}>
        <span title={messageText(why)}>{missingDeploymentWords(last, gitops)}</span>
      </p>
    );
  const asOfMs = last.asOf === undefined ? undefined : millisOf(last.asOf);
  const { sha, commitUrl, author, ref } = deployment;
  const title = titleOf(deployment);
  return (
    <p className={styles["line"]} data-deployed={sha}>
      <OutwardLink url={commitUrl} title={ref === "" ? sha : t("environment/of", { sha, ref })}>
        <code>{shortSha(sha)}</code>
      </OutwardLink>
      <span className={styles["title"]} translate={deployment.title === "" ? undefined : "no"} title={title}>
        {title}
      </span>
      {author !== "" && <span className={styles["part"]}>{t("gitops/by-author", { author })}</span>}
      <span className={styles["part"]}>
        <Deed deployment={deployment} now={now} />
      </span>
      {asOfMs !== undefined && (
        <span className={`${styles["part"]} stale-data`} title={messageText(why)}>
          <WithTimes text={t("ui/as-of", { at: formatClock(asOfMs, now) })} times={[asOfMs]} now={now} />
        </span>
      )}
    </p>
  );
}

/** `deployed 3 h ago by @ann, job deploy:staging`. */
function Deed({ deployment, now }: { readonly deployment: Deployment; readonly now: number }): ReactNode {
  const { byUsername, byName, job, jobUrl, at } = deployment;
  return tElements("environment/deployed-how", {
    deed: deedOf(deployment),
    ago: at === undefined ? undefined : <Ago atMs={millisOf(at)} now={now} />,
    user:
      byUsername === "" ? undefined : (
        <span translate="no" title={byName}>
          @{byUsername}
        </span>
      ),
    job:
      job === "" ? undefined : (
        <OutwardLink url={jobUrl} translate="no" title={job}>
          {job}
        </OutwardLink>
      ),
  });
}

/** What stands for the commit: its first line, or where another tool has it from. Without one no reason is known: it may yet come. */
function titleOf({ title, tool, repository }: Deployment): string {
  if (title !== "") return title;
  if (tool === GitopsTool.UNSPECIFIED) return t("environment/commit-title-unavailable");
  return repository === "" ? t("environment/commit-of-unknown-repository") : repository;
}

/**
 * The text in place of a deployment: that there is none only where that is known. `undefined` when there is one.
 *
 * @param gitops names the tools that deliver, as far as they are known
 */
export function missingDeploymentWords({ state, value }: LastDeployment, gitops: Gitops | undefined): string | undefined {
  if (value !== undefined) return undefined;
  const [tool] = gitops?.tools ?? [];
  if (tool !== undefined && state === DeliveryState.UNKNOWN) return deliveredBy(tool, gitops);
  switch (state) {
    case DeliveryState.NONE:
      return t("environment/no-deployment-yet");
    case DeliveryState.FORBIDDEN:
      return t("environment/deployment-not-known-to-you");
    default:
      return t("environment/deployment-not-known");
  }
}

function deliveredBy(tool: ToolSync, gitops: Gitops | undefined): string {
  const more = (gitops?.tools.length ?? 1) - 1 + (gitops?.moreTools ?? 0);
  return t("environment/delivered-by", { tool: toolName(tool.tool), object: placeOfTool(tool), more: more || undefined });
}

/** What was done to the environment: a job deploys, an agent applies. */
function deedOf({ source, tool, toolObject }: Deployment): string {
  if (tool !== GitopsTool.UNSPECIFIED) return t("environment/applied-by", { toolName: toolName(tool), toolObject });
  return source === DeploymentSource.GITOPS ? t("environment/applied-by-gitops") : t("environment/deployed-deed");
}
