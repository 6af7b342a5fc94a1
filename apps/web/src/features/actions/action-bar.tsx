/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <fieldset> is for fields */
"use client";
import type { OfferedAction, ReviewActionsResponse } from "@binnacle/proto/dashboard";
import { ActionKind, ActionRight } from "@binnacle/proto/action-enums";
import { Presence } from "@binnacle/proto/dashboard-enums";
import { useRef, useState, type ReactNode } from "react";
import { useCommand } from "../../ui/commands.ts";
import { LazyCode, useLazyCode } from "../../ui/lazy-code.ts";
import { tLater, messageText } from "../../ui/messages.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { useView } from "../live/environment-context.tsx";
import type { LiveNode } from "../live/live-node.ts";
import { isClusterNode } from "../resource/cluster-node-link.tsx";
import { ACTION_REQUESTS, DEBUG_REQUESTS, useNodeRequests } from "../resource/node-requests.ts";
import { isUnderWay } from "./action-attempt.ts";
import styles from "./action-bar.module.css";
import { actionKeyOf, knownActions, presentIntent, takesParameters, namesOf, type ActionIntent } from "./action-intent.ts";
import { ActionResult } from "./action-result.tsx";
import { useActionResult, type ResultIdentity } from "./action-results.ts";
import { sentenceOf } from "./attempt-words.ts";
import { useActionReview } from "./use-action-review.ts";
import { useActor } from "./use-action-calls.ts";
import { Popover } from "../../ui/popover.tsx";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { MissingRole } from "../resource/missing-role.tsx";

const LAZY_DIALOG = new LazyCode(async () => (await import("./action-dialog.tsx")).ActionDialog);
const LAZY_LABELS = new LazyCode(async () => (await import("./labels/labels-dialog.tsx")).LabelsDialog);
const LAZY_EDIT = new LazyCode(async () => (await import("./edit/edit-dialog.tsx")).EditDialog);

/** Of which resource. */
export interface ActionBarProps {
  readonly projectPath: string;
  readonly environment: string;
  readonly node: LiveNode;
  /** It has left: what became of the last action is shown still. */
  readonly departed: boolean;
}

/** Whether its place is kept also where there is nothing to offer. */
export interface ReservedPlace {
  readonly isReserved: boolean;
}

/** Objects of the cluster other than Nodes may be shown without being of the environment, which their details say already. */
function isOfEnvironment({ ref }: Pick<LiveNode, "ref">): boolean {
  return ref?.namespace !== "" || isClusterNode(ref);
}

function lazyDialogOf(kind: ActionKind | undefined) {
  if (kind === ActionKind.EDIT) return LAZY_EDIT;
  return kind === ActionKind.EDIT_LABELS ? LAZY_LABELS : LAZY_DIALOG;
}

/** A dialog that is open. */
interface OpenDialog {
  readonly intent: ActionIntent;
  /** The preview is requested at once. */
  readonly isComplete: boolean;
}

