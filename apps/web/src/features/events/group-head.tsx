"use client";
import type { ReactNode } from "react";
import { Ago } from "../../ui/ago.tsx";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { Icon } from "../../ui/icon.tsx";
import { Name } from "../../ui/name.tsx";
import { tLater } from "../../ui/messages.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useView } from "../live/environment-context.tsx";
import { iconOfKind } from "@binnacle/presentation/health/kind-words";
import { DELIVERY, type EventGroup } from "./event-groups.ts";
import { EventsLink } from "./events-link.tsx";
import styles from "./events.module.css";

/** Whose events follow: a workload that can be opened, or the agent; how many are warnings, and when the newest came. */
export function GroupHead(props: { readonly group: EventGroup; readonly namespaced: boolean; readonly isOpen: boolean }): ReactNode {
  const { group, namespaced, isOpen } = props;
  const now = useNow(5_000);
  const { workload, warnings, happenings } = group;
  const atMs = happenings[0]?.atMs;
  return (
    <div className={`${styles["head"]} ${isOpen ? styles["selected"] : ""}`}>
      <Icon name={workload === undefined ? "env" : iconOfKind(workload.kind)} size={16} />
      <h2>
        {workload === undefined ? (
          group.key === DELIVERY ? (
            tLater("events/delivery")
          ) : (
            <AgentName />
          )
        ) : (
          <>
            <span className={styles["kind"]} translate="no">
              {workload.kind}
            </span>{" "}
            <EventsLink of={workload} className={styles["name"]} title={drawnName(workload.name)}>
              <Name name={workload.name} room={48} />
            </EventsLink>
            {namespaced && workload.namespace !== "" && (
              <span className={styles["kind"]} translate="no">
                {" "}
                {workload.namespace}
              </span>
            )}
          </>
        )}
      </h2>
      {warnings > 0 && (
        <span className={`st degraded ${styles["warnings"]}`}>
          <StateGlyph look="degraded" size={14} />
          {tLater("events/warnings", { count: warnings })}
        </span>
      )}
      <span className={`num muted ${styles["last"]}`}>{atMs !== undefined && <Ago atMs={atMs} now={now} />}</span>
    </div>
  );
}

function AgentName(): ReactNode {
  const { environment } = useView();
  return (
    <>
      <span className={styles["kind"]}>{tLater("ui/agent")}</span> <span translate="no">{environment?.agentName}</span>
    </>
  );
}
