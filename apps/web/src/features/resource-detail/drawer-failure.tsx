"use client";
import type { CSSProperties, ReactNode } from "react";
import type { BoundaryFailure } from "../../ui/error-boundary.tsx";
import { FailurePanel } from "../../ui/failure-panel.tsx";
import { useUrlState } from "../address/use-url-state.ts";
import { t } from "../../ui/messages.ts";
import styles from "./drawer.module.css";

/** In place of a drawer that failed; the view beside it goes on. */
export function DrawerFailure({ error, retry }: BoundaryFailure): ReactNode {
  const [, setUrl] = useUrlState();
  const style: CSSProperties & Record<"--drawer", string> = { "--drawer": "400px" };
  const close = (
    <button type="button" className="btn sm" onClick={() => setUrl({ sel: "", tab: "overview" })}>
      {t("ui/close")}
    </button>
  );
  return (
    <aside className={styles["drawer"]} style={style} aria-label={t("resource-detail/resource")} data-drawer="">
      <FailurePanel error={error} what={t("resource-detail/the-details")} retry={retry} actions={close} />
    </aside>
  );
}
