import type {
  ActionParameters,
  ActionParametersSchema,
  MetadataEntrySchema,
  OfferedAction,
  ReviewActionsResponse,
} from "@binnacle/proto/dashboard";
import { ActionKind, ActionPropagation } from "@binnacle/proto/action-enums";
import type { WordsId } from "@binnacle/words";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { MetadataEntry } from "./label-syntax.ts";

/** An action with its parameters, before anything is sent. */
export interface ActionIntent {
  readonly kind: ActionKind;
  /** Of SCALE. */
  readonly replicas?: number;
  /** Of SET_IMAGE. */
  readonly container?: string;
  readonly image?: string;
  /** Of ROLL_BACK. */
  readonly revision?: bigint;
  /** Of SET_LIMITS. */
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  /** Of DELETE. */
  readonly propagation?: ActionPropagation;
  /** Of TOOL: its id, and the tool's own word for it, which an answer to a reverse does not have. */
  readonly toolAction?: string;
  readonly label?: string;
  /** Of CONSENT_PRUNE. */
  readonly commit?: string;
  /** Of PAUSE_SYNCS. */
  readonly reason?: string;
  /** Of EDIT: documents, and the version of the object that the first is of. */
  readonly base?: string;
  readonly edited?: string;
  readonly resourceVersion?: string;
  /** Of EDIT_LABELS: what is set and removed. */
  readonly entries?: readonly MetadataEntry[];
}

/** What an action is called. */
interface ActionNames {
  readonly button: WordsId;
  /** Confirms it, and names it where it is not offered as a button. */
  readonly confirm: WordsId;
}

/** What an action is called, also as the title of its dialog, while it goes on and when it is done. */
interface ActionTexts extends ActionNames {
  readonly title: WordsId;
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
    confirm: "ui/pause",
    inProgress: "actions/pausing",
    done: "actions/pause-done",
  },
  [ActionKind.RESUME]: {
    button: "actions/resume",
    title: "actions/resume-title",
    confirm: "ui/resume",
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
    button: "actions/resume",
    title: "actions/unsuspend-title",
    confirm: "ui/resume",
    inProgress: "actions/resuming",
    done: "actions/unsuspend-done",
  },
  [ActionKind.ROLL_BACK]: {
    button: "actions/roll-back",
    title: "actions/roll-back-title",
    confirm: "actions/roll-back-confirm",
    inProgress: "actions/rolling-out",
    done: "actions/roll-back-done",
  },
  [ActionKind.RUN_NOW]: {
    button: "actions/run-now",
    title: "actions/run-now-title",
    confirm: "actions/run-now-confirm",
    inProgress: "actions/running",
    done: "actions/created-job",
  },
  [ActionKind.RUN_AGAIN]: {
    button: "actions/run-again",
    title: "actions/run-again-title",
    confirm: "actions/run-again-confirm",
    inProgress: "actions/running",
    done: "actions/created-job",
  },
  [ActionKind.SET_LIMITS]: {
    button: "actions/set-limits",
    title: "actions/set-limits-title",
    confirm: "actions/set-limits-confirm",
    inProgress: "actions/scaling",
    done: "actions/set-limits-done",
  },
  [ActionKind.EVICT]: {
    button: "actions/evict",
    title: "actions/evict-title",
    confirm: "actions/evict-confirm",
    inProgress: "actions/evicting",
    done: "actions/evict-done",
  },
  [ActionKind.DELETE]: {
    button: "actions/delete",
    title: "actions/delete-title",
    confirm: "ui/delete",
    inProgress: "resource-detail/deleting",
    done: "actions/delete-done",
  },
  [ActionKind.TOOL]: {
    button: "actions/tool",
    title: "actions/tool-title",
    confirm: "actions/tool-label",
    inProgress: "actions/tool-label",
    done: "actions/tool-label",
  },
  [ActionKind.STOP]: {
    button: "actions/stop",
    title: "actions/stop-title",
    confirm: "actions/stop-confirm",
    inProgress: "actions/suspending",
    done: "actions/stop-done",
  },
  [ActionKind.SYNC]: {
    button: "actions/sync",
    title: "actions/sync-title",
    confirm: "actions/sync-confirm",
    inProgress: "actions/requesting",
    done: "actions/sync-done",
  },
  [ActionKind.PAUSE_SYNCS]: {
    button: "actions/pause-syncs",
    title: "actions/pause-syncs-title",
    confirm: "actions/pause-syncs-confirm",
    inProgress: "actions/requesting",
    done: "actions/pause-syncs-done",
  },
  [ActionKind.RESUME_SYNCS]: {
    button: "actions/resume-syncs",
    title: "actions/resume-syncs-title",
    confirm: "actions/resume-syncs-confirm",
    inProgress: "actions/requesting",
    done: "actions/resume-syncs-done",
  },
  [ActionKind.CONSENT_PRUNE]: {
    button: "actions/consent-prune",
    title: "actions/consent-prune-title",
    confirm: "actions/consent-prune-confirm",
    inProgress: "actions/requesting",
    done: "actions/consent-prune-done",
  },
  [ActionKind.EDIT]: {
    button: "actions/edit",
    title: "actions/edit-title",
    confirm: "actions/edit-name",
    inProgress: "actions/editing",
    done: "actions/edit-done",
  },
  [ActionKind.EDIT_LABELS]: {
    button: "actions/edit-labels",
    title: "actions/edit-labels-title",
    confirm: "actions/edit-labels-confirm",
    inProgress: "actions/requesting",
    done: "actions/edit-labels-done",
  },
};

