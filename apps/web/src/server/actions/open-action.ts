import { KubeClientError, type ActionOutcome } from "@binnacle/environment-view";
import {
  ActionKind,
  ActionPropagation,
  type ActionFieldSchema,
  type ActionParametersSchema,
  type MetadataEntrySchema,
  type ActionParameters as SentParameters,
  type ActionTarget,
} from "@binnacle/proto/dashboard";
import { Fault } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";
import type { MessageInitShape } from "@bufbuild/protobuf";

import { isProduction, levelOf, type ActionLevel, type Features } from "../config/features.ts";
import type { ShownSync } from "../delivery/agent-syncs.ts";
import { isMarked, syncOf } from "../delivery/find-sync.ts";
import type { SyncsContext } from "../syncs/gitops-syncs.ts";
import { namedResource, type NamedResource } from "../resource/named-resource.ts";
import { isInScope, openEnvironment, requireInScope, type OpenEnvironment } from "../environment/open-environment.ts";
import { readResource, type OpenResource, type ResourceContext } from "../resource/with-resource.ts";
import { MessageFault } from "../base/message-fault.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { actAsViewer, type ActingContext } from "../authors/act-as-viewer.ts";
import type { MetadataEntry } from "../../features/actions/label-syntax.ts";
import { isDestructive, isWithin } from "../action-plans/action-catalogue.ts";
import type { ActionField, ActionName, ActionParameters, ActionPlan, PlannedObject, Propagation } from "../action-plans/action-plan.ts";

/** What resources are opened for actions with. */
export interface ActionContext extends ResourceContext, SyncsContext {
  /** What the operator allows viewers to do. */
  readonly features: Features;
}

/** An API server answers sooner; kas waits this long for an agent that is not there. */
const LIMIT_MS = 30_000;

/** Numbers of actions on the wire. */
export const KINDS = {
  restart: ActionKind.RESTART,
  scale: ActionKind.SCALE,
  "set-image": ActionKind.SET_IMAGE,
  pause: ActionKind.PAUSE,
  resume: ActionKind.RESUME,
  suspend: ActionKind.SUSPEND,
  unsuspend: ActionKind.UNSUSPEND,
  "roll-back": ActionKind.ROLL_BACK,
  "run-now": ActionKind.RUN_NOW,
  "run-again": ActionKind.RUN_AGAIN,
  "set-limits": ActionKind.SET_LIMITS,
  evict: ActionKind.EVICT,
  delete: ActionKind.DELETE,
  tool: ActionKind.TOOL,
  stop: ActionKind.STOP,
  sync: ActionKind.SYNC,
  "pause-syncs": ActionKind.PAUSE_SYNCS,
  "resume-syncs": ActionKind.RESUME_SYNCS,
  "consent-prune": ActionKind.CONSENT_PRUNE,
  edit: ActionKind.EDIT,
  "edit-labels": ActionKind.EDIT_LABELS,
} as const satisfies Record<ActionName, ActionKind>;

const NAMES: ReadonlyMap<ActionKind, ActionName> = new Map(
  // The keys of KINDS are the names of actions.
  (Object.keys(KINDS) as ActionName[]).map((name) => [KINDS[name], name]),
);

/** The viewer and the resource of a call. */
export interface ActionQuestion {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly target: ActionTarget | undefined;
  readonly signal: AbortSignal;
  /** The inventory of a sync of the environment is opened too, in whichever namespace it is. Default: no. */
  readonly mayBeInventory?: boolean;
}

/** A resource as the viewer reads it now. */
export interface ActionResource extends OpenResource {
  /** Every object of an API server has one. */
  readonly uid: string;
  /** Absent: it is not the inventory of a sync. */
  readonly sync: ShownSync | undefined;
  /** Ends what is requested for the action: the caller has left, or the time is up. */
  readonly signal: AbortSignal;
}

/** A resource in an environment that has actions, before anything of it is read. */
export interface OpenAction extends NamedResource {
  readonly opened: OpenEnvironment;
  /** Never `off`. */
  readonly level: ActionLevel;
  /** The sync whose inventory this seems to be. */
  readonly sync: ShownSync | undefined;
  readonly signal: AbortSignal;
}

