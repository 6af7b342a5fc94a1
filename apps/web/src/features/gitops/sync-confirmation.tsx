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
  readonly wish: SyncIntent | undefined;
  readonly onClose: () => void;
  readonly onConfirm: (wish: SyncIntent) => void;
}): ReactNode {
  const { wish, onClose, onConfirm } = props;
  const isConsent = wish?.wish === GitopsWish.CONSENT;
  return (
    <Dialog title={isConsent ? tLater("gitops/consent-title") : tLater("gitops/pause-syncs")} open={wish !== undefined} onClose={onClose}>
      {wish !== undefined && (
        <div className={styles["confirmation"]}>
          {isConsent ? <Consent sync={wish.sync} /> : <Pause sync={wish.sync} />}
          <div className={styles["buttons"]}>
            <button type="button" className="btn primary" onClick={() => onConfirm(wish)}>
              {isConsent ? tLater("gitops/prune-for", { shortSha: shortSha(wish.sync.sha) }) : tLater("ui/pause")}
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