/** Its dialog and its progress are in the terminal tab. */
const DEBUG_NAMES: ActionNames = { button: "actions/debug-container", confirm: "actions/debug-container-confirm" };

/** The texts of an action that has a dialog and a result here; `undefined` for any other. */
export function textsOf(kind: ActionKind): ActionTexts | undefined {
  return TEXTS[kind];
}

/** What an action is called; `undefined` for one that this page does not know. */
export function namesOf(kind: ActionKind): ActionNames | undefined {
  return kind === ActionKind.DEBUG_CONTAINER ? DEBUG_NAMES : TEXTS[kind];
}

/** Actions of an answer that this page knows, in the order of the server. */
export function knownActions({ actions }: Pick<ReviewActionsResponse, "actions">): readonly OfferedAction[] {
  return actions.filter(({ kind }) => namesOf(kind) !== undefined);
}

/** Names an action among those of a resource, which may have several of tools. */
export function actionKeyOf({ kind, toolAction = "" }: Pick<OfferedAction, "kind"> & { readonly toolAction?: string }): string {
  return toolAction === "" ? String(kind) : toolAction;
}

/** Whether an action asks for parameters. */
export function takesParameters(kind: ActionKind): boolean {
  return WITH_PARAMETERS.has(kind);
}

const WITH_PARAMETERS: ReadonlySet<ActionKind> = new Set([
  ActionKind.SCALE,
  ActionKind.SET_IMAGE,
  ActionKind.ROLL_BACK,
  ActionKind.SET_LIMITS,
  ActionKind.DELETE,
  ActionKind.PAUSE_SYNCS,
  ActionKind.EDIT,
  ActionKind.EDIT_LABELS,
]);

/** Whether all parameters of an action are choices that have a default: such a choice is previewed at once. */
export function hasOnlyChoices(kind: ActionKind): boolean {
  return kind === ActionKind.ROLL_BACK || kind === ActionKind.DELETE;
}

/** Whether an intent begins with a choice for all of its parameters: its first preview needs no input. */
export function hasAllChoices(intent: ActionIntent): boolean {
  return hasOnlyChoices(intent.kind) && Object.keys(parametersOf(intent)).length > 0;
}

/** Whether the resource is gone when the action is done. */
export function isRemoval(kind: ActionKind): boolean {
  return kind === ActionKind.EVICT || kind === ActionKind.DELETE;
}