/** Opens a resource for actions; no request is sent to the cluster. @throws Fault as `openEnvironment`; `environment_forbidden` where actions are switched off */
export async function openAction(context: ActionContext, question: ActionQuestion): Promise<OpenAction> {
  const { viewerAccess, target, signal } = question;
  if (target === undefined) throw new Fault("invalid_request", "the resource is not named");
  const named = namedResource(target.ref);
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  const { projectPath, environment, ref } = target;
  const mayBeInventory = question.mayBeInventory === true && named.kind.group === "" && named.kind.resource === "configmaps";
  const request = { projectPath, environment, ...(!mayBeInventory && { ref }) };
  const opened = await openEnvironment(context, { viewerAccess, request, signal: inTime });
  const level = levelOf(context.features, opened.environment.tier);
  if (level === "off") throw new MessageFault("environment_forbidden", words("action/off", { environment: opened.environment.name }));
  const sync = mayBeInventory ? await inventorySync(context, opened, named) : undefined;
  return { ...named, opened, level, sync, signal: inTime };
}

/** The sync that a ConfigMap is the inventory of; `undefined` for any other of the environment. @throws Fault as `syncOf` for one of another namespace */
async function inventorySync(context: SyncsContext, opened: OpenEnvironment, { ref }: NamedResource): Promise<ShownSync | undefined> {
  try {
    return await syncOf(context, opened, ref);
  } catch (error) {
    if (!(error instanceof Fault) || !isInScope(ref, opened.scope)) throw error;
    return undefined;
  }
}

/** Reads the resource as the viewer and does something with it. @throws Fault as `withResource` */
export function readAction<T>(context: ResourceContext, action: OpenAction, work: (resource: ActionResource) => Promise<T>): Promise<T> {
  const { signal } = action;
  return readResource(context, action, async (resource) => {
    const { uid } = resource.object.metadata;
    if (uid === undefined) throw new MessageFault("cluster_unavailable", words("answer/not-of-api"));
    const sync = action.sync !== undefined && isMarked(resource.object, action.sync.inventoryId) ? action.sync : undefined;
    if (sync === undefined) requireInScope(resource.ref, resource.scope, resource.environment.name);
    return work({ ...resource, uid, sync, signal });
  });
}

/** Opens and reads a resource for actions. @throws Fault as `openAction` and `readAction` */
export async function withActionResource<T>(
  context: ActionContext,
  question: ActionQuestion,
  work: (resource: ActionResource) => Promise<T>,
): Promise<T> {
  return readAction(context, await openAction(context, question), work);
}

/** Sends a plan once, or as a dry run. @throws KubeClientError before anything was sent, when the viewer's identity cannot be read */
export function sendPlan(
  context: ActingContext,
  resource: ActionResource,
  sent: { readonly plan: ActionPlan; readonly name: ActionName; readonly requestId?: string; readonly dryRun: boolean },
): Promise<ActionOutcome> {
  const { plan, name, requestId, dryRun } = sent;
  const { target, change } = plan;
  const purpose = { action: name, ...(requestId !== undefined && { request_id: requestId }) };
  return actAsViewer(context, resource, { name, target, change, dryRun, purpose, signal: resource.signal });
}

/** @throws Fault `invalid_request` for one that is not known here */
export function nameOf(kind: ActionKind): ActionName {
  const name = NAMES.get(kind);
  if (name === undefined) throw new Fault("invalid_request", "this action is not known");
  return name;
}

/** Parameters that each action takes. */
const TAKEN: Readonly<Record<ActionName, readonly (keyof ActionParameters)[]>> = {
  restart: [],
  scale: ["replicas"],
  "set-image": ["container", "image"],
  "roll-back": ["revision"],
  pause: [],
  resume: [],
  suspend: [],
  unsuspend: [],
  "run-now": [],
  "run-again": [],
  "set-limits": ["minReplicas", "maxReplicas"],
  evict: [],
  delete: ["propagation"],
  tool: ["toolAction"],
  stop: [],
  sync: [],
  "pause-syncs": ["reason"],
  "resume-syncs": [],
  "consent-prune": ["commit"],
  edit: ["base", "edited", "resourceVersion"],
  "edit-labels": ["entries"],
};

