"use client";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { sayLater } from "../../ui/said.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import type { LiveNode } from "../live/live-node.ts";
import { isUnderWay, type Attempt } from "./action-attempt.ts";
import styles from "./action-bar.module.css";
import type { ActionIntent } from "./action-intent.ts";
import { actionResults, type ResultIdentity } from "./action-results.ts";
import { attemptWords } from "./attempt-words.ts";
import { OutcomeButtons } from "./confirmation-parts.tsx";
import type { Actor } from "./use-action-calls.ts";
import { useFollowing } from "./use-following.ts";

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
        <OutcomeButtons attempt={attempt} actor={actor} size="sm" />
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
