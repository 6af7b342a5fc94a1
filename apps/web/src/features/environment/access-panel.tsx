/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <dialog> would be modal or would have to be opened by a script */
"use client";
import type { Source } from "@binnacle/proto/dashboard";
import { useEffect, useRef, type CSSProperties, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { useView } from "../live/environment-context.tsx";
import styles from "./environment.module.css";

/** What is not visible, as whom, and which rule is missing. */
export function AccessPanel(props: {
  readonly sources: readonly Source[];
  /** Left edge of the pill it belongs to, within the row of pills. */
  readonly leftPx: number;
  readonly onClose: () => void;
}): ReactNode {
  const { sources, leftPx, onClose } = props;
  const style: CSSProperties & Record<"--pill-left", string> = { "--pill-left": `${leftPx}px` };
  const { viewer, health } = useView();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a dialog closes on Escape
    <section
      ref={panel}
      className={`panel ${styles["access"]}`}
      style={style}
      role="dialog"
      aria-label="Explain my access"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header>
        <h2 className="grow">Explain my access</h2>
        <button type="button" className="btn ghost icon sm" aria-label="Close" onClick={onClose}>
          <Icon name="x" />
        </button>
      </header>
      <div className={styles["accessBody"]}>
        <dl className="facts">
          <dt>You are</dt>
          <dd className="mono">{viewer?.clusterUsername === "" ? viewer.username : (viewer?.clusterUsername ?? "")}</dd>
          {viewer !== undefined && viewer.clusterGroups.length > 0 && (
            <>
              <dt>Groups</dt>
              <dd className="mono">{viewer.clusterGroups.join(", ")}</dd>
            </>
          )}
        </dl>
        {health?.partial === true && <p>The health is partial: a kind that has a health rule is among these.</p>}
        <ul>
          {sources.map((source) => (
            <li key={`${source.group}/${source.resource}/${source.namespace}`}>
              <b className="b">{source.group === "" ? source.resource : `${source.resource}.${source.group}`}</b>
              {source.countsForHealth && <span className="tag">counts for health</span>}
              <p>
                Missing rule: <span className="mono">get, list, watch</span> on <span className="mono">{source.resource}</span>
                {source.namespace === "" ? " in the cluster" : ` in ${source.namespace}`}.
              </p>
              {source.message !== "" && <p className="muted">{source.message}</p>}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
