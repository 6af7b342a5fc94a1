import type { ToolSync } from "@binnacle/proto/dashboard";
import { GitopsState } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { Ago } from "../../ui/ago.tsx";
import { millisOf } from "../../ui/format-time.ts";
import { messageText, tLater } from "../../ui/messages.ts";
import { shortSha } from "../../ui/short-sha.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import styles from "./gitops-card.module.css";
import { placeOfTool, toolName } from "./tool-name.ts";
import { toolCommand, toolLook } from "./tool-words.ts";
import { tLaterElements } from "../../ui/message-elements.ts";

/** Another tool that deploys here, as its own object says; nothing of it is changed from here. */
export function ToolSyncRow({ tool, now }: { readonly tool: ToolSync; readonly now: number }): ReactNode {
  const { objects, path, target } = tool;
  const place = placeOfTool(tool);
  return (
    <dl className={styles["sync"]} data-tool-sync={place}>
      <dt>{tLater("gitops/tool")}</dt>
      <dd>
        {toolName(tool.tool)} {place}
      </dd>
      <dt>{tLater("ui/state")}</dt>
      <dd>
        <State tool={tool} now={now} />
      </dd>
      {/* Of what may not be read nothing else is known. */}
      {isRead(tool) && (
        <>
          <dt>{tLater("gitops/revision")}</dt>
          <dd>
            <Revision tool={tool} now={now} />
          </dd>
          <dt>{tLater("gitops/source")}</dt>
          <dd>
            <Source tool={tool} />
          </dd>
          {path !== "" && <dt>{tLater("gitops/paths", { count: 1 })}</dt>}
          {path !== "" && <dd>{path}</dd>}
          {target !== "" && <dt>{tLater("gitops/wanted")}</dt>}
          {target !== "" && <dd>{target}</dd>}
        </>
      )}
      <dt>{tLater("gitops/objects")}</dt>
      <dd>{tLater("gitops/here", { objects })}</dd>
      {tool.state !== GitopsState.UNSPECIFIED && <Command tool={tool} />}
    </dl>
  );
}

/** Whether its object was read at all. */
function isRead({ why, revision, attempted, source, sourceUrl }: ToolSync): boolean {
  return why === undefined || [revision, attempted, source, sourceUrl].some((text) => text !== "");
}

function State({ tool, now }: { readonly tool: ToolSync; readonly now: number }): ReactNode {
  const { word, look, detail } = toolLook(tool);
  const { asOf, at, why, state } = tool;
  // When all is well the revision says it, and out of sync is all that there is to say.
  const isPlain = why !== undefined || state === GitopsState.SYNCED || state === GitopsState.OUT_OF_SYNC;
  const { reason, message } = isPlain ? { reason: "", message: "" } : tool;
  return (
    <>
      <span className={`st ${look}`} data-stale={asOf !== undefined}>
        <StateGlyph look={look} />
        {word}
      </span>
      {detail !== "" && `, ${detail}`}
      {at !== undefined && why === undefined && (
        <span className="muted">
          {" · "}
          <Ago atMs={millisOf(at)} now={now} />
        </span>
      )}
      {asOf !== undefined && (
        <span className="muted">
          {" · "}
          {tLaterElements("gitops/last-updated", { ago: <Ago atMs={millisOf(asOf)} now={now} /> })}
        </span>
      )}
      {why !== undefined && <p>{messageText(why)}</p>}
      {reason + message !== "" && (
        <p>
          {reason !== "" && <code>{reason}</code>} {message}
        </p>
      )}
    </>
  );
}

/** What is applied, and what is not: a commit in short, with the whole of it behind it. */
function Revision({ tool, now }: { readonly tool: ToolSync; readonly now: number }): ReactNode {
  const { revision, sha, appliedAt, attempted, state } = tool;
  const isWaiting = state === GitopsState.APPLYING || state === GitopsState.OUT_OF_SYNC;
  return (
    <>
      {revision === "" ? tLater("gitops/nothing-known-applied") : <Named revision={revision} sha={sha} />}
      {revision !== "" && appliedAt !== undefined && (
        <span className="muted"> {tLaterElements("environments/applied-ago", { ago: <Ago atMs={millisOf(appliedAt)} now={now} /> })}</span>
      )}
      {attempted !== "" && (
        <p>
          {tLaterElements(isWaiting || state === GitopsState.SYNCED ? "gitops/compared-with" : "gitops/tried-last", {
            revision: <Named revision={attempted} sha="" />,
          })}
        </p>
      )}
    </>
  );
}

function Named({ revision, sha }: { readonly revision: string; readonly sha: string }): ReactNode {
  const short = sha === "" ? revision.replaceAll(/\b[0-9a-f]{40,64}\b/g, shortSha) : revision.replace(sha, shortSha(sha));
  return <code title={revision}>{short}</code>;
}

function Source({ tool }: { readonly tool: ToolSync }): ReactNode {
  const { source, sourceUrl, sourceProblem, moreSources } = tool;
  return (
    <>
      {sourceUrl === "" && source === "" && tLater("gitops/not-known")}
      {moreSources > 0 ? tLater("gitops/source-and-more", { source: sourceUrl, count: moreSources }) : sourceUrl}
      {source !== "" && (
        <span className="muted">
          {sourceUrl === "" ? "" : " · "}
          {source}
        </span>
      )}
      {sourceProblem !== "" && <p>{sourceProblem}</p>}
    </>
  );
}

/** Commands for the tool itself: this page changes nothing in the cluster. */
function Command({ tool }: { readonly tool: ToolSync }): ReactNode {
  const command = toolCommand(tool);
  if (command === undefined) return null;
  return (
    <>
      <dt>{tLater("gitops/command")}</dt>
      <dd>
        <details>
          <summary>{tool.state === GitopsState.PAUSED ? tLater("ui/resume") : tLater("actions/sync-confirm")}</summary>
          <p className="muted">{tLater("gitops/commands-for-tool")}</p>
          <code className={styles["command"]}>{command}</code>
        </details>
      </dd>
    </>
  );
}