/** Whether an action is done once it is written: no controller has to follow it. */
export function isDoneAtOnce(kind: ActionKind): boolean {
  return DONE_AT_ONCE.has(kind);
}

const DONE_AT_ONCE: ReadonlySet<ActionKind> = new Set([
  ActionKind.EDIT_LABELS,
  ActionKind.SYNC,
  ActionKind.PAUSE_SYNCS,
  ActionKind.RESUME_SYNCS,
  ActionKind.CONSENT_PRUNE,
]);

/** Whether the action creates another object and leaves its own as it is. */
export function isCreation(kind: ActionKind): boolean {
  return kind === ActionKind.RUN_NOW || kind === ActionKind.RUN_AGAIN;
}

/** An offered action with the values that the resource has now; the revision of a rollback is chosen once they are listed. */
export function presentIntent({ kind, toolAction, label }: OfferedAction, review: ReviewActionsResponse): ActionIntent {
  const { replicas, images, limits } = review;
  switch (kind) {
    case ActionKind.SCALE:
      return { kind, ...(replicas !== undefined && { replicas }) };
    case ActionKind.SET_IMAGE: {
      const [first] = images;
      return { kind, ...(first && { container: first.container, image: first.image }) };
    }
    case ActionKind.SET_LIMITS:
      return {
        kind,
        ...(limits?.minReplicas !== undefined && { minReplicas: limits.minReplicas }),
        ...(limits?.maxReplicas !== undefined && { maxReplicas: limits.maxReplicas }),
      };
    case ActionKind.DELETE:
      return { kind, propagation: ActionPropagation.BACKGROUND };
    case ActionKind.TOOL:
      return { kind, toolAction, label };
    case ActionKind.CONSENT_PRUNE:
      return { kind, commit: review.commit };
    default:
      return { kind };
  }
}

/** The parameters as they are sent. */
export function parametersOf(intent: ActionIntent): MessageInitShape<typeof ActionParametersSchema> {
  const { replicas, container, image, revision, minReplicas, maxReplicas, propagation, toolAction, commit, reason } = intent;
  const { base, edited, resourceVersion, entries } = intent;
  return {
    ...(base !== undefined && { base }),
    ...(edited !== undefined && { edited }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(replicas !== undefined && { replicas }),
    ...(container !== undefined && { container }),
    ...(image !== undefined && { image }),
    ...(revision !== undefined && { revision }),
    ...(minReplicas !== undefined && { minReplicas }),
    ...(maxReplicas !== undefined && { maxReplicas }),
    ...(propagation !== undefined && { propagation }),
    ...(toolAction !== undefined && { toolAction }),
    ...(commit !== undefined && { commit }),
    ...(reason !== undefined && { reason }),
    ...(entries !== undefined && { entries: entries.map(toEntry) }),
  };
}

function toEntry({ annotation, key, value }: MetadataEntry): MessageInitShape<typeof MetadataEntrySchema> {
  return { annotation, key, ...(value !== undefined && { value }) };
}

/** What an answer names as the reverse of an action. */
export function intentOf(kind: ActionKind, parameters: ActionParameters | undefined): ActionIntent {
  const { replicas, container = "", image = "", revision, minReplicas, maxReplicas, toolAction = "", reason = "" } = parameters ?? {};
  const { base = "", edited = "", entries = [] } = parameters ?? {};
  return {
    kind,
    ...(base !== "" && { base }),
    ...(edited !== "" && { edited }),
    ...(entries.length > 0 && { entries }),
    ...(replicas !== undefined && { replicas }),
    ...(container !== "" && { container }),
    ...(image !== "" && { image }),
    ...(revision !== undefined && { revision }),
    ...(minReplicas !== undefined && { minReplicas }),
    ...(maxReplicas !== undefined && { maxReplicas }),
    ...(reason !== "" && { reason }),
    ...(toolAction !== "" && { toolAction, label: toolAction.slice(toolAction.indexOf("/") + 1) }),
  };
}
