import type { ReactNode } from "react";
import styles from "./replica-bar.module.css";
import type { StateLook } from "./state-glyph.tsx";

const MAX_PIECES = 12;

/** A bar of pieces, one per replica up to twelve: ready ones green, the rest in the colour of what is wrong. The words beside it say the numbers. */
export function ReplicaBar(props: { readonly ready: number; readonly wanted: number; readonly rest: StateLook }): ReactNode {
  const { ready, wanted, rest } = props;
  const pieces = Math.min(MAX_PIECES, Math.max(1, wanted));
  const filled = wanted <= 0 ? 0 : ready >= wanted ? pieces : Math.min(pieces - 1, Math.round((ready / wanted) * pieces));
  const restClass = wanted <= 0 || rest === "healthy" || rest === "neutral" ? (styles["rest"] ?? "") : rest;
  return (
    <span className={styles["bar"]} aria-hidden="true">
      {Array.from({ length: pieces }, (_, piece) => (
        <i key={piece} className={piece < filled ? "healthy" : restClass} />
      ))}
    </span>
  );
}
