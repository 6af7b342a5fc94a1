/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */
"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import type { ReactNode, RefObject } from "react";
import { tLater } from "../../ui/messages.ts";
import { selectionOf } from "../address/url-state.ts";
import { useShownItems } from "../print/use-shown-items.ts";
import { EventLine } from "./event-line.tsx";
import type { EventRow } from "./event-rows.ts";
import styles from "./events.module.css";
import { GroupHead } from "./group-head.tsx";

const ROW_PX = { head: 45, happening: 49, more: 37 } as const satisfies Record<EventRow["type"], number>;

/** The lines, of which only those on the screen are drawn, on paper all. Each is as high as what it says. */
export function EventList(props: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rows: readonly EventRow[];
  /** A text below them; may be empty. */
  readonly note: string;
  readonly namespaced: boolean;
  readonly selected: string;
  readonly opened: ReadonlySet<string>;
  readonly onScroll: (topPx: number) => void;
  readonly onToggle: (key: string) => void;
}): ReactNode {
  const { scroller, rows, note, namespaced, selected, opened, onScroll, onToggle } = props;
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: (index) => ROW_PX[rows[index]?.type ?? "happening"],
    overscan: 12,
  });
  const { isPrinting, items } = useShownItems(virtual, rows.length);
  const contentOf = (row: EventRow): ReactNode => {
    switch (row.type) {
      case "head": {
        const { workload } = row.group;
        const isOpen = workload !== undefined && selectionOf(workload) === selected;
        return <GroupHead group={row.group} namespaced={namespaced} isOpen={isOpen} />;
      }
      case "happening":
        return <EventLine happening={row.happening} />;
      case "more":
        return (
          <div className={styles["more"]}>
            <button type="button" className="linkish" aria-expanded={opened.has(row.group.key)} onClick={() => onToggle(row.group.key)}>
              {row.hidden > 0 ? tLater("events/more", { count: row.hidden }) : tLater("events/fewer")}
            </button>
          </div>
        );
      default:
        return null;
    }
  };
  return (
    <section
      ref={scroller}
      className={styles["scroller"]}
      aria-label={tLater("events/groups")}
      tabIndex={0}
      onScroll={(event) => onScroll(event.currentTarget.scrollTop)}
    >
      <ul style={isPrinting ? {} : { height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          return (
            row && (
              <li
                key={row.key}
                ref={virtual.measureElement}
                data-index={item.index}
                aria-setsize={rows.length}
                aria-posinset={item.index + 1}
                style={isPrinting ? {} : { transform: `translateY(${item.start}px)` }}
              >
                {contentOf(row)}
              </li>
            )
          );
        })}
      </ul>
      {note !== "" && <p className={styles["note"]}>{note}</p>}
    </section>
  );
}
