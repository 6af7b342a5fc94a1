"use client";
import type { DriftedField, DriftedObject, GitopsSync, KeptField, ProjectDrift } from "@binnacle/proto/dashboard";
import { GitopsWish } from "@binnacle/proto/dashboard-enums";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Ago } from "../../ui/ago.tsx";
import { millisOf } from "../../ui/format-time.ts";
import { tLater } from "../../ui/messages.ts";
import { tLaterElements } from "../../ui/message-elements.ts";
import { useNow } from "../../ui/use-now.ts";
import { sentenceOfError } from "../queries/request-error.ts";
import type { InventoryIdentity } from "../queries/detail-keys.ts";
import { useView, useEnvironmentStore } from "../live/environment-context.tsx";
import { nodeIdOf } from "../live/live-node.ts";
import { loadDashboard } from "../live/load-dashboard.ts";
import styles from "./gitops-card.module.css";
import { ObjectLink } from "./object-link.tsx";
import { SyncRequestNote } from "./sync-actions.tsx";
import { useAskGitops } from "./use-ask-gitops.ts";
import { useGitopsRight } from "./use-gitops-right.ts";

const LIMIT_MS = 20_000;

/** Objects of a project that differ from what was applied, by whom, and fields that are kept; with what may be done about them. */
export function DriftList({ sync }: { readonly sync: GitopsSync }): ReactNode {
  const { environment } = useView();
  const drift = environment?.delivery?.drift?.projects.find(({ project }) => project === sync.project);
  if (environment === undefined || drift === undefined || drift.objects.length + drift.kept.length === 0) return null;
  const { inventoryNamespace, inventoryName } = sync;
  const of = { projectPath: environment.projectPath, environment: environment.name, inventoryNamespace, inventoryName };
  return <Drift of={of} sync={sync} drift={drift} />;
}

/** Requests something of an object; absent for a viewer who may not. */
type Request = ((intent: GitopsWish, object: DriftedObject | KeptField, field: string) => void) | undefined;

function Drift({
  of,
  sync,
  drift,
}: {
  readonly of: InventoryIdentity;
  readonly sync: GitopsSync;
  readonly drift: ProjectDrift;
}): ReactNode {
  const right = useGitopsRight(of);
  const { requestState, ask } = useAskGitops(of, sync);
  const mayAsk = right.kind === "allowed" && requestState.kind !== "asking";
  const request: Request = mayAsk
    ? (intent, { group, kind, namespace, name }, field) => ask({ kind: intent, sync, object: { group, kind, namespace, name, field } })
    : undefined;
  return (
    <>
      {drift.objects.length > 0 && (
        <ul className={styles["failures"]} data-drift="">
          {drift.objects.map((object) => (
            <Drifted key={nodeIdOf(object)} object={object} request={request} />
          ))}
          {drift.total > drift.objects.length && (
            <li className="muted">{tLater("ui/and-more", { count: drift.total - drift.objects.length })}</li>
          )}
        </ul>
      )}
      {drift.kept.length > 0 && (
        <ul className={styles["failures"]} data-kept="">
          {drift.kept.map((kept) => (
            <Kept key={`${nodeIdOf(kept)} ${kept.field}`} kept={kept} request={request} />
          ))}
        </ul>
      )}
      <output className={styles["request"]} data-request={requestState.kind}>
        <SyncRequestNote requestState={requestState} />
      </output>
    </>
  );
}

