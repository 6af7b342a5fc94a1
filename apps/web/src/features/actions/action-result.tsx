"use client";
import type { ReactNode } from "react";
import { visibleText } from "@binnacle/words";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { Icon } from "../../ui/icon.tsx";
import { tLater } from "../../ui/messages.ts";
import { shortenEnd } from "../../ui/shorten-end.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { StateLink } from "../address/state-link.tsx";
import { useEnvironmentStore, useGraphVersion } from "../live/environment-context.tsx";
import type { LiveNode } from "../live/live-node.ts";
import { useEvents } from "../live/use-events.ts";
import { familyEvents } from "../events/family-events.ts";
import type { ActionKind } from "@binnacle/proto/action-enums";
import { isUnderWay, type Attempt } from "./action-attempt.ts";
import styles from "./action-bar.module.css";
import type { ActionIntent } from "./action-intent.ts";
import { actionSpan, podCounts, podsText, recentEvents, type ActionSpan } from "./action-progress.ts";
import { actionResults, type ResultIdentity } from "./action-results.ts";
import { attemptWords } from "./attempt-words.ts";
import { OutcomeButtons } from "./confirmation-parts.tsx";
import type { Actor } from "./use-action-calls.ts";
import { useFollowing } from "./use-following.ts";

/** Longer messages of Events are cut; the tab has all of them. */
const MAX_MESSAGE = 160;

/** Whether controllers are still at work for a written action. */
function isRunning({ state, follow: { kind } }: Attempt): boolean {
  return state.kind === "written" && kind !== "settled" && kind !== "gone";
}

/** What became of the last action on a resource, followed in the view until the resource has settled. */
export function ActionResult(props: {
  readonly of: ResultIdentity;
  readonly attempt: Attempt;
  /** Absent: the resource has left the view. */
  readonly node: LiveNode | undefined;
  readonly actor: Actor;
  /** Absent: nothing can be undone now. */
  readonly onUndo: ((intent: ActionIntent) => void) | undefined;
}): ReactNode {
  const { of, attempt, node, actor, onUndo } = props;
  const { state, follow, action } = attempt;
  useFollowing(of, attempt, node);
  const { look, text } = attemptWords(attempt, node);
  const span = actionSpan(attempt, node);
  const undo = state.kind === "written" && follow.kind !== "gone" ? state.undo : undefined;
  return (
    <section
      className={styles["result"]}
      aria-label={tLater("actions/result")}
      data-action-state={state.kind}
      data-action-follow={state.kind === "written" ? follow.kind : undefined}
      data-request-id={action.request.requestId}
    >
      <StateGlyph look={look} />
      <div>
        <p>{text}</p>
        {span !== undefined && node !== undefined && isRunning(attempt) && <Pods node={node} kind={action.intent.kind} span={span} />}
        {span !== undefined && <Events id={of.id} span={span} />}
      </div>
      <span className={styles["tools"]}>
        <OutcomeButtons attempt={attempt} actor={actor} size="sm" />
        {undo !== undefined && onUndo !== undefined && (
          <button type="button" className="btn sm" aria-haspopup="dialog" onClick={() => onUndo(undo)}>
            {tLater("actions/undo")}
          </button>
        )}
        {!isUnderWay(attempt) && (
          <button
            type="button"
            className="btn ghost icon sm"
            aria-label={tLater("actions/dismiss")}
            onClick={() => actionResults.delete(of)}
          >
            <Icon name="x" />
          </button>
        )}
      </span>
    </section>
  );
}

/** How many pods of the workload come and go. */
function Pods({ node, kind, span }: { readonly node: LiveNode; readonly kind: ActionKind; readonly span: ActionSpan }): ReactNode {
  const store = useEnvironmentStore();
  useGraphVersion();
  const counts = podCounts(store, node, span);
  const text = counts === undefined ? "" : podsText(kind, counts, node.wanted);
  return text === "" ? null : (
    <p className={styles["lineOfPods"]} data-result-pods>
      {text}
    </p>
  );
}

/** What was reported of the resource and its pods since the action, from the environment's Events as long as this is shown. */
function Events({ id, span }: { readonly id: string; readonly span: ActionSpan }): ReactNode {
  const store = useEnvironmentStore();
  useGraphVersion();
  const events = recentEvents(familyEvents(store, { id }, useEvents().events.values()), span);
  if (events.length === 0) return null;
  return (
    <>
      <ul className={styles["events"]} aria-label={tLater("actions/result-events")} data-result-events>
        {events.map(({ type, reason, message, regarding }) => (
          <li
            key={`${reason} ${regarding?.kind} ${regarding?.name} ${message}`}
            className={type === "Warning" ? "degraded" : ""}
            data-type={type}
            translate="no"
          >
            <b>{visibleText(reason)}</b> <span className="muted">{`${regarding?.kind ?? ""} ${drawnName(regarding?.name ?? "")}`}</span>{" "}
            {visibleText(shortenEnd(message, MAX_MESSAGE))}
          </li>
        ))}
      </ul>
      <StateLink change={{ tab: "events" }}>{tLater("actions/all-events")}</StateLink>
    </>
  );
}
