/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows of a virtual list are placed absolutely, which a <table> does not allow */
"use client";
import { useState, type KeyboardEvent, type ReactNode, type RefCallback } from "react";
import { Icon } from "../../ui/icon.tsx";
import { runLocalKey } from "../../ui/keys/local-keys.ts";
import { useUrlState } from "../address/use-url-state.ts";
import type { Column } from "./columns.tsx";
import styles from "./list.module.css";
import { nextSort, sortOrderOf } from "./sort-order.ts";
import { sayLater } from "../../ui/said.ts";

/** Heads of the columns: a press sorts. One tab stop, left and right go through them. */
export function HeadRow(props: { readonly columns: readonly Column[]; readonly widthsOf: RefCallback<HTMLElement> }): ReactNode {
  const { columns, widthsOf } = props;
  const [url, setUrl] = useUrlState();
  const [at, setAt] = useState(0);
  const sort = sortOrderOf(url.sort);
  const stop = Math.min(at, columns.length - 1);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const go = (index: number): void => {
      const next = Math.max(0, Math.min(columns.length - 1, index));
      setAt(next);
      event.currentTarget.querySelectorAll("button").item(next).focus();
    };
    runLocalKey("heads", event, {
      left: () => go(stop - 1),
      right: () => go(stop + 1),
      first: () => go(0),
      last: () => go(columns.length - 1),
    });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its buttons have the focus
    <div ref={widthsOf} className={`${styles["row"]} ${styles["heads"]}`} role="row" tabIndex={-1} aria-rowindex={1} onKeyDown={onKeyDown}>
      <span role="presentation" />
      {columns.map(({ key, title }, index) => (
        <span
          key={key}
          role="columnheader"
          {...(sort.key === key ? { "aria-sort": sort.falling ? ("descending" as const) : ("ascending" as const) } : {})}
        >
          <button
            type="button"
            tabIndex={index === stop ? 0 : -1}
            onFocus={() => setAt(index)}
            onClick={() => setUrl({ sort: nextSort(sort, key) }, "replace")}
          >
            {sayLater(title)}
            {sort.key === key && <Icon name={sort.falling ? "down" : "up"} size={12} />}
          </button>
        </span>
      ))}
    </div>
  );
}
