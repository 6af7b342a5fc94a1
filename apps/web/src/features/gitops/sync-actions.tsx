"use client";
import type { GitopsSync } from "@binnacle/proto/dashboard";
import { GitopsState, GitopsWish } from "@binnacle/proto/dashboard-enums";
import { useState, type ReactNode } from "react";
import { formatClock } from "../../ui/format-time.ts";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import type { InventoryIdentity } from "../asked/detail-keys.ts";
import { useView } from "../live/environment-context.tsx";
import { commitToConsent, intentText, type SyncIntent } from "./sync-intent.ts";
import styles from "./gitops-card.module.css";
import { SyncConfirmation } from "./sync-confirmation.tsx";
import { useAskGitops, type SyncRequestState } from "./use-ask-gitops.ts";
import { useGitopsRight, type SyncRight } from "./use-gitops-right.ts";
import { tLater } from "../../ui/messages.ts";
import { tLaterElements } from "../../ui/message-elements.ts";
import { consentCommand, pauseCommand, syncNowCommand } from "./sync-words.ts";

/** What may be asked of a sync: buttons for who may, and commands for everybody. */
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
  const { asked, ask } = useAskGitops(of, sync);
  const [toConfirm, setToConfirm] = useState<SyncIntent>();
  const choose = (wish: GitopsWish): void => {
    const isGrave = wish === GitopsWish.PAUSE || wish === GitopsWish.CONSENT;
    if (isGrave) setToConfirm({ wish, sync });
    else ask({ wish, sync });
  };
  return (
    <>
      {right.kind === "allowed" && <Buttons sync={sync} disabled={asked.kind === "asking"} choose={choose} />}
      {right.kind !== "allowed" && <RightNote right={right} />}
      <output className={styles["asked"]} data-asked={asked.kind}>
        <SyncRequestNote asked={asked} />
      </output>
      <SyncConfirmation
        wish={toConfirm}
        onClose={() => setToConfirm(undefined)}
        onConfirm={(wish) => {
          setToConfirm(undefined);
          ask(wish);
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
  readonly choose: (wish: GitopsWish) => void;
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
      {offered.map(([wish, text]) => (
        <button key={wish} type="button" className="btn sm" disabled={disabled} onClick={() => choose(wish)}>
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
export function SyncRequestNote({ asked }: { readonly asked: SyncRequestState }): ReactNode {
  const now = useNow(60_000);
  switch (asked.kind) {
    case "nothing":
      return null;
    case "asking":
      return tLater("gitops/checking-cluster");
    case "written":
      return <WithTimes text={writtenWords(asked, now)} times={[asked.atMs]} now={now === 0 ? asked.atMs : now} />;
    case "refused":
      return tLater("actions/nothing-changed", { sentence: sentence(asked.why) });
    default:
      return tLater("gitops/outcome-not-known", { sentence: sentence(asked.why) });
  }
}

function writtenWords({ wish, atMs }: SyncRequestState & { readonly kind: "written" }, now: number): string {
  return tLater("gitops/waiting-for-agent", { request: intentText(wish), at: formatClock(atMs, now === 0 ? atMs : now) });
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** How the same is asked for from a shell. */
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
