import type { GitopsSync } from "@binnacle/proto/dashboard";
import { GitopsState } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import styles from "./gitops-card.module.css";
import { consentCommand, pauseCommand, syncNowCommand } from "./sync-words.ts";
import { sayLater } from "../../ui/said.ts";
import { sayLaterWith } from "../../ui/say-with.ts";

/** How the same is asked for from a shell. */
export function SyncCommands({ sync }: { readonly sync: GitopsSync }): ReactNode {
  const [now, pause, consent] = [syncNowCommand(sync), pauseCommand(sync), consentCommand(sync)];
  if (now === undefined || pause === undefined) return null;
  const isPaused = sync.state === GitopsState.PAUSED;
  return (
    <details>
      <summary>{sayLater("gitops/commands")}</summary>
      <p className="muted">{sayLater("gitops/for-whoever-may")}</p>
      {!isPaused && <code className={styles["command"]}>{now}</code>}
      <code className={styles["command"]}>{pause}</code>
      {sync.pruneHeld !== "" && consent !== undefined && <code className={styles["command"]}>{consent}</code>}
      {sync.pruneHeld !== "" && consent === undefined && (
        <p className="muted">{sayLaterWith("gitops/consent-annotate-inventorys", { code: <code>gitops.binnacle/prune-consent</code> })}</p>
      )}
    </details>
  );
}
