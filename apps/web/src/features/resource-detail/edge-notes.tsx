import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import type { LiveEdge, LiveNode } from "../live/live-node.ts";
import { notesOfEdge, type EdgeNote } from "../resource/edge-words.ts";
import styles from "./drawer.module.css";

const LOOKS = {
  fault: { icon: <Icon name="x" size={12} />, look: "degraded" },
  idle: { icon: <Icon name="minus" size={12} />, look: "" },
  plain: { icon: null, look: "" },
} as const satisfies Record<EdgeNote["tone"], { readonly icon: ReactNode; readonly look: string }>;

/** What is special about where a reference leads, a line each. */
export function EdgeNotes({ edge, to }: { readonly edge: LiveEdge; readonly to: LiveNode }): ReactNode {
  return notesOfEdge(edge, to).map(({ text, tone }) => {
    const { icon, look } = LOOKS[tone];
    return (
      <span key={text} className={`${styles["note"]} ${look}`} data-note={tone}>
        {icon} {text}
      </span>
    );
  });
}
