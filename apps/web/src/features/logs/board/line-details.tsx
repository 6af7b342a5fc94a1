/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a cell of a grid of <div> */
"use client";
import { nanosText } from "@binnacle/kube";
import { visibleText } from "@binnacle/words";
import { LogContainerKind } from "@binnacle/proto/dashboard-logs";
import type { ReactNode } from "react";
import { tLater } from "../../../ui/messages.ts";
import { useCopy } from "../../../ui/use-copy.ts";
import type { LineRow } from "../store/log-row.ts";
import type { ShownSource } from "../store/log-sources.ts";
import { lineText } from "../text/line-text.ts";
import { prettyJson } from "../text/json-line.ts";
import styles from "./log-row.module.css";

const KINDS: Readonly<Record<number, "init" | "sidecar" | "ephemeral">> = {
  [LogContainerKind.INIT]: "init",
  [LogContainerKind.SIDECAR]: "sidecar",
  [LogContainerKind.EPHEMERAL]: "ephemeral",
};

/** All of a line: its exact time, where it comes from, JSON over several lines, and what can be done with it. @param props.link address of the line */
export function LineDetails(props: {
  readonly row: LineRow;
  /** Without what sets its looks. */
  readonly text: string;
  readonly source: ShownSource;
  readonly link: string;
}): ReactNode {
  const { row, text, source, link } = props;
  const kind = KINDS[source.kind];
  return (
    <div role="gridcell" className={styles["details"]}>
      <ul>
        <li className="num">
          <time dateTime={nanosText(row.timeNanos)}>{nanosText(row.timeNanos)}</time>
        </li>
        <li translate="no">{visibleText(`${source.namespace}/${source.pod}/${source.container}`)}</li>
        {kind !== undefined && <li>{tLater(`logs-page/kind/${kind}`)}</li>}
        {source.restarts !== undefined && source.restarts > 0 && <li>{tLater("logs-page/restarts", { count: source.restarts })}</li>}
        {row.isContext && <li>{tLater("logs-page/context")}</li>}
      </ul>
      <pre translate="no">{visibleText(prettyJson(text) ?? text)}</pre>
      <div className={styles["actions"]}>
        <CopyButton text={() => lineText(row, source)} label={tLater("logs-page/copy-line")} />
        <CopyButton text={() => new URL(link, location.href).href} label={tLater("logs-page/copy-link")} />
      </div>
    </div>
  );
}

/** A button that copies, and confirms it. */
export function CopyButton({ text, label }: { readonly text: () => string; readonly label: string }): ReactNode {
  const [copied, copy] = useCopy(text);
  return (
    <button
      type="button"
      className="btn sm"
      onClick={(event) => {
        event.stopPropagation();
        copy();
      }}
    >
      {label}
      {copied && <output className="muted">{tLater("ui/copied")}</output>}
    </button>
  );
}
