"use client";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { LazyCode, useLazyCode } from "../../ui/lazy-code.ts";
import { Popover } from "../../ui/popover.tsx";
import { StoppedClock } from "../../ui/use-now.ts";
import styles from "./export.module.css";
import type { ExportMenuProps } from "./export-format.ts";
import { t } from "../../ui/messages.ts";

const LAZY_PANEL = new LazyCode(async () => (await import("./export-panel.tsx")).ExportPanel);

/** A button that opens what can leave the page, and says before anything does what it lacks. */
export function ExportMenu(props: ExportMenuProps): ReactNode {
  return (
    <Popover
      title={t("export/export", { subject: t(`export/subject/${props.subject}`) })}
      hasHead
      focus="control"
      align="end"
      className={styles["panel"]}
      renderButton={(press) => (
        <button {...press} className="btn sm" data-export={props.subject}>
          <Icon name="save" size={14} />
          {t("export/button")}
        </button>
      )}
    >
      {/* Every file states the current connection state, also while updates are paused. */}
      <StoppedClock value={undefined}>
        <Panel {...props} />
      </StoppedClock>
    </Popover>
  );
}

function Panel(props: ExportMenuProps): ReactNode {
  const { code: ExportPanel, failure, retry } = useLazyCode(LAZY_PANEL, true);
  if (ExportPanel !== undefined) return <ExportPanel {...props} />;
  return failure === undefined ? (
    <p className={styles["about"]}>{t("ui/loading")}</p>
  ) : (
    <p className={styles["about"]}>
      {t("export/not-loaded")}{" "}
      <button type="button" className="linkish" onClick={retry}>
        {t("ui/try-again")}
      </button>
    </p>
  );
}
