/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows of a virtual list are placed absolutely, which a <table> does not allow */
"use client";
import { memo, type CSSProperties, type MouseEvent, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { useNode } from "../live/environment-context.tsx";
import { keyOfStatus, statusOf } from "../live/health-status.ts";
import { selectionOf } from "../address/url-state.ts";
import type { Column } from "./columns.tsx";
import styles from "./list.module.css";
import type { NameRooms } from "./name-rooms.ts";

/** What a press on the box of a row asks for. */
export interface ChoosePress {
  readonly id: string;
  /** All from the last one to this. */
  readonly range: boolean;
}

/** One resource; renders only when that one changes. */
export const ResourceRow = memo(
  function ResourceRow(props: {
    readonly id: string;
    readonly index: number;
    readonly style: CSSProperties;
    readonly selected: string;
    readonly chosen: boolean;
    readonly isTabStop: boolean;
    readonly columns: readonly Column[];
    readonly rooms: NameRooms;
    readonly onChoose: (press: ChoosePress) => void;
  }): ReactNode {
    const { id, index, style, selected, chosen, isTabStop, columns, rooms, onChoose } = props;
    const node = useNode(id);
    if (node?.ref === undefined) return null;
    const isOpen = selected === selectionOf(node.ref);
    const press = (event: MouseEvent): void => onChoose({ id, range: event.shiftKey });
    return (
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid takes the keys of all rows
      <div
        className={`${styles["row"]} ${styles["body"]} ${isOpen ? styles["selected"] : ""} ${chosen ? styles["chosen"] : ""}`}
        role="row"
        aria-rowindex={index}
        aria-selected={chosen}
        tabIndex={isTabStop ? 0 : -1}
        style={style}
        data-node-id={id}
        data-health={keyOfStatus(statusOf(node))}
        onMouseDown={(event) => {
          // Neither selects the text between, nor takes the focus from the row that the range begins at.
          if (event.shiftKey) event.preventDefault();
        }}
        onClick={(event) => {
          // As in any list of files; a press on the name goes where it leads.
          if ((event.shiftKey || event.ctrlKey || event.metaKey) && !isOnLink(event.target)) press(event);
        }}
      >
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- `x` on the row does the same, and the row says whether it is chosen */}
        <span
          role="presentation"
          className={styles["check"]}
          data-choose=""
          onClick={(event) => {
            event.stopPropagation();
            press(event);
          }}
        >
          <span className={styles["box"]}>{chosen && <Icon name="check" size={12} />}</span>
        </span>
        {columns.map(({ key, Cell }) => (
          <Cell key={key} node={node} room={rooms[key] ?? 0} />
        ))}
      </div>
    );
  },
  (before, after) =>
    before.id === after.id &&
    before.index === after.index &&
    before.selected === after.selected &&
    before.chosen === after.chosen &&
    before.isTabStop === after.isTabStop &&
    before.columns === after.columns &&
    before.rooms === after.rooms &&
    before.onChoose === after.onChoose &&
    before.style.transform === after.style.transform,
);

function isOnLink(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a") !== null;
}
