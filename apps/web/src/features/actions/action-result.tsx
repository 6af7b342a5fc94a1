"use client";
import { useEffect, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { sayLater } from "../../ui/said.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useView } from "../live/environment-context.tsx";
import { freshnessOf } from "../live/freshness.ts";
import type { LiveNode } from "../live/live-node.ts";
import { isUnderWay, type Attempt } from "./action-attempt.ts";
import styles from "./action-bar.module.css";
import type { ActionIntent } from "./action-intent.ts";
import { actionResults, type ResultIdentity } from "./action-results.ts";
import { attemptWords } from "./attempt-words.ts";
import { followStep } from "./follow-action.ts";
import type { Actor } from "./use-action-calls.ts";

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
  const undo = state.kind === "written" && follow.kind !== "gone" ? state.undo : undefined;
  return (
    <section
      className={styles["result"]}
      aria-label={sayLater("actions/result")}
      data-action-state={state.kind}
      data-action-follow={state.kind === "written" ? follow.kind : undefined}
      data-request-id={action.request.requestId}
    >
      <StateGlyph look={look} />
      <p>{text}</p>
      <span className={styles["tools"]}>
        {state.kind === "unknown" && (
          <button type="button" className="btn sm" onClick={actor.check}>
            {sayLater("actions/check")}
          </button>
        )}
        {undo !== undefined && onUndo !== undefined && (
          <button type="button" className="btn sm" aria-haspopup="dialog" onClick={() => onUndo(undo)}>
            {sayLater("actions/undo")}
          </button>
        )}
        {!isUnderWay(attempt) && (
          <button
            type="button"
            className="btn ghost icon sm"
            aria-label={sayLater("actions/dismiss")}
            onClick={() => actionResults.delete(of)}
          >
            <Icon name="x" />
          </button>
        )}
      </span>
    </section>
  );
}

/** Steps on with each change of the node and with time, while the view is current: of a paused or stale one nothing is concluded. */
function useFollowing(of: ResultIdentity, { action, state, follow }: Attempt, node: LiveNode | undefined): void {
  const view = useView();
  const nowMs = useNow();
  const isCurrent = view.hold === undefined && !view.kept && freshnessOf(view, nowMs).kind === "live";
  const { requestId } = action.request;
  const next =
    state.kind === "written" && isCurrent
      ? followStep(follow, { intent: action.intent, mark: action.mark, writtenMs: state.atMs, node, nowMs })
      : follow;
  useEffect(() => {
    if (next === follow) return;
    actionResults.update(of, requestId, (attempt) => ({ ...attempt, follow: next }));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the identity is new in each render
  }, [next, follow, requestId]);
}
