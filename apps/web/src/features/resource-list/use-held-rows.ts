"use client";
import { useState } from "react";
import { heldRows, keyOfRow, type ListRow } from "./list-rows.ts";

/** Rows in the order that they are shown in. */
interface HeldRows {
  readonly rows: readonly ListRow[];
  /** They would stand otherwise by now. */
  readonly isOther: boolean;
  readonly sortAgain: () => void;
}

/**
 * The rows as they stood while somebody is among them: nothing runs away from under a reader's eyes, nor from under the keys.
 *
 * @param sorted how they would stand now
 * @param asked what order and filter were asked for: whoever asks for another gets it at once
 * @param isHeld whether somebody is among them
 */
export function useHeldRows(sorted: readonly ListRow[], asked: string, isHeld: boolean): HeldRows {
  const [held, setHeld] = useState({ rows: sorted, of: sorted, asked, isHeld });
  const [turn, setTurn] = useState(0);
  const [seenTurn, setSeenTurn] = useState(0);
  if (held.of !== sorted || held.asked !== asked || held.isHeld !== isHeld || seenTurn !== turn) {
    const stays = isHeld && held.asked === asked && seenTurn === turn;
    setSeenTurn(turn);
    setHeld({ rows: stays ? heldRows(held.rows, sorted) : sorted, of: sorted, asked, isHeld });
  }
  const isOther = held.rows !== sorted && held.rows.some((row, index) => !isSame(row, sorted[index]));
  return { rows: held.rows, isOther, sortAgain: () => setTurn(turn + 1) };
}

function isSame(left: ListRow, right: ListRow | undefined): boolean {
  return right !== undefined && keyOfRow(left) === keyOfRow(right);
}
