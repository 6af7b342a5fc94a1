import type { ActionParameters, ReviewActionsResponse } from "@binnacle/proto/dashboard";
import { ActionKind, ActionRight } from "@binnacle/proto/action-enums";
import { randomId } from "../../ui/random-id.ts";
import { messageText, tLater } from "../../ui/messages.ts";
import { sentenceOfError } from "../queries/request-error.ts";
import { loadDashboard } from "../live/load-dashboard.ts";
import type { LiveNode } from "../live/live-node.ts";
import type { ActionIntent } from "./action-intent.ts";
import { actionsOfKind, type ActionOfKind } from "./actions-of-kinds.ts";
import { begin, confirmedOf, REQUEST_ID_BYTES } from "./action-attempt.ts";
import { actionResults, type ResultIdentity } from "./action-results.ts";
import { markOf } from "./follow-action.ts";
import { checkLater, previewOf, sendAction } from "./use-action-calls.ts";

/** More than this at once is a mistake, or work for a script. */
export const MAX_MANY = 100;
/** An agent has few tunnels, and an API server other callers. */
const AT_ONCE = 4;
const LIMIT_MS = 20_000;

/**
 * Numbers of the actions that many resources can have at once, in the order of a menu. `undefined`: its parameters are those of one resource, or it creates an
 * object, and is for one resource at a time.
 */
const MANY_KINDS: Readonly<Record<ActionOfKind, ActionKind | undefined>> = {
  restart: ActionKind.RESTART,
  pause: ActionKind.PAUSE,
  resume: ActionKind.RESUME,
  suspend: ActionKind.SUSPEND,
  unsuspend: ActionKind.UNSUSPEND,
  evict: ActionKind.EVICT,
  stop: ActionKind.STOP,
  scale: ActionKind.SCALE,
  "set-image": ActionKind.SET_IMAGE,
  "roll-back": undefined,
  "run-now": undefined,
  "run-again": undefined,
  "set-limits": undefined,
};

/** The image of a container. */
export type ContainerImage = Pick<ActionParameters, "container" | "image">;

/** One resource of many: `why` is a sentence. */
export type ManyItem =
  /** The server is queried for the viewer's permissions. */
  | { readonly kind: "reviewing" }
  /** `uid`: of the object that was reviewed. `images`: of its containers, where the action is SET_IMAGE. `needsName`: its name has to be typed. */
  | { readonly kind: "allowed"; readonly uid: string; readonly images?: readonly ContainerImage[]; readonly needsName?: boolean }
  | { readonly kind: "denied"; readonly why: string; readonly roleYaml: string }
  | { readonly kind: "not-known"; readonly why: string }
  /** It does not have the action as it is now: it is paused already. */
  | { readonly kind: "not-offered" }
  | { readonly kind: "queued" }
  /** The dry run is under way. */
  | { readonly kind: "preview" }
  /** Nothing was sent: the dry run was refused, or failed. */
  | { readonly kind: "not-sent"; readonly why: string }
  /** The field has the value already. */
  | { readonly kind: "nothing" }
  /** What became of it is in the results of the page. */
  | { readonly kind: "sent"; readonly requestId: string }
  /** It was stopped before this one had begun. */
  | { readonly kind: "stopped" };

/** The actions that some of these resources may have, in the order of a menu. */
export function manyKinds(nodes: readonly Pick<LiveNode, "ref">[]): readonly ActionKind[] {
  const found = new Set(nodes.flatMap((node) => kindsOf(node)));
  return [...Object.values(MANY_KINDS), ActionKind.DELETE].flatMap((kind) => (kind !== undefined && found.has(kind) ? [kind] : []));
}

/** The resources whose kind has an action. */
export function nodesWith<Node extends Pick<LiveNode, "ref">>(nodes: readonly Node[], kind: ActionKind): readonly Node[] {
  return nodes.filter((node) => kindsOf(node).includes(kind));
}

/** Every kind can be deleted. */
function kindsOf({ ref }: Pick<LiveNode, "ref">): readonly ActionKind[] {
  if (ref === undefined) return [];
  return [...(actionsOfKind(ref) ?? []).flatMap((name) => MANY_KINDS[name] ?? []), ActionKind.DELETE];
}

