"use client";
import type { ReactNode } from "react";
import { NEWEST } from "../address/url-state.ts";
import { tLater } from "../../ui/messages.ts";

/** The order of issues: worst first, or newest first. */
export function SortChoice(props: { readonly order: string; readonly onOrder: (order: string) => void }): ReactNode {
  const { order, onOrder } = props;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is a row of its own
    <span className="seg" role="group" aria-label={tLater("ui/order")}>
      <button type="button" aria-pressed={order !== NEWEST} onClick={() => onOrder("")}>
        {tLater("why/order-worst")}
      </button>
      <button type="button" aria-pressed={order === NEWEST} onClick={() => onOrder(NEWEST)}>
        {tLater("ui/newest-first")}
      </button>
    </span>
  );
}