function Drifted({ object, request }: { readonly object: DriftedObject; readonly request: Request }): ReactNode {
  const { fields, moreFields, gone, reason } = object;
  return (
    <li>
      <ObjectLink object={object} />
      {gone && <p>{tLater("gitops/deleted-in-cluster")}</p>}
      {reason !== "" && <p translate="no">{reason}</p>}
      {fields.map((field) => (
        <p key={field.field} className={styles["changed"]}>
          <span>
            <ChangedField field={field} />
          </span>
          {request && (
            <button type="button" className="btn sm" onClick={() => request(GitopsWish.KEEP, object, field.field)}>
              {tLater("gitops/keep")}
            </button>
          )}
        </p>
      ))}
      {moreFields > 0 && <p>{tLater("gitops/fields-without-owner", { count: moreFields })}</p>}
      {request && (
        <div className={styles["buttons"]}>
          <button type="button" className="btn sm" onClick={() => request(GitopsWish.TAKE_OVER, object, "")}>
            {tLater("gitops/apply-from-git")}
          </button>
        </div>
      )}
    </li>
  );
}

function ChangedField({ field: { field, manager, at } }: { readonly field: DriftedField }): ReactNode {
  const now = useNow(10_000);
  const name = (
    <code title={field} translate="no">
      {lastNameOf(field)}
    </code>
  );
  const by = <span translate="no">{manager}</span>;
  if (at === undefined) return tLaterElements("gitops/changed-by-hand", { field: name, manager: by });
  return tLaterElements("gitops/changed-by-hand-at", { field: name, manager: by, ago: <Ago atMs={millisOf(at)} now={now} /> });
}

function Kept({ kept, request }: { readonly kept: KeptField; readonly request: Request }): ReactNode {
  const now = useNow(10_000);
  const { field, user, verified, since } = kept;
  const name = (
    <code title={field} translate="no">
      {lastNameOf(field)}
    </code>
  );
  return (
    <li>
      <ObjectLink object={kept} />
      <p>
        {tLaterElements("gitops/kept-by", {
          field: name,
          user: <span translate="no">{user}</span>,
          ago: since === undefined ? undefined : <Ago atMs={millisOf(since)} now={now} />,
          note: verified ? undefined : <span className="muted">{tLater("gitops/kept-unverified")}</span>,
        })}
      </p>
      <div className={styles["buttons"]}>
        {request && (
          <button type="button" className="btn sm" onClick={() => request(GitopsWish.UNDO_KEEP, kept, field)}>
            {tLater("gitops/undo-keep")}
          </button>
        )}
        <CopyKept kept={kept} />
      </div>
    </li>
  );
}

/** The last name of a path: "image" of "spec.template.spec.containers[web].image", "a/b" of "metadata.labels[a/b]". */
function lastNameOf(field: string): string {
  return /\[([^[\]]+)\]$/.exec(field)?.[1] ?? (field.slice(field.lastIndexOf(".") + 1) || field);
}

/** Copies a field that is kept, as the cluster has it now, as YAML for a commit; nothing where the view does not show the object. */
function CopyKept({ kept }: { readonly kept: KeptField }): ReactNode {
  const ref = useEnvironmentStore().node(nodeIdOf(kept))?.ref;
  const { environment } = useView();
  const copying = useMutation({
    networkMode: "always",
    retry: false,
    mutationFn: async () => {
      if (ref === undefined || environment === undefined) return false;
      const question = { projectPath: environment.projectPath, environment: environment.name, ref };
      const { yaml } = await (await loadDashboard()).getResource(question, { timeoutMs: LIMIT_MS });
      const { keptYaml } = await import("./kept-yaml.ts");
      const text = keptYaml(yaml, kept.field);
      // Where a page came over plain HTTP from another host there is no clipboard.
      const clipboard = navigator.clipboard as Clipboard | undefined;
      if (text === undefined || clipboard === undefined) return false;
      await clipboard.writeText(text);
      return true;
    },
  });
  if (ref === undefined) return null;
  const failed = copying.data === false || copying.error !== null;
  return (
    <>
      <button type="button" className="btn sm" disabled={copying.isPending} onClick={() => copying.mutate()}>
        {tLater("gitops/copy-as-yaml")}
      </button>
      <output>
        {copying.data === true && tLater("ui/copied")}
        {failed && (sentenceOfError(copying.error) ?? tLater("gitops/not-copied"))}
      </output>
    </>
  );
}
