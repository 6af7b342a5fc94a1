"use client";
import type { GitopsSync } from "@binnacle/proto/dashboard";
import { GitopsWish } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { shortSha } from "../../ui/short-sha.ts";
import type { SyncWish } from "./asked-of-sync.ts";
import styles from "./gitops-card.module.css";

/** Asks once more before a sync is paused, or a prune that was held back is let go. It is of the sync as it stood when it was offered. */
export function SyncConfirmation(props: {
  /** Absent: nothing is to be confirmed. */
  readonly wish: SyncWish | undefined;
  readonly onClose: () => void;
  readonly onConfirm: (wish: SyncWish) => void;
}): ReactNode {
  const { wish, onClose, onConfirm } = props;
  const isConsent = wish?.wish === GitopsWish.CONSENT;
  return (
    <Dialog title={isConsent ? "Consent to prune?" : "Pause syncs?"} open={wish !== undefined} onClose={onClose}>
      {wish !== undefined && (
        <div className={styles["confirmation"]}>
          {isConsent ? <Consent sync={wish.sync} /> : <Pause sync={wish.sync} />}
          <div className={styles["buttons"]}>
            <button type="button" className="btn primary" onClick={() => onConfirm(wish)}>
              {isConsent ? `Prune for ${shortSha(wish.sync.sha)}` : "Pause"}
            </button>
            <button type="button" className="btn" onClick={onClose}>
              Cancel
            </button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

function Pause({ sync: { project } }: { readonly sync: GitopsSync }): ReactNode {
  return (
    <p>
      From the next sync on nothing of <b className="b">{project}</b> is applied or pruned, until somebody resumes it.
    </p>
  );
}

function Consent({ sync: { project, sha, title, pruneHeld } }: { readonly sync: GitopsSync }): ReactNode {
  return (
    <>
      <p>
        Commit <code>{shortSha(sha)}</code> of <b className="b">{project}</b>
        {title !== "" && `, “${title}”,`} may then delete what was held back:
      </p>
      <p>
        <b className="b">{pruneHeld}</b>
      </p>
      <p>The consent is for this commit alone. What is deleted does not come back when the consent is taken away.</p>
    </>
  );
}
