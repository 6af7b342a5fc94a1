"use client";
import type { GitopsSync, ManifestPlace } from "@binnacle/proto/dashboard";
import { GitopsState } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { OutwardLink } from "../../ui/outward-link.tsx";
import { placeWords } from "../../ui/place-words.ts";
import { shortSha } from "../../ui/short-sha.ts";
import { useView } from "../live/environment-context.tsx";
import type { LiveNode } from "../live/live-node.ts";
import { failureOf, syncOf } from "./sync-of.ts";
import { sayLater } from "../../ui/said.ts";
import { sayLaterWith } from "../../ui/say-with.ts";

/** From which project, commit and file an agent applies it, and why it could not the last time; nothing for what no sync is known to apply. */
export function AppliedFrom({ node, manifest }: { readonly node: LiveNode; readonly manifest?: ManifestPlace | undefined }): ReactNode {
  const status = useView().environment?.delivery?.sync;
  const sync = syncOf(status?.value, node);
  if (sync === undefined) return null;
  const failure = failureOf(sync, node);
  return (
    <>
      <dt>{sayLater("resource-detail/applied-from")}</dt>
      <dd>
        {sync.project}
        {status?.asOf === undefined && <AtCommit sync={sync} />}
        {manifest !== undefined && (
          <p>
            <OutwardLink url={manifest.url} title={manifest.path}>
              <code>{placeWords(manifest)}</code>
            </OutwardLink>
          </p>
        )}
        {failure !== undefined && (
          <p>
            {failure.drifted ? sayLater("resource-detail/not-as-commit") : sayLater("resource-detail/last-sync-could")}
            {failure.reason !== "" && `: ${failure.reason}`}
            {failure.path !== "" && (failure.path !== manifest?.path || failure.fieldLine > 0) && (
              <code> {placeWords({ path: failure.path, line: failure.fieldLine || failure.line })}</code>
            )}
          </p>
        )}
      </dd>
    </>
  );
}

/** The commit is named only where it is known, and now, that everything is as that says. */
function AtCommit({ sync: { state, failed, drifted, outcomeUnknown, sha, commitUrl, title } }: { readonly sync: GitopsSync }): ReactNode {
  if (sha === "" || state !== GitopsState.SYNCED || outcomeUnknown || failed + drifted > 0) return null;
  return (
    <>
      {" "}
      {sayLaterWith("resource-detail/at-commit", {
        commit: (
          <OutwardLink url={commitUrl} title={title}>
            <code>{shortSha(sha)}</code>
          </OutwardLink>
        ),
      })}
    </>
  );
}
