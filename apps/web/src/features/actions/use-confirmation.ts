import { useEffect, useEffectEvent, useState } from "react";
import { randomId } from "../../ui/random-id.ts";
import { confirmedOf, isUnderWay, REQUEST_ID_BYTES, type Attempt } from "./action-attempt.ts";
import type { ActionDialogProps } from "./action-dialog.tsx";
import type { ActionIntent } from "./action-intent.ts";
import { markOf } from "./follow-action.ts";
import { useActionPreview, type ActionPreview } from "./use-action-calls.ts";

/** An action from its preview to what became of it. */
export interface Confirmation {
  /** What it would do, as far as that has come. */
  readonly previewState: Omit<ActionPreview, "preview" | "reset">;
  /** Previews an intent, as a request of its own. */
  readonly preview: (intent: ActionIntent) => void;
  /** Back to where nothing is previewed. */
  readonly reset: () => void;
  /** What became of the request that is previewed; absent until it is confirmed. */
  readonly own: Attempt | undefined;
  /** An answer has come, or it is not known. */
  readonly isEnded: boolean;
  /** The name is to be typed: a confirmation that a habit does not give. */
  readonly needsName: boolean;
  readonly typedName: string;
  readonly setTypedName: (name: string) => void;
  /** Sends it, once; absent where there is nothing to send. */
  readonly confirm: (() => void) | undefined;
}

/**
 * The one way of a dialog from an intent to a request. Each preview is a request with an id of its own: what was confirmed once is never sent as
 * another request, however often it is pressed. The dialog closes when the request is written.
 */
export function useConfirmation({ of, node, actor, attempt, onClose }: ActionDialogProps): Confirmation {
  const { projectPath, environment } = of;
  const target = { projectPath, environment, ...(node.ref && { ref: node.ref }) };
  const { preview, reset, ...previewState } = useActionPreview(target);
  const { question, answer } = previewState;
  const [typedName, setTypedName] = useState("");
  const own = question !== undefined && attempt?.action.request.requestId === question.requestId ? attempt : undefined;
  const isWritten = own?.state.kind === "written";
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (isWritten) close();
  }, [isWritten]);
  const confirmed = answer && question && confirmedOf(answer, { ...question, mark: markOf(node), target, typedName: typedName.trim() });
  return {
    previewState,
    preview: (intent) => preview({ intent, requestId: randomId(REQUEST_ID_BYTES) }),
    reset,
    own,
    isEnded: own !== undefined && !isUnderWay(own),
    needsName: answer?.needsName === true && answer.refused === undefined && own === undefined,
    typedName,
    setTypedName,
    confirm: confirmed === undefined || own !== undefined ? undefined : () => actor.confirm(confirmed),
  };
}