/** Works on items in their order, at most four at a time. @param work must not reject @param signal of an aborted one nothing more is begun */
export async function runPaced<Item>(items: readonly Item[], work: (item: Item) => Promise<void>, signal: AbortSignal): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (signal.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** What a review says of one action. */
export function reviewedItem(
  { actions, images, uid }: Pick<ReviewActionsResponse, "actions" | "images" | "uid">,
  kind: ActionKind,
): ManyItem {
  const offered = actions.find((action) => action.kind === kind);
  if (offered === undefined) return { kind: "not-offered" };
  const { right, words, roleYaml, needsName } = offered;
  if (right === ActionRight.ALLOWED) {
    return { kind: "allowed", uid, ...(kind === ActionKind.SET_IMAGE && { images }), ...(needsName && { needsName }) };
  }
  return right === ActionRight.DENIED
    ? { kind: "denied", why: messageText(words), roleYaml }
    : { kind: "not-known", why: messageText(words) };
}

/** One resource of a run. */
export interface ManyTarget {
  readonly of: ResultIdentity;
  readonly node: LiveNode;
}

/** Asks what the viewer may do to one resource. A question that fails is an answer, too. */
export async function reviewItem({ of, node }: ManyTarget, kind: ActionKind, signal: AbortSignal): Promise<ManyItem> {
  try {
    const question = { target: targetOf({ of, node }) };
    return reviewedItem(await (await loadDashboard()).reviewActions(question, { signal, timeoutMs: LIMIT_MS }), kind);
  } catch (error) {
    return { kind: "not-known", why: sentenceOfError(error) ?? "" };
  }
}

/** Containers that all resources have which may have the action, by name, with the image of the first resource; none where there is no such resource. */
export function sharedContainers(items: Iterable<ManyItem>): readonly ContainerImage[] {
  const lists = [...items].flatMap((item) => (item.kind === "allowed" ? [item.images ?? []] : []));
  const [first = [], ...others] = lists;
  return first.filter(({ container }) => others.every((list) => list.some((image) => image.container === container)));
}

/** Names that have to be typed, each once. */
export function namesNeeded(targets: readonly { readonly name: string; readonly item: ManyItem | undefined }[]): readonly string[] {
  return [...new Set(targets.flatMap(({ name, item }) => (item?.kind === "allowed" && item.needsName === true ? [name] : [])))];
}

/** Whether an action has the parameters that it needs; the server judges their values. */
export function isWhole({ kind, replicas, container, image = "" }: ActionIntent): boolean {
  if (kind === ActionKind.SCALE) return replicas !== undefined;
  return kind !== ActionKind.SET_IMAGE || (container !== undefined && image !== "");
}

/** A confirmed action on one of many. */
export interface ManyAction {
  readonly intent: ActionIntent;
  /** Of the object that was reviewed: another one of its name is left alone. */
  readonly uid: string;
  /** Names that the viewer has typed. */
  readonly typed: ReadonlySet<string>;
  /** How it is previewed and sent. Default: by the page's client. */
  readonly calls?: { readonly preview: typeof previewOf; readonly send: typeof sendAction };
}

/**
 * Previews the action on one resource and sends it, once. What becomes of it is in the results of the page. @param tell the states on the way
 */
export async function actOnItem(item: ManyTarget, action: ManyAction, tell: (state: ManyItem) => void): Promise<void> {
  const { of, node } = item;
  const { intent, uid, typed, calls = { preview: previewOf, send: sendAction } } = action;
  const target = targetOf(item);
  const name = node.ref?.name ?? "";
  const requestId = randomId(REQUEST_ID_BYTES);
  tell({ kind: "preview" });
  try {
    const preview = await calls.preview(target, { intent, requestId });
    if (preview.refused !== undefined) return tell({ kind: "not-sent", why: messageText(preview.refused) });
    if (preview.uid !== uid) return tell({ kind: "not-sent", why: tLater("actions/many-replaced") });
    if (preview.needsName && !typed.has(name)) return tell({ kind: "not-sent", why: tLater("actions/many-needs-name") });
    const confirmed = confirmedOf(preview, { intent, mark: markOf(node), target, requestId, typedName: typed.has(name) ? name : "" });
    if (confirmed === undefined) return tell({ kind: "nothing" });
    const attempt = begin(actionResults.get(of), { ...confirmed, isOneOfMany: true });
    if (attempt === undefined) return tell({ kind: "not-sent", why: tLater("actions/many-busy") });
    actionResults.set(of, attempt);
    tell({ kind: "sent", requestId });
    actionResults.update(of, requestId, await calls.send(attempt.action));
    checkLater(of);
  } catch (error) {
    tell({ kind: "not-sent", why: sentenceOfError(error) ?? "" });
  }
}

/** The Roles that are missing, each once, as one YAML text. */
export function missingRoles(items: Iterable<ManyItem>): readonly string[] {
  return [...new Set([...items].flatMap((item) => (item.kind === "denied" && item.roleYaml !== "" ? [item.roleYaml] : [])))];
}

function targetOf({ of: { projectPath, environment }, node: { ref } }: ManyTarget) {
  return { projectPath, environment, ...(ref && { ref }) };
}
