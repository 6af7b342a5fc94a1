"use client";
import type { DeliveryEvent } from "@binnacle/proto/dashboard";
import { useMemo, useRef, useState, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { sayLater } from "../../ui/said.ts";
import { usePrinting } from "../../ui/use-printing.ts";
import { useUrlState } from "../address/use-url-state.ts";
import type { LiveEvents } from "../live/use-events.ts";
import { AGENT, DELIVERY, eventFacets, eventGroups, type EventGroup } from "./event-groups.ts";
import { EventList } from "./event-list.tsx";
import { eventRows } from "./event-rows.ts";
import { EventsBar } from "./events-bar.tsx";
import { eventsGaps, isForbidden } from "./events-gaps.ts";
import { eventsNumber } from "./events-number.ts";
import styles from "./events.module.css";
import { NoEvents } from "./no-events.tsx";
import { useHeldGroups } from "./use-held-groups.ts";

const NO_FILTER = { q: "", namespaces: [], kinds: [], reasons: [], type: "" } as const;

/** Events by workload, with what is not seen of them. */
export function EventsBoard(props: {
  readonly live: LiveEvents;
  /** What delivery did lately. */
  readonly history?: readonly DeliveryEvent[] | undefined;
}): ReactNode {
  const { live, history } = props;
  const [url, setUrl] = useUrlState();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const scroller = useRef<HTMLElement>(null);
  const { q, namespaces, kinds, reasons, type, order } = url;
  const question = JSON.stringify([q, namespaces, kinds, reasons, type, order]);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the question stands for what it is made of
  const now = useMemo(() => eventGroups(live, url, history), [live.events, live.life, history, question]);
  const facets = useMemo(() => eventFacets(live), [live.events]); // oxlint-disable-line react-hooks/exhaustive-deps -- of the rest it takes nothing
  const { groups, fresh, scrolled, release } = useHeldGroups(now, question);
  const isPrinting = usePrinting();
  const rows = useMemo(() => eventRows(groups, isPrinting ? "all" : opened), [groups, opened, isPrinting]);
  const shown = eventsIn(groups);
  const toggle = (key: string): void =>
    setOpened((before) => (before.has(key) ? new Set([...before].filter((each) => each !== key)) : new Set([...before, key])));
  const toTop = (): void => {
    release();
    scroller.current?.scrollTo({ top: 0 });
    scroller.current?.focus({ preventScroll: true });
  };
  return (
    <div className={styles["events"]}>
      <EventsBar facets={facets}>
        <output className="muted num">{eventsNumber(live, shown)}</output>
      </EventsBar>
      {isPrinting && <p className={styles["note"]}>{eventsNumber(live, shown)}</p>}
      {(rows.length > 0 || !isForbidden(live)) && <Gaps live={live} />}
      <div className={styles["stage"]}>
        <output className={styles["fresh"]}>
          {fresh > 0 && (
            <button type="button" className="btn sm primary" onClick={toTop}>
              <Icon name="up" size={14} /> {sayLater("events/new", { count: fresh })}
            </button>
          )}
        </output>
        {rows.length === 0 ? (
          <NoEvents live={live} clear={() => setUrl(NO_FILTER)} />
        ) : (
          <EventList
            scroller={scroller}
            rows={rows}
            note={live.state?.tellsLife === false ? sayLater("events/no-life") : ""}
            namespaced={facets.namespaces.length > 1}
            selected={url.sel}
            opened={opened}
            onScroll={scrolled}
            onToggle={toggle}
          />
        )}
      </div>
    </div>
  );
}

function Gaps({ live }: { readonly live: LiveEvents }): ReactNode {
  const seen = eventsGaps(live);
  const isQuiet = seen.length === 0 && live.events.size === 0 && live.life.size > 0 && live.state?.complete === true;
  const gaps = isQuiet ? [sayLater("events/none/agent")] : seen;
  if (gaps.length === 0) return null;
  return (
    <ul className={styles["gaps"]}>
      {gaps.map((gap) => (
        <li key={gap}>
          <Icon name="info" size={14} /> {gap}
        </li>
      ))}
    </ul>
  );
}

function eventsIn(groups: readonly EventGroup[]): number {
  return groups.reduce((sum, { key, happenings }) => sum + (key === AGENT || key === DELIVERY ? 0 : happenings.length), 0);
}
