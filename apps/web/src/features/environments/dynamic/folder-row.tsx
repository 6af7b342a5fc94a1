"use client";
import { words } from "@binnacle/words";
import { memo, type KeyboardEvent, type ReactNode } from "react";
import { Ago } from "../../../ui/ago.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { tElements } from "../../../ui/message-elements.ts";
import { t } from "../../../ui/messages.ts";
import { ReplicaBar } from "../../../ui/replica-bar.tsx";
import { StateGlyph, type StateLook } from "../../../ui/state-glyph.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { isProblem, lookOf, wordOf } from "../../live/health-status.ts";
import styles from "../environments.module.css";
import { wordOfRow } from "../index-filters.tsx";
import { NOT_VISIBLE, type RowStatus } from "@binnacle/presentation/environments/row-order";
import { folderFacts, type FolderFacts, type IndexFolder } from "./index-folders.ts";

interface FolderRowProps {
  readonly folder: IndexFolder;
  /** Its place in the whole table, from 1; the head is the first. */
  readonly rowIndex: number;
  readonly onFolder: (folder: string, isOpen: boolean) => void;
}

/** Several environments as one: how the worst of them is, and their numbers together. It opens in place. */
export function FolderRow({ folder, ...rest }: FolderRowProps): ReactNode {
  const { members, ...shown } = folder;
  return <FolderRowView {...shown} {...rest} shown={members.length} facts={JSON.stringify(folderFacts(members))} />;
}

/** The facts are a text, so that a folder whose numbers stay is not drawn each second. */
const FolderRowView = memo(function FolderRowView(
  props: Omit<IndexFolder, "members"> & Omit<FolderRowProps, "folder"> & { readonly shown: number; readonly facts: string },
): ReactNode {
  const { name, size, isOpen, shown, rowIndex, onFolder } = props;
  // Written right above.
  const facts = JSON.parse(props.facts) as FolderFacts;
  const { worst, changedMs, old } = facts;
  const pressed = (event: KeyboardEvent): void => {
    const opens = event.key === "ArrowRight";
    if ((!opens && event.key !== "ArrowLeft") || opens === isOpen) return;
    event.preventDefault();
    onFolder(name, opens);
  };
  const isAllOld = old > 0 && old === shown;
  const classes = [
    styles["row"],
    styles["folder"],
    lookOfStatus(worst),
    isAllOld ? `${styles["stale"]} stale-data` : "",
    isProblem(worst) ? styles["hot"] : "",
  ];
  return (
    <tr className={classes.join(" ")} aria-rowindex={rowIndex} data-folder={name}>
      <th scope="row">
        <button
          type="button"
          className={styles["folderName"]}
          aria-expanded={isOpen}
          aria-label={t("dynamic/folder", { folder: name, environments: words("environments/counted/environments", { count: size }) })}
          onClick={() => onFolder(name, !isOpen)}
          onKeyDown={pressed}
        >
          <Icon name={isOpen ? "down" : "right"} size={14} />
          <span translate="no">{name}</span>
          <b className="num">{size}</b>
        </button>
        {shown < size && <span className={styles["sub"]}>{t("dynamic/matching", { count: shown, size })}</span>}
      </th>
      <td>
        <FolderHealth facts={facts} />
      </td>
      <td>{facts.workloads.wanted > 0 && <FolderWorkloads facts={facts} />}</td>
      <td className="nowrap">{changedMs !== undefined && <LastChange atMs={changedMs} />}</td>
      <td>
        <span className="muted">–</span>
      </td>
      <td>
        <span className="muted">–</span>
      </td>
      <td className="nowrap">
        <FolderAgents facts={facts} />
      </td>
      <td>
        {facts.isHiding ? (
          <span className={styles["access"]}>
            <StateGlyph look="locked" size={14} />
            {t("environments/partial")}
          </span>
        ) : (
          <span className="muted">–</span>
        )}
      </td>
    </tr>
  );
});

function FolderHealth({ facts: { worst, isPartial, counts, old, issues } }: { readonly facts: FolderFacts }): ReactNode {
  const look = lookOfStatus(worst);
  const parts = counts.map(({ status, count }) => t("dynamic/count-of-status", { count, status: wordOfRow(status) }));
  if (old > 0) parts.push(t("dynamic/out-of-date", { count: old }));
  return (
    <>
      <span className={`st ${look}`}>
        <StateGlyph look={look} />
        {worst >= 0 && isPartial ? t("status/partial", { status: wordOf(worst) }) : wordOfRow(worst)}
      </span>
      {issues > 0 && (
        <span className={`${styles["issues"]} num`} data-issues={issues}>
          {t("ui/issue-count", { count: issues })}
        </span>
      )}
      <span className={`${styles["reason"]} num`} title={parts.join(", ")}>
        {parts.join(", ")}
      </span>
    </>
  );
}

function FolderWorkloads({ facts: { workloads, worst } }: { readonly facts: FolderFacts }): ReactNode {
  const { ready, wanted, down, suspended } = workloads;
  return (
    <>
      <ReplicaBar ready={ready} wanted={wanted} rest={ready + suspended === wanted ? "suspended" : lookOfStatus(worst)} />
      <span className={`${styles["sub"]} num`}>
        {tElements("environments/of", {
          ready,
          wanted,
          down: down > 0 ? <b className={styles["down"]}>{t("environments/down", { count: down })}</b> : undefined,
          paused: suspended > 0 ? suspended : undefined,
          asOf: undefined,
        })}
      </span>
    </>
  );
}

function FolderAgents({ facts: { agents, withoutAgent } }: { readonly facts: FolderFacts }): ReactNode {
  const [only] = agents;
  return (
    <>
      {agents.length === 1 ? <span translate="no">{only}</span> : agents.length > 1 && t("dynamic/agents", { count: agents.length })}
      {withoutAgent > 0 && <span className={styles["sub"]}>{t("dynamic/without-agent", { count: withoutAgent })}</span>}
    </>
  );
}

function LastChange({ atMs }: { readonly atMs: number }): ReactNode {
  return <Ago atMs={atMs} now={useNow(1000)} />;
}

function lookOfStatus(status: RowStatus): StateLook {
  if (status === NOT_VISIBLE) return "locked";
  return status < 0 ? "neutral" : lookOf(status);
}
