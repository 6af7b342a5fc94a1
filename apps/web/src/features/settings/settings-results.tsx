/* oxlint-disable jsx-a11y/prefer-tag-over-role -- an <output> may hold no blocks */
"use client";
import type { SettingsResult } from "@binnacle/proto/dashboard-settings";
import { SettingsOutcome } from "@binnacle/proto/settings-enums";
import type { WordsId } from "@binnacle/words";
import type { ReactNode } from "react";
import { OutwardLink } from "../../ui/outward-link.tsx";
import { messageText, tLater } from "../../ui/messages.ts";
import styles from "./settings.module.css";

const OUTCOMES: Readonly<Record<number, WordsId>> = {
  [SettingsOutcome.UNSPECIFIED]: "settings/outcome-not-tried",
  [SettingsOutcome.UNCHANGED]: "settings/outcome-unchanged",
  [SettingsOutcome.DONE]: "settings/outcome-done",
  [SettingsOutcome.PROPOSED]: "settings/outcome-proposed",
  [SettingsOutcome.REJECTED]: "settings/outcome-rejected",
  [SettingsOutcome.CONFLICT]: "settings/outcome-conflict",
  [SettingsOutcome.UNKNOWN]: "gitops/not-known",
};

/** Both halves of a save. */
export interface SavedHalves {
  readonly file?: SettingsResult | undefined;
  readonly mainApplication?: SettingsResult | undefined;
}

/** Whether everything that was to be written is. */
export function isWhollySaved({ file, mainApplication }: SavedHalves): boolean {
  return [file, mainApplication].every((half) => half !== undefined && isGood(half));
}

/** Whether a half was changed by another person meanwhile. */
export function isConflict({ file, mainApplication }: SavedHalves): boolean {
  return [file, mainApplication].some((half) => half?.outcome === SettingsOutcome.CONFLICT);
}

/** What became of each half of a save; the file was first. */
export function SettingsResults({ halves, product }: { readonly halves: SavedHalves; readonly product: string }): ReactNode {
  return (
    <section className={styles["results"]} role="status" aria-label={tLater("settings/results")}>
      <Half name={tLater("settings/file-result")} result={halves.file} />
      <Half name={product} result={halves.mainApplication} />
    </section>
  );
}

/** What became of one write. */
export function Half({ name, result }: { readonly name: string; readonly result: SettingsResult | undefined }): ReactNode {
  if (result === undefined) return null;
  const { outcome, words, url } = result;
  return (
    <div data-outcome={outcome} className={isGood(result) ? styles["good"] : styles["bad"]}>
      <b>{name}</b>
      <span>{tLater(OUTCOMES[outcome] ?? "gitops/not-known")}</span>
      {words !== undefined && <p>{messageText(words)}</p>}
      {url !== "" && (
        <OutwardLink url={url}>
          {outcome === SettingsOutcome.PROPOSED ? tLater("settings/merge-request") : tLater("settings/open-commit")}
        </OutwardLink>
      )}
    </div>
  );
}

/** It is as it should be. */
function isGood({ outcome }: SettingsResult): boolean {
  return outcome === SettingsOutcome.UNCHANGED || outcome === SettingsOutcome.DONE || outcome === SettingsOutcome.PROPOSED;
}