const PROPAGATIONS: ReadonlyMap<ActionPropagation, Propagation> = new Map([
  [ActionPropagation.BACKGROUND, "Background"],
  [ActionPropagation.FOREGROUND, "Foreground"],
  [ActionPropagation.ORPHAN, "Orphan"],
]);

/** proto3 has no absent text: an empty one is none. */
function given(text: string): string | undefined {
  return text === "" ? undefined : text;
}

/** Only the parameters of an action. @throws Fault `invalid_request` for those of another */
export function parametersOf(name: ActionName, sent: SentParameters | undefined): ActionParameters {
  if (sent === undefined) return {};
  const { replicas, revision, minReplicas, maxReplicas } = sent;
  const propagation = PROPAGATIONS.get(sent.propagation);
  const parameters: ActionParameters = {
    replicas,
    container: given(sent.container),
    image: given(sent.image),
    revision,
    minReplicas,
    maxReplicas,
    propagation,
    toolAction: given(sent.toolAction),
    commit: given(sent.commit),
    reason: given(sent.reason),
    base: given(sent.base),
    edited: given(sent.edited),
    resourceVersion: given(sent.resourceVersion),
    entries: sent.entries.length === 0 ? undefined : sent.entries.map(({ annotation, key, value }) => ({ annotation, key, value })),
  };
  for (const key of Object.keys(parameters) as (keyof ActionParameters)[])
    if (parameters[key] !== undefined && !TAKEN[name].includes(key))
      throw new Fault("invalid_request", `${name} takes no parameter ${key}`);
  return parameters;
}

/** What an action is planned for. */
export function plannedObjectOf({ kind, object, access, sync, signal }: ActionResource): PlannedObject {
  return { kind, object, client: access.client, sync, signal };
}

/** Why the operator does not allow an action on this object; `undefined`: it is allowed. */
export function levelRefusal({ features }: Pick<ActionContext, "features">, resource: ActionResource, name: ActionName): Words | undefined {
  const { environment, object } = resource;
  if (isWithin(levelOf(features, environment.tier), name, object)) return undefined;
  return words("action/not-in-level", { environment: environment.name });
}

/**
 * Whether the viewer must type the name of the object: something is destroyed, and the tier is production or not known; or what all of the cluster
 * shares is deleted, such as a Node or a Namespace with all that it contains.
 */
export function needsName({ environment, object, kind }: ActionResource, name: ActionName): boolean {
  return (isProduction(environment.tier) && isDestructive(name, object)) || (name === "delete" && !kind.namespaced);
}

/** A field as it is sent. */
export function toField({ path, before, after }: ActionField): MessageInitShape<typeof ActionFieldSchema> {
  return { path, after, ...(before !== undefined && { before }) };
}

/** Parameters as they are sent. */
export function toParameters(parameters: ActionParameters): MessageInitShape<typeof ActionParametersSchema> {
  const { replicas, container = "", image = "", revision, minReplicas, maxReplicas, toolAction = "" } = parameters;
  const { commit = "", reason = "", base = "", edited = "", resourceVersion = "", entries = [] } = parameters;
  return {
    container,
    image,
    toolAction,
    commit,
    reason,
    base,
    edited,
    resourceVersion,
    entries: entries.map(toEntry),
    ...(replicas !== undefined && { replicas }),
    ...(revision !== undefined && { revision }),
    ...(minReplicas !== undefined && { minReplicas }),
    ...(maxReplicas !== undefined && { maxReplicas }),
  };
}

/** A label or an annotation as it is sent. */
export function toEntry({ annotation, key, value }: MetadataEntry): MessageInitShape<typeof MetadataEntrySchema> {
  return { annotation, key, ...(value !== undefined && { value }) };
}

/** Whether the object with its uid is gone when it is done. */
export function isRemoval(name: ActionName): boolean {
  return name === "evict" || name === "delete";
}

/** Whether a removal failed because the cluster has no such object any more. */
export function isGone(error: unknown, name: ActionName): error is Fault & { readonly cause: KubeClientError } {
  return error instanceof Fault && error.reason === "not_found" && isRemoval(name) && error.cause instanceof KubeClientError;
}
