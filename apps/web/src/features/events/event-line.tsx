"use client";
import type { AgentMoment, DeliveryEvent, EnvironmentEvent } from "@binnacle/proto/dashboard";
import { visibleText } from "@binnacle/words";
import type { ReactNode } from "react";
import { Ago } from "../../ui/ago.tsx";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { formatAge, millisOf } from "../../ui/format-time.ts";
import { LongText } from "../../ui/long-text.tsx";
import { Name } from "../../ui/name.tsx";
import { OutwardLink } from "../../ui/outward-link.tsx";
import { messageText, tLater } from "../../ui/messages.ts";
import { shortSha } from "../../ui/short-sha.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { LogsLink } from "../resource/logs-link.tsx";
import { linkingNodeOf } from "../resource/with-node-names.tsx";
import { workloadKey, type Happening } from "./event-groups.ts";
import { EventsLink } from "./events-link.tsx";
import styles from "./events.module.css";

/** One event: when, why, to what, and its message. */
export function EventLine({ happening }: { readonly happening: Happening }): ReactNode {
  const now = useNow(5_000);
  const { atMs, isWarning } = happening;
  return (
    <div className={`${styles["line"]} ${isWarning ? "degraded" : ""}`} data-type={isWarning ? "Warning" : "Normal"}>
      <span className={styles["sign"]}>
        {isWarning ? <StateGlyph look="degraded" size={14} /> : <span className={styles["dot"]} aria-hidden="true" />}
        <span className="visually-hidden">{tLater(isWarning ? "events/warning" : "events/type/normal")}</span>
      </span>
      <span className={`num ${styles["time"]}`}>{atMs !== undefined && <Ago atMs={atMs} now={now} />}</span>
      {"event" in happening ? (
        <Reported event={happening.event} />
      ) : "delivery" in happening ? (
        <Delivered event={happening.delivery} />
      ) : (
        <Moment moment={happening.moment} />
      )}
    </div>
  );
}

function Reported({ event: { event, workload } }: { readonly event: EnvironmentEvent }): ReactNode {
  const about = event?.regarding;
  if (event === undefined) return null;
  const isOther = about !== undefined && workloadKey(about) !== workloadKey(workload);
  return (
    <div className={styles["body"]}>
      <span className={styles["what"]}>
        <b translate="no">{event.reason}</b>
        {isOther && (
          <EventsLink of={about} className={styles["about"]} title={`${about.kind} ${drawnName(about.name)}`}>
            <span className="muted">{about.kind}</span> <Name name={about.name} room={44} />
          </EventsLink>
        )}
        {event.count > 1 && <span className="count num">{timesOf(event)}</span>}
        <LogsLink of={about} atMs={event.lastAt && millisOf(event.lastAt)} />
        {event.source !== "" && (
          <span className={styles["source"]} translate="no">
            {event.source}
          </span>
        )}
      </span>
      <LongText text={visibleText(event.message)} translate="no" draw={linkingNodeOf(about)} />
    </div>
  );
}

function Moment({ moment }: { readonly moment: AgentMoment }): ReactNode {
  return (
    <div className={styles["body"]}>
      <p>{messageText(moment.words)}</p>
    </div>
  );
}

/** A deployment, or the start or end of a sync, with its commit. */
function Delivered({ event }: { readonly event: DeliveryEvent }): ReactNode {
  return (
    <div className={styles["body"]} data-delivery={event.kind}>
      <p>
        {messageText(event.words)}{" "}
        {event.commitUrl !== "" && (
          <OutwardLink url={event.commitUrl} title={event.title}>
            <code>{shortSha(event.sha)}</code>
          </OutwardLink>
        )}
      </p>
    </div>
  );
}

function timesOf({ count, firstAt, lastAt }: NonNullable<EnvironmentEvent["event"]>): string {
  const [from, to] = [firstAt && millisOf(firstAt), lastAt && millisOf(lastAt)];
  const span = from === undefined || to === undefined || to - from < 1_000 ? undefined : formatAge(from, to);
  return tLater("events/times", { count, span });
}
