"use client";
import type { GitopsSync } from "@binnacle/proto/dashboard";
import { GitopsState, GitopsWish } from "@binnacle/proto/dashboard-enums";
import { useState, type ReactNode } from "react";
import { formatClock } from "../../ui/format-time.ts";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import type { InventoryIdentity } from "../queries/detail-keys.ts";
import { useView } from "../live/environment-context.tsx";
import { commitToConsent, intentText, type SyncIntent } from "./sync-intent.ts";
import styles from "./gitops-card.module.css";
import { SyncConfirmation } from "./sync-confirmation.tsx";
import { useAskGitops, type SyncRequestState } from "./use-ask-gitops.ts";
import { useGitopsRight, type SyncRight } from "./use-gitops-right.ts";
import { tLater } from "../../ui/messages.ts";
import { tLaterElements } from "../../ui/message-elements.ts";
import { consentCommand, pauseCommand, syncNowCommand } from "./sync-words.ts";

/** Requests to a sync: buttons for viewers who may, and commands for everyone. */
export function SyncActions({ sync }: { readonly sync: GitopsSync }): ReactNode {
  const { environment } = useView();
  if (environment === undefined) return null;
  const { inventoryNamespace, inventoryName } = sync;
  const of = { projectPath: environment.projectPath, environment: environment.name, inventoryNamespace, inventoryName };
  return (
    <>
      <dt>{tLater("actions/actions")}</dt>
      <dd>
        <Actions of={of} sync={sync} />
        <SyncCommands sync={sync} />
      </dd>
    </>
  );
}

function Actions({ of, sync }: { readonly of: InventoryIdentity; readonly sync: GitopsSync }): ReactNode {
  const right = useGitopsRight(of);
  const { requestState, ask } = useAskGitops(of, sync);
  const [toConfirm, setToConfirm] = useState<SyncIntent>();
  const choose = (kind: GitopsWish): void => {
    const isGrave = kind === GitopsWish.PAUSE || kind === GitopsWish.CONSENT;
    if (isGrave) setToConfirm({ kind, sync });
    else ask({ kind, sync });
  };
  return (
    <>
      {right.kind === "allowed" && <Buttons sync={sync} disabled={requestState.kind === "asking"} choose={choose} />}
      {right.kind !== "allowed" && <RightNote right={right} />}
      <output className={styles["request"]} data-request={requestState.kind}>
        <SyncRequestNote requestState={requestState} />
      </output>
      <SyncConfirmation
        intent={toConfirm}
        onClose={() => setToConfirm(undefined)}
        onConfirm={(intent) => {
          setToConfirm(undefined);
          ask(intent);
        }}
      />
    </>
  );
}

function Buttons({
  sync,
  disabled,
  choose,
}: {
  readonly sync: GitopsSync;
  readonly disabled: boolean;
  readonly choose: (kind: GitopsWish) => void;
}): ReactNode {
  const isPaused = sync.state === GitopsState.PAUSED;
  const offered: readonly (readonly [GitopsWish, string])[] = [
    ...(isPaused ? ([[GitopsWish.RESUME, tLater("ui/resume")]] as const) : []),
    ...(isPaused ? [] : ([[GitopsWish.SYNC, tLater("actions/sync-confirm")]] as const)),
    ...(isPaused ? [] : ([[GitopsWish.PAUSE, tLater("actions/pause")]] as const)),
    ...(commitToConsent(sync) === undefined ? [] : ([[GitopsWish.CONSENT, tLater("actions/consent-prune")]] as const)),
  ];
  return (
    <div className={styles["buttons"]}>
      {offered.map(([kind, text]) => (
        <button key={kind} type="button" className="btn sm" disabled={disabled} onClick={() => choose(kind)}>
          {text}
        </button>
      ))}
    </div>
  );
}

function RightNote({ right }: { readonly right: Exclude<SyncRight, { readonly kind: "allowed" }> }): ReactNode {
  switch (right.kind) {
    case "asking":
      return <p className="muted">{tLater("actions/access-checking")}</p>;
    case "denied":
      return <p className="muted">{tLater("gitops/read-only", { sentence: sentence(right.why) })}</p>;
    default:
      return <p className="muted">{tLater("gitops/rights-not-known", { sentence: sentence(right.why) })}</p>;
  }
}

/** What became of the last request. */
export function SyncRequestNote({ requestState }: { readonly requestState: SyncRequestState }): ReactNode {
  const now = useNow(60_000);
  switch (requestState.kind) {
    case "nothing":
      return null;
    case "asking":
      return tLater("gitops/checking-cluster");
    case "written":
      return <WithTimes text={writtenWords(requestState, now)} times={[requestState.atMs]} now={now === 0 ? requestState.atMs : now} />;
    case "refused":
      return tLater("actions/nothing-changed", { sentence: sentence(requestState.why) });
    default:
      return tLater("gitops/outcome-not-known", { sentence: sentence(requestState.why) });
  }
}

function writtenWords({ intent, atMs }: SyncRequestState & { readonly kind: "written" }, now: number): string {
  return tLater("gitops/waiting-for-agent", { request: intentText(intent), at: formatClock(atMs, now === 0 ? atMs : now) });
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The same requests as shell commands. */
function SyncCommands({ sync }: { readonly sync: GitopsSync }): ReactNode {
  const [now, pause, consent] = [syncNowCommand(sync), pauseCommand(sync), consentCommand(sync)];
  if (now === undefined || pause === undefined) return null;
  const isPaused = sync.state === GitopsState.PAUSED;
  return (
    <details>
      <summary>{tLater("gitops/commands")}</summary>
      <p className="muted">{tLater("gitops/commands-for-patch")}</p>
      {!isPaused && <code className={styles["command"]}>{now}</code>}
      <code className={styles["command"]}>{pause}</code>
      {sync.pruneHeld !== "" && consent !== undefined && <code className={styles["command"]}>{consent}</code>}
      {sync.pruneHeld !== "" && consent === undefined && (
        <p className="muted">{tLaterElements("gitops/consent-by-annotation", { code: <code>gitops.binnacle/prune-consent</code> })}</p>
      )}
    </details>
  );
}
