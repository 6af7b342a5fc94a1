"use client";
import type { GitopsSync, SyncStatus } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { Ago } from "../../ui/ago.tsx";
import { millisOf } from "../../ui/format-time.ts";
import { OutwardLink } from "../../ui/outward-link.tsx";
import { placeWords } from "../../ui/place-words.ts";
import { shortSha } from "../../ui/short-sha.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useView } from "../live/environment-context.tsx";
import { nodeIdOf } from "../live/live-node.ts";
import { DriftList } from "./drift-list.tsx";
import { ObjectLink } from "./object-link.tsx";
import { ToolSyncRow } from "./tool-sync.tsx";
import styles from "./gitops-card.module.css";
import { SyncActions } from "./sync-actions.tsx";
import { courseWords, knownAtMs, nextLookWords, objectsWords, sourceSentence, syncLook, waitingWords } from "./sync-words.ts";
import { messageText, tLater } from "../../ui/messages.ts";
import { tLaterElements } from "../../ui/message-elements.ts";

/** Whether anything is known to be applied from Git. */
export function hasGitops(status: SyncStatus | undefined): boolean {
  const { syncs = [], tools = [], moreTools = 0 } = status?.value ?? {};
  return syncs.length + tools.length + moreTools > 0;
}

/** What is applied from Git, one row for each project; nothing where nothing is known of it. */
export function GitopsCard(): ReactNode {
  const status = useView().environment?.delivery?.sync;
  const gitops = status?.value;
  const now = useNow(10_000);
  if (status === undefined || gitops === undefined || !hasGitops(status)) return null;
  return (
    <section className="panel" data-gitops="">
      <header>
        <h3 className="grow">{tLater("gitops/title")}</h3>
        {status.asOf !== undefined && (
          <span className="muted" title={messageText(status.why)}>
            {tLaterElements("gitops/last-updated-at", { ago: <Ago atMs={millisOf(status.asOf)} now={now} /> })}
          </span>
        )}
      </header>
      {gitops.syncs.map((sync) => (
        <Sync key={sync.project} status={status} sync={sync} now={now} />
      ))}
      {gitops.tools.map((tool) => (
        <ToolSyncRow key={`${tool.tool} ${tool.namespace}/${tool.name}`} tool={tool} now={now} />
      ))}
      {gitops.moreTools > 0 && (
        <p className={`muted ${styles["more"]}`}>{tLater("gitops/more-tools-not-read", { moreTools: gitops.moreTools })}</p>
      )}
    </section>
  );
}

