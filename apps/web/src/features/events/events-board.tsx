"use client";
import type { DeliveryEvent, Source } from "@binnacle/proto/dashboard";
import { ConnectionState, SettledState, StaleCause } from "@binnacle/proto/dashboard-enums";
import { useMemo, useRef, useState, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { tLater, messageText } from "../../ui/messages.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { usePrinting } from "../../ui/use-printing.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { type LiveEvents, useEvents } from "../live/use-events.ts";
import { AGENT, DELIVERY, eventFacets, eventGroups, type EventGroup } from "./event-groups.ts";
import { EventList } from "./event-list.tsx";
import { eventRows, countNew } from "./event-rows.ts";
import { EventsBar } from "./events-bar.tsx";
import styles from "./events.module.css";
import { useView } from "../live/environment-context.tsx";

const NO_FILTER = { q: "", namespaces: [], kinds: [], reasons: [], type: "" } as const;

/** What is shown of the events, and what waits. */
interface HeldGroups {
  readonly groups: readonly EventGroup[];
  /** How many have come that are not shown. */
  readonly fresh: number;
  /** Called with the scroll position, in pixels. */
  readonly scrolled: (topPx: number) => void;
  /** Shows everything. */
  readonly release: () => void;
}

/** At the top everything is shown as it comes; further down it would move under the eyes of who reads. */
const TOP_PX = 8;

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
              <Icon name="up" size={14} /> {tLater("events/new", { count: fresh })}
            </button>
          )}
        </output>
        {rows.length === 0 ? (
          <NoEvents live={live} clear={() => setUrl(NO_FILTER)} />
        ) : (
          <EventList
            scroller={scroller}
            rows={rows}
            note={live.state?.tellsLife === false ? tLater("events/no-life") : ""}
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
  const gaps = isQuiet ? [tLater("events/none/agent")] : seen;
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

/** How many events are shown, and of how many. */
export function eventsNumber(live: LiveEvents, shown: number): string {
  const { events, state } = live;
  // Where it is unknown whether there are any, there is no count.
  if (events.size === 0 && (state?.complete !== true || isForbidden(live) || isUnread(live))) return "";
  if (shown < events.size) return tLater("events/number/filtered", { shown, total: events.size });
  const total = state?.total ?? 0;
  return total > events.size ? tLater("events/number/cut", { shown, total }) : tLater("events/number", { total: events.size });
}

/** Why there is nothing to show: these are never the same. */
export function NoEvents({ live, clear }: { readonly live: LiveEvents; readonly clear: () => void }): ReactNode {
  const { events, life, state, problem } = live;
  if (problem !== undefined) return <StatePanel icon="off" message={messageText(problem.words)} />;
  if (isForbidden(live))
    return <StatePanel icon="locked" message={tLater("events/forbidden")} more={messageText(state?.sources[0]?.words)} />;
  // As the number beside the filters: what happened to the agent is no event.
  const hidden = events.size || life.size;
  if (hidden > 0) {
    const action = (
      <button type="button" className="btn sm primary" onClick={clear}>
        {tLater("ui/clear-filters")}
      </button>
    );
    return <StatePanel icon="search" message={tLater("events/no-match", { count: hidden })} actions={action} />;
  }
  if (state?.complete !== true) return <Loading />;
  if (isUnread(live))
    return <StatePanel icon="off" message={tLater("events/never-read", { said: messageText(state.sources[0]?.words) })} />;
  return <StatePanel icon="event" message={tLater("events/none")} />;
}

function Loading(): ReactNode {
  return (
    <div className={styles["pad"]}>
      <Skeleton rows={6} label={tLater("events/loading")} />
    </div>
  );
}

/** Keeps the order of groups while the reader has scrolled down. @param question the query: the result of another one is shown at once */
function useHeldGroups(now: readonly EventGroup[], question: string): HeldGroups {
  const [held, setHeld] = useState<{ readonly groups: readonly EventGroup[]; readonly question: string }>();
  const isHeld = held?.question === question;
  return {
    groups: isHeld ? held.groups : now,
    fresh: isHeld ? countNew(held.groups, now) : 0,
    scrolled: (topPx) => {
      if (topPx <= TOP_PX) setHeld(undefined);
      else if (!isHeld) setHeld({ groups: now, question });
    },
    release: () => setHeld(undefined),
  };
}

/** Whether no Events may be read: then it is unknown whether there are any. */
function isForbidden({ state }: Pick<LiveEvents, "state">): boolean {
  const sources = state?.sources ?? [];
  return sources.length > 0 && sources.every(({ settled }) => settled === SettledState.FORBIDDEN);
}

/** Whether nothing of them could be read so far, and missing rights are not the cause. */
function isUnread({ state }: Pick<LiveEvents, "state">): boolean {
  const sources = state?.sources ?? [];
  return sources.length > 0 && sources.every(({ settled }) => settled === SettledState.ERROR);
}

/** Sentences about what is not seen, or not seen well; none when all is. */
function eventsGaps(live: LiveEvents): string[] {
  const { state, connection, lost } = live;
  const sources = state?.sources ?? [];
  const hidden = sources.filter(({ settled }) => settled === SettledState.FORBIDDEN).map(({ namespace }) => namespace);
  const isAway =
    connection !== undefined && connection.state !== ConnectionState.CONNECTED && connection.state !== ConnectionState.CONNECTING;
  return [
    ...(lost === undefined ? [] : [tLater("events/lost")]),
    ...(isAway && lost === undefined ? [tLater("events/away")] : []),
    ...(hidden.length > 0 && hidden.length < sources.length ? [tLater("events/forbidden-in", { namespaces: hidden.join(", ") })] : []),
    ...(isForbidden(live) ? [tLater("events/forbidden")] : []),
    ...new Set(sources.flatMap(gapOf)),
  ];
}

function gapOf(source: Source): string[] {
  if (source.settled === SettledState.TRUNCATED) return [tLater("events/truncated", { said: messageText(source.words) })];
  if (source.settled === SettledState.ERROR) return [tLater("events/never-read", { said: messageText(source.words) })];
  if (source.staleCause === StaleCause.SAMPLED && source.every !== undefined)
    return [tLater("events/sampled", { seconds: Number(source.every.seconds) })];
  if (source.staleCause === StaleCause.ERROR) return [tLater("events/failing", { said: messageText(source.staleWords) })];
  return [];
}

/** What Kubernetes reports of the environment, what happens to its agent, and deployments and syncs: by workload, live. */
export function EventsView(): ReactNode {
  return <EventsBoard live={useEvents()} history={useView().environment?.delivery?.history} />;
}
