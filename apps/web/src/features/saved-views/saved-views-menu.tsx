"use client";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { Popover } from "../../ui/popover.tsx";
import { SavedViewsPanel } from "./saved-views-panel.tsx";
import styles from "./saved-views.module.css";
import { useSavedViews } from "./use-saved-views.ts";
import { tLater } from "../../ui/messages.ts";

/** A button that opens the viewer's own views: to keep this one, and to name or drop others. Nothing while nobody knows whose they are. */
export function SavedViewsMenu({ className }: { readonly className?: string | undefined }): ReactNode {
  const { projectPath } = useSavedViews();
  if (projectPath === "") return null;
  return (
    <Popover
      title={tLater("saved-views/your-views")}
      hasHead
      focus="control"
      align="end"
      className={styles["panel"]}
      renderButton={(press) => (
        <button {...press} className={`btn ghost sm ${className ?? ""}`}>
          <Icon name="bookmark" size={14} />
          <span>{tLater("saved-views/views")}</span>
        </button>
      )}
    >
      <SavedViewsPanel />
    </Popover>
  );
}
