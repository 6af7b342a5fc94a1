import type { ActionParametersSchema, OfferedAction, ReviewActionsResponse } from "@binnacle/proto/dashboard";
import { ActionKind } from "@binnacle/proto/dashboard-enums";
import type { WordsId } from "@binnacle/words";
import type { MessageInitShape } from "@bufbuild/protobuf";

/** An action with its parameters, before anything is sent. */
export interface ActionIntent {
  readonly kind: ActionKind;
  /** Of SCALE. */
  readonly replicas?: number;
  /** Of SET_IMAGE. */
  readonly container?: string;
  readonly image?: string;
}

/** What an action is called in a button, as the title of its dialog, while it goes on and when it is done. */
interface ActionTexts {
  readonly button: WordsId;
  readonly title: WordsId;
  /** Confirms it. */
  readonly confirm: WordsId;
  readonly inProgress: WordsId;
  /** Facts: `before`, `after` of its field, `container`. */
  readonly done: WordsId;
}

const TEXTS: Readonly<Partial<Record<ActionKind, ActionTexts>>> = {
  [ActionKind.RESTART]: {
    button: "actions/restart",
    title: "actions/restart-title",
    confirm: "actions/restart-confirm",
    inProgress: "actions/rolling-out",
    done: "actions/restart-done",
  },
  [ActionKind.SCALE]: {
    button: "actions/scale",
    title: "actions/scale-title",
    confirm: "actions/scale-confirm",
    inProgress: "actions/scaling",
    done: "actions/scale-done",
  },
  [ActionKind.SET_IMAGE]: {
    button: "actions/set-image",
    title: "actions/set-image-title",
    confirm: "actions/set-image-confirm",
    inProgress: "actions/rolling-out",
    done: "actions/set-image-done",
  },
  [ActionKind.PAUSE]: {
    button: "actions/pause",
    title: "actions/pause-title",
    confirm: "actions/pause-confirm",
    inProgress: "actions/pausing",
    done: "actions/pause-done",
  },
  [ActionKind.RESUME]: {
    button: "actions/resume",
    title: "actions/resume-title",
    confirm: "actions/resume-confirm",
    inProgress: "actions/rolling-out",
    done: "actions/resume-done",
  },
  [ActionKind.SUSPEND]: {
    button: "actions/suspend",
    title: "actions/suspend-title",
    confirm: "actions/suspend-confirm",
    inProgress: "actions/suspending",
    done: "actions/suspend-done",
  },
  [ActionKind.UNSUSPEND]: {
    button: "actions/unsuspend",
    title: "actions/unsuspend-title",
    confirm: "actions/unsuspend-confirm",
    inProgress: "actions/resuming",
    done: "actions/unsuspend-done",
  },
};

/** What an action is called; `undefined` for one that this page does not know. */
export function textsOf(kind: ActionKind): ActionTexts | undefined {
  return TEXTS[kind];
}

/** Actions of an answer that this page knows, in the order of the server. */
export function knownActions({ actions }: Pick<ReviewActionsResponse, "actions">): readonly OfferedAction[] {
  return actions.filter(({ kind }) => textsOf(kind) !== undefined);
}

/** Whether an action asks for parameters. */
export function takesParameters(kind: ActionKind): boolean {
  return kind === ActionKind.SCALE || kind === ActionKind.SET_IMAGE;
}

/** The action with the values that the resource has now. */
export function presentIntent(kind: ActionKind, { replicas, images }: Pick<ReviewActionsResponse, "replicas" | "images">): ActionIntent {
  if (kind === ActionKind.SCALE) return { kind, ...(replicas !== undefined && { replicas }) };
  const [first] = images;
  return kind === ActionKind.SET_IMAGE && first !== undefined ? { kind, container: first.container, image: first.image } : { kind };
}

/** The parameters as they are sent. */
export function parametersOf({ replicas, container = "", image = "" }: ActionIntent): MessageInitShape<typeof ActionParametersSchema> {
  return { container, image, ...(replicas !== undefined && { replicas }) };
}
