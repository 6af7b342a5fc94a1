"use client";
import type { ReactNode } from "react";
import { formatSecond } from "../../ui/format-time.ts";
import { say } from "../../ui/said.ts";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import type { EnvironmentsState } from "./environments-state.ts";
import { sourceWords, timesOf, type KnownRow } from "./index-words.ts";

/** Of when the index is, and from whom. */
export function IndexFootState(props: {
  readonly state: EnvironmentsState;
  readonly known: readonly KnownRow[];
  readonly stale: boolean;
}): ReactNode {
  const { state, known, stale } = props;
  const now = useNow();
  const dated = (text: string, atMs: number): ReactNode => (
    <span className="row">
      <WithTimes text={text} times={[atMs]} now={now} />
    </span>
  );
  if (state.sentAtMs !== undefined)
    return dated(say("environments/as-of-connecting", { at: formatSecond(state.sentAtMs, now) }), state.sentAtMs);
  const at = formatSecond(state.lastMessageMs, now);
  if (stale) return dated(say("environments/stale-as-of", { at }), state.lastMessageMs);
  if (state.lost) return dated(say("environments/reconnecting-as-of", { at }), state.lastMessageMs);
  const { live, words } = sourceWords(known, now);
  return (
    <span className="row">
      {live && <span className="live" />}
      <span>
        <WithTimes text={words} times={timesOf(known)} now={now} />
      </span>
    </span>
  );
}