/** What can be done to a resource, and what became of the last action on it. */
export function ActionBar({ projectPath, environment, node, departed, isReserved }: ActionBarProps & ReservedPlace): ReactNode {
  const view = useView();
  const [, setUrl] = useUrlState();
  const of: ResultIdentity = { username: view.viewer?.username ?? "", projectPath, environment, id: node.id };
  const attempt = useActionResult(of);
  const actor = useActor(of);
  const [dialog, setDialog] = useState<OpenDialog>();
  const { code: Dialog } = useLazyCode(lazyDialogOf(dialog?.intent.kind), dialog !== undefined);
  const isPaused = view.pause !== undefined;
  const isReviewable = !departed && !isPaused && !view.kept && node.presence === Presence.PRESENT;
  const review = useActionReview({ projectPath, environment, node }, isReviewable);
  const busy = attempt !== undefined && isUnderWay(attempt);
  const offered = review.answer === undefined ? [] : knownActions(review.answer);
  const open = (intent: ActionIntent, isComplete: boolean): void => {
    if (intent.kind === ActionKind.DEBUG_CONTAINER) {
      setUrl({ tab: "terminal" });
      DEBUG_REQUESTS.send(node.id);
    } else if (!busy) setDialog({ intent, isComplete });
  };
  const rights = dialog === undefined ? undefined : offered.find((action) => isSameRight(action, dialog.intent));
  return (
    <>
      {attempt !== undefined && (
        <ActionResult
          of={of}
          attempt={attempt}
          node={departed ? undefined : node}
          actor={actor}
          onUndo={isReviewable ? (intent) => open(intent, true) : undefined}
        />
      )}
      {!departed && isPaused && <p className={styles["line"]}>{tLater("actions/paused")}</p>}
      {!departed && !isPaused && view.kept && <p className={styles["line"]}>{tLater("actions/kept")}</p>}
      {isReviewable && review.answer !== undefined && (
        <Buttons node={node} offered={offered} answer={review.answer} disabled={busy} saysNone={isReserved} onOpen={open} />
      )}
      {isReviewable && review.answer === undefined && review.problem !== undefined && isOfEnvironment(node) && (
        <p className={styles["line"]} data-actions={review.isDenied === true ? "off" : "not-known"}>
          {review.isDenied === true
            ? tLater("actions/note", { sentence: sentenceOf(review.problem) })
            : tLater("actions/what-you-may", { sentence: sentenceOf(review.problem) })}
        </p>
      )}
      {dialog !== undefined && Dialog !== undefined && (
        <Dialog
          of={of}
          node={node}
          intent={dialog.intent}
          isComplete={dialog.isComplete}
          review={review.answer}
          roleYaml={rights?.roleYaml ?? ""}
          actor={actor}
          attempt={attempt}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}

function Buttons(props: {
  readonly node: LiveNode;
  readonly offered: readonly OfferedAction[];
  readonly answer: ReviewActionsResponse;
  /** An action waits for its answer. */
  readonly disabled: boolean;
  readonly saysNone: boolean;
  readonly onOpen: (intent: ActionIntent, isComplete: boolean) => void;
}): ReactNode {
  const { node, offered, answer, disabled, saysNone, onOpen } = props;
  const group = useRef<HTMLDivElement>(null);
  useNodeRequests(ACTION_REQUESTS, node.id, (key) => {
    const buttons = [...(group.current?.querySelectorAll<HTMLElement>("button") ?? [])];
    const button = key === undefined ? buttons[0] : buttons.find(({ dataset }) => dataset["actionKey"] === key);
    button?.focus();
    if (key !== undefined) button?.click();
  });
  if (offered.length === 0) return saysNone ? <p className={styles["line"]}>{tLater("actions/none")}</p> : null;
  return (
    <div ref={group} className={styles["buttons"]} role="group" aria-label={tLater("actions/actions")} data-actions="offered">
      {offered.map((action) => {
        const texts = namesOf(action.kind);
        if (texts === undefined) return null;
        // What replaces its reverse has the same key, so that the focus stays when one becomes the other.
        const key = actionKeyOf({ ...action, kind: SWITCHES[action.kind] ?? action.kind });
        if (action.right !== ActionRight.ALLOWED) return <RefusedAction key={key} action={action} node={node} />;
        const open = (): void => onOpen(presentIntent(action, answer), !takesParameters(action.kind));
        return (
          <span key={key}>
            <button
              type="button"
              className="btn sm"
              aria-haspopup={action.kind === ActionKind.DEBUG_CONTAINER ? undefined : "dialog"}
              aria-disabled={disabled}
              data-action-kind={action.kind}
              data-action-key={actionKeyOf(action)}
              onClick={open}
            >
              {tLater(texts.button, { label: action.label })}
            </button>
            <ActionCommand action={action} node={node} run={open} />
          </span>
        );
      })}
    </div>
  );
}

/** The same in the command palette. */
function ActionCommand({
  action,
  node,
  run,
}: {
  readonly action: OfferedAction;
  readonly node: LiveNode;
  readonly run: () => void;
}): ReactNode {
  const { kind = "", name = "" } = node.ref ?? {};
  const text = tLater("actions/command", { action: rightedName(action), kind, name });
  useCommand(`action ${actionKeyOf(action)}`, text, run);
  return null;
}

/** Actions that take each other's place, by the one that switches something on. */
const SWITCHES: Readonly<Partial<Record<ActionKind, ActionKind>>> = {
  [ActionKind.RESUME]: ActionKind.PAUSE,
  [ActionKind.UNSUSPEND]: ActionKind.SUSPEND,
};

/** Both need the same right. */
function isSameRight(one: OfferedAction, other: ActionIntent): boolean {
  if (one.kind === ActionKind.TOOL) return one.toolAction === other.toolAction;
  return (SWITCHES[one.kind] ?? one.kind) === (SWITCHES[other.kind] ?? other.kind);
}

/** Why an action is not offered: the viewer may not, or it is not known whether they may. */
function rightWords({ right, words }: Pick<OfferedAction, "right" | "words">): string {
  const sentence = sentenceOf(messageText(words));
  return tLater(right === ActionRight.DENIED ? "actions/note" : "actions/not-known", { sentence });
}

/** What an action is called, with the mark of one that the viewer may not do or of which that is not known. */
function rightedName({ kind, label, right }: OfferedAction): string {
  const texts = namesOf(kind);
  const action = texts === undefined ? "" : tLater(texts.confirm, { label });
  if (right === ActionRight.ALLOWED) return action;
  return tLater(right === ActionRight.DENIED ? "actions/denied-name" : "actions/not-known-name", { action });
}

/** A button that does not act, since the viewer may not or that is not known. A press, or Enter, opens the reason and the missing Role. */
function RefusedAction({ action, node }: { readonly action: OfferedAction; readonly node: LiveNode }): ReactNode {
  const texts = namesOf(action.kind);
  if (texts === undefined) return null;
  const name = tLater(texts.confirm, { label: action.label });
  const isDenied = action.right === ActionRight.DENIED;
  return (
    <Popover
      title={rightedName(action)}
      hasHead
      align="start"
      className={styles["panel"]}
      renderButton={(props) => (
        <button
          {...props}
          className="btn sm"
          aria-disabled="true"
          aria-label={rightedName(action)}
          data-action-kind={action.kind}
          data-action-key={actionKeyOf(action)}
          data-action-right={isDenied ? "denied" : "not-known"}
        >
          <StateGlyph look={isDenied ? "locked" : "unknown"} size={12} />
          {name}
          {!isDenied && <span className={styles["mark"]}>{tLater("actions/not-known-mark")}</span>}
          <ActionCommand action={action} node={node} run={() => ACTION_REQUESTS.send(node.id, actionKeyOf(action))} />
        </button>
      )}
    >
      <div className={styles["why"]}>
        <p>{rightWords(action)}</p>
        <MissingRole yaml={action.roleYaml} />
      </div>
    </Popover>
  );
}
