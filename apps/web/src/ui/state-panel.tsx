import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";
import { StateGlyph } from "./state-glyph.tsx";
import styles from "./state-panel.module.css";

/** What a state says: one sentence, what lies behind it, and what can be done. */
export interface StatePanelProps {
  readonly icon: IconName | "locked";
  readonly message: ReactNode;
  readonly more?: ReactNode;
  readonly actions?: ReactNode;
  /** `alert` when it interrupts, `status` when it is merely so. */
  readonly role?: "alert" | "status";
}

/** A whole-page or whole-panel state. */
export function StatePanel({ icon, message, more, actions, role = "status" }: StatePanelProps): ReactNode {
  return (
    <div className={styles["panel"]}>
      <div role={role}>
        <span className={styles["ic"]}>{icon === "locked" ? <StateGlyph look="locked" /> : <Icon name={icon} />}</span>
        <p className={styles["message"]}>{message}</p>
        {more !== undefined && <div className={styles["more"]}>{more}</div>}
        {actions !== undefined && <div className={styles["acts"]}>{actions}</div>}
      </div>
    </div>
  );
}