function Sync({ status, sync, now }: { readonly status: SyncStatus; readonly sync: GitopsSync; readonly now: number }): ReactNode {
  const { word, look, detail } = syncLook(sync);
  const source = sourceSentence(sync);
  const { project, branch, paths, reason, startedAt, finishedAt } = sync;
  const nextLook = nextLookWords(sync);
  const { failed, drifted, inventoryNamespace, inventoryName } = sync;
  const waiting = waitingWords(sync);
  const course = courseWords(sync);
  const atMs = knownAtMs(status, sync);
  const drifts = useView().environment?.delivery?.drift?.projects ?? [];
  const isDriftShown = drifts.some((drift) => drift.project === project && drift.objects.length > 0);
  return (
    <dl className={styles["sync"]} data-sync-of={project}>
      <dt>{tLater("ui/state")}</dt>
      <dd>
        <span className={`st ${look}`} data-stale={status.asOf !== undefined}>
          <StateGlyph look={look} />
          {word}
        </span>
        {detail !== "" && `, ${detail}`}
        {atMs !== undefined && (
          <span className="muted">
            {" · "}
            {tLaterElements("gitops/reported", { ago: <Ago atMs={atMs} now={now} /> })}
          </span>
        )}
        {reason !== "" && <p translate="no">{reason}</p>}
        {source !== "" && <p>{source}</p>}
      </dd>
      <dt>{tLater("ui/project")}</dt>
      <dd>
        <span translate="no">{project}</span>
        {branch !== "" && <span className="muted"> {tLater("gitops/at", { branch })}</span>}
      </dd>
      {paths.length > 0 && <dt>{tLater("gitops/paths", { count: paths.length })}</dt>}
      {paths.length > 0 && (
        <dd className={styles["paths"]}>
          {paths.map((path) => (
            <code key={path}>{path}</code>
          ))}
        </dd>
      )}
      <dt>{tLater("gitops/commit")}</dt>
      <dd>
        <Commit sync={sync} />
        {waiting !== "" && <p>{waiting}</p>}
      </dd>
      {inventoryName !== "" && <dt>{tLater("gitops/inventory")}</dt>}
      {inventoryName !== "" && <dd>{tLater("gitops/configmap", { inventoryNamespace, inventoryName })}</dd>}
      <dt>{finishedAt === undefined ? tLater("ui/since-label") : tLater("gitops/last-sync")}</dt>
      <dd>
        {finishedAt === undefined && startedAt === undefined && tLater("gitops/not-known")}
        {finishedAt === undefined && startedAt !== undefined && <Ago atMs={millisOf(startedAt)} now={now} />}
        {finishedAt !== undefined &&
          tLaterElements("gitops/finished", {
            ago: <Ago atMs={millisOf(finishedAt)} now={now} />,
            course: course === "" ? undefined : <span className="muted">{course}</span>,
          })}
      </dd>
      {nextLook !== "" && status.asOf === undefined && <dt>{tLater("gitops/next-check")}</dt>}
      {nextLook !== "" && status.asOf === undefined && <dd>{nextLook}</dd>}
      <dt>{tLater("gitops/objects")}</dt>
      <dd>
        {tLater("gitops/object-counts", { objects: objectsWords(sync), failed: failed || undefined, drifted: drifted || undefined })}
        <DriftList sync={sync} />
        <Failures sync={sync} isDriftShown={isDriftShown} />
      </dd>
      {sync.pruneHeld !== "" && <dt>{tLater("gitops/prune-is-held")}</dt>}
      {sync.pruneHeld !== "" && (
        <dd>
          <p translate="no">{sync.pruneHeld}</p>
        </dd>
      )}
      {inventoryName !== "" && <SyncActions sync={sync} />}
    </dl>
  );
}

function Commit({ sync: { sha, commitUrl, title, author } }: { readonly sync: GitopsSync }): ReactNode {
  if (sha === "") return tLater("gitops/not-known");
  return (
    <>
      <OutwardLink url={commitUrl}>
        <code title={sha}>{shortSha(sha)}</code>
      </OutwardLink>{" "}
      <span translate="no">{title}</span>
      {author !== "" && <span className="muted"> {tLater("gitops/by-author", { author })}</span>}
    </>
  );
}

/** @param props `isDriftShown`: what is out of sync is listed elsewhere */
function Failures(props: { readonly sync: GitopsSync; readonly isDriftShown: boolean }): ReactNode {
  const { sync, isDriftShown } = props;
  const failures = sync.failures.filter((failure) => !(isDriftShown && failure.drifted));
  const total = sync.failed + (isDriftShown ? 0 : sync.drifted);
  if (failures.length === 0) return null;
  return (
    <ul className={styles["failures"]}>
      {failures.map((failure, index) => (
        // An object may be refused for two of its manifests.
        <li key={`${nodeIdOf(failure)} ${index}`}>
          <ObjectLink object={failure} />
          {failure.path !== "" && (
            <p className="mono" translate="no">
              {placeWords({ path: failure.path, line: failure.fieldLine || failure.line })}
            </p>
          )}
          {failure.reason !== "" && <p translate="no">{failure.reason}</p>}
        </li>
      ))}
      {total > failures.length && <li className="muted">{tLater("ui/and-more", { count: total - failures.length })}</li>}
    </ul>
  );
}
