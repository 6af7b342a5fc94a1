import type { KubeObject } from "@binnacle/kube";
import {
  ActionKind,
  type ActionFieldSchema,
  type ActionParametersSchema,
  type ActionParameters as SentParameters,
  type ActionTarget,
} from "@binnacle/proto/dashboard";
import { Fault } from "@binnacle/rpc";
import { words } from "@binnacle/words";
import type { MessageInitShape } from "@bufbuild/protobuf";

import type { BffContext } from "../bff-context.ts";
import { withResource, type OpenResource } from "../resource/with-resource.ts";
import { SaidFault } from "../said-fault.ts";
import type { ViewerAccess } from "../session/viewer-access.ts";
import type { ActionField, ActionName, ActionParameters } from "./action-plan.ts";
import { levelOf } from "../config/features.ts";

/** An API server answers sooner; kas waits this long for an agent that is not there. */
const LIMIT_MS = 30_000;

const NAMES: Readonly<Record<ActionKind, ActionName | undefined>> = {
  [ActionKind.UNSPECIFIED]: undefined,
  [ActionKind.RESTART]: "restart",
  [ActionKind.SCALE]: "scale",
  [ActionKind.SET_IMAGE]: "set-image",
  [ActionKind.PAUSE]: "pause",
  [ActionKind.RESUME]: "resume",
  [ActionKind.SUSPEND]: "suspend",
  [ActionKind.UNSUSPEND]: "unsuspend",
};
/** Numbers of actions on the wire. */
export const KINDS = {
  restart: ActionKind.RESTART,
  scale: ActionKind.SCALE,
  "set-image": ActionKind.SET_IMAGE,
  pause: ActionKind.PAUSE,
  resume: ActionKind.RESUME,
  suspend: ActionKind.SUSPEND,
  unsuspend: ActionKind.UNSUSPEND,
} as const satisfies Record<ActionName, ActionKind>;

/** Who asks for an action on which resource. */
export interface ActionQuestion {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly target: ActionTarget | undefined;
  readonly signal: AbortSignal;
}

/** A resource as the viewer reads it now, with the uid that every object of an API server has. */
export interface ActionResource extends OpenResource {
  readonly uid: string;
  readonly object: KubeObject;
}

/**
 * Opens a resource for actions.
 *
 * @throws Fault as `withResource`; `environment_forbidden` where actions are switched off, before the cluster is asked for anything but the object
 */
export async function withActionResource<T>(
  context: BffContext,
  { viewerAccess, target, signal }: ActionQuestion,
  work: (resource: ActionResource) => Promise<T>,
): Promise<T> {
  if (target === undefined) throw new Fault("invalid_request", "the resource is not named");
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  return withResource(context, { viewerAccess, request: target, signal: inTime }, async (resource) => {
    const { environment, object } = resource;
    if (levelOf(context.features, environment.tier) === "off")
      throw new SaidFault("environment_forbidden", words("action/off", { environment: environment.name }));
    const { uid } = object.metadata;
    if (uid === undefined) throw new SaidFault("cluster_unavailable", words("answer/not-of-api"));
    return work({ ...resource, uid });
  });
}

/** @throws Fault `invalid_request` for one that is not known here */
export function nameOf(kind: ActionKind): ActionName {
  const name = NAMES[kind];
  if (name === undefined) throw new Fault("invalid_request", "this action is not known");
  return name;
}

/** Only the parameters of an action. @throws Fault `invalid_request` for those of another */
export function parametersOf(name: ActionName, sent: SentParameters | undefined): ActionParameters {
  const { replicas, container = "", image = "" } = sent ?? {};
  if (name !== "scale" && replicas !== undefined) throw new Fault("invalid_request", `${name} takes no number of replicas`);
  if (name !== "set-image" && (container !== "" || image !== "")) throw new Fault("invalid_request", `${name} takes no image`);
  return { replicas, container, image };
}

/** A field as it is sent. */
export function toField({ path, before, after }: ActionField): MessageInitShape<typeof ActionFieldSchema> {
  return { path, after, ...(before !== undefined && { before }) };
}

/** Parameters as they are sent. */
export function toParameters({ replicas, container = "", image = "" }: ActionParameters): MessageInitShape<typeof ActionParametersSchema> {
  return { container, image, ...(replicas !== undefined && { replicas }) };
}
