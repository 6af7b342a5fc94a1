import type { ComponentType, ReactNode } from "react";
import { Icon } from "../icon.tsx";
import { tLater } from "../messages.ts";
import styles from "./panel-head.module.css";

/** What the library's button that closes a panel takes. */
interface CloseProps {
  readonly className: string;
  readonly "aria-label": string;
  readonly children: ReactNode;
}

/** Head of a panel that opens above the page; it stays when the panel scrolls. @param props.title a heading @param props.Close of the panel's library */
export function PanelHead({ title, Close }: { readonly title: ReactNode; readonly Close: ComponentType<CloseProps> }): ReactNode {
  return (
    <div className={styles["head"]}>
      {title}
      <Close className="btn ghost icon sm" aria-label={tLater("ui/close")}>
        <Icon name="x" />
      </Close>
    </div>
  );
}
