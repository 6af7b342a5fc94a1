"use client";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { Tip } from "../../ui/tip.tsx";
import { useCopy } from "../../ui/use-copy.ts";
import { HoldButton } from "../hold/hold-button.tsx";
import { SavedViewsMenu } from "../saved-views/saved-views-menu.tsx";
import { tLater } from "../../ui/messages.ts";
import styles from "./page-tools.module.css";

/** What is done with a page rather than with what is on it: its views, its link, and holding it. */
export function PageTools(): ReactNode {
  return (
    <>
      <SavedViewsMenu className={styles["tool"]} />
      <CopyPageLink />
      <HoldButton className={styles["tool"]} />
    </>
  );
}

/** The address contains the full state of the view: another user who opens it sees the same, within their permissions. */
function CopyPageLink(): ReactNode {
  const [copied, copy] = useCopy(() => location.href);
  return (
    <Tip text={copied ? tLater("ui/link-copied") : tLater("page-tools/copy-link-shows")}>
      <button
        type="button"
        className={`btn ghost sm ${styles["tool"]}`}
        aria-label={copied ? tLater("ui/link-copied") : tLater("ui/copy-link")}
        onClick={copy}
      >
        <Icon name={copied ? "check" : "link"} size={14} />
        <span aria-hidden="true">{copied ? tLater("ui/copied") : tLater("ui/copy-link")}</span>
      </button>
    </Tip>
  );
}
