"use client";
import type { GitopsSync } from "@binnacle/proto/dashboard";
import { GitopsWish } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { shortSha } from "../../ui/short-sha.ts";
import type { SyncIntent } from "./sync-intent.ts";
import { tLater } from "../../ui/messages.ts";
import { tLaterElements } from "../../ui/message-elements.ts";
import styles from "./gitops-card.module.css";

/** Asks once more before a sync is paused, or a prune that was held back is let go. It is of the sync as it stood when it was offered. */
export function SyncConfirmation(props: {
  /** Absent: nothing is to be confirmed. */
  readonly intent: SyncIntent | undefined;
  readonly onClose: () => void;
  readonly onConfirm: (intent: SyncIntent) => void;
}): ReactNode {
  const { intent, onClose, onConfirm } = props;
  const isConsent = intent?.kind === GitopsWish.CONSENT;
  return (
    <Dialog title={isConsent ? tLater("gitops/consent-title") : tLater("gitops/pause-syncs")} open={intent !== undefined} onClose={onClose}>
      {intent !== undefined && (
        <div className={styles["confirmation"]}>
          {isConsent ? <Consent sync={intent.sync} /> : <Pause sync={intent.sync} />}
          <div className={styles["buttons"]}>
            <button type="button" className="btn primary" onClick={() => onConfirm(intent)}>
              {isConsent ? tLater("gitops/prune-for", { shortSha: shortSha(intent.sync.sha) }) : tLater("ui/pause")}
            </button>
            <button type="button" className="btn" onClick={onClose}>
              {tLater("ui/cancel")}
            </button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

function Pause({ sync: { project } }: { readonly sync: GitopsSync }): ReactNode {
  return <p>{tLaterElements("gitops/pause-effect", { project: <b className="b">{project}</b> })}</p>;
}

function Consent({ sync: { project, sha, title, pruneHeld } }: { readonly sync: GitopsSync }): ReactNode {
  return (
    <>
      <p>
        {tLaterElements("gitops/consent-effect", {
          shortSha: <code>{shortSha(sha)}</code>,
          project: <b className="b">{project}</b>,
          what: title !== "" && `, “${title}”,`,
        })}
      </p>
      <p>
        <b className="b">{pruneHeld}</b>
      </p>
      <p>{tLater("gitops/consent-limits")}</p>
    </>
  );
}
