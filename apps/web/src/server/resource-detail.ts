import { apiCodeOf, KubeClientError } from "@binnacle/environment-view";
import { listPath, maskSecret, parseObjectList, trimObject, type KubeObject, type ResourceKind } from "@binnacle/kube";
import {
  ConditionSchema,
  GetResourceResponseSchema,
  ResourceEventSchema,
  ResourceRefSchema,
  type Condition,
  type GetResourceRequest,
  type GetResourceResponse,
  type ResourceEvent,
} from "@binnacle/proto/dashboard";
import { Fault } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";
import { stringify } from "yaml";

import { environmentPath } from "../features/environments/route-path.ts";
import { hasAgent, openKasAccess, type BffContext } from "./bff-context.ts";
import { queryEnvironment } from "./environment-query.ts";
import type { KasKubeClient } from "./kas-kube-client.ts";
import { agentForbidden } from "./problem.ts";
import { sessionEnded } from "./session-ended.ts";
import { whyRefused } from "./subscriber-proof.ts";
import { toTimestamp } from "./wire-fields.ts";
import type { ViewerAccess } from "./viewer-access.ts";

const MOST_EVENTS = 200;
const EVENTS: ResourceKind = {
  group: "",
  version: "v1",
  kind: "Event",
  resource: "events",
  namespaced: true,
  verbs: [],
  subresources: [],
  shortNames: [],
};

/**
 * One resource in full, read now and with the viewer's own credential.
 *
 * @throws Fault `session_ended`, `not_found`, `agent_forbidden`, `environment_forbidden`, `cluster_unavailable`
 */
export async function getResource(
  context: BffContext,
  { viewerAccess, request }: { readonly viewerAccess: ViewerAccess | undefined; readonly request: GetResourceRequest },
  signal: AbortSignal,
): Promise<GetResourceResponse> {
  const { ref, projectPath } = request;
  if (!ref || ref.resource === "" || ref.name === "" || ref.version === "") throw new Fault("invalid_request", "the resource is not named");
  if (!viewerAccess) throw sessionEnded();
  const { viewer, environment } = await queryEnvironment(viewerAccess, { projectPath, environment: request.environment }, signal);
  if (!hasAgent(environment)) throw new Fault("not_found", "No Kubernetes agent is connected to this environment.");
  if (environment.namespace !== "" && ref.namespace !== environment.namespace) {
    throw new Fault("not_found", `The resource is not in the namespace of ${environment.name}.`);
  }
  const access = openKasAccess(context, viewerAccess, environment);
  const kind: ResourceKind = {
    ...EVENTS,
    group: ref.group,
    version: ref.version,
    kind: ref.kind,
    resource: ref.resource,
    namespaced: ref.namespace !== "",
  };
  try {
    const object = await access.client.get({ kind, namespace: ref.namespace, name: ref.name }, signal);
    const { events, problem } = await eventsOf(access.client, object, signal);
    return describe(object, events, problem);
  } catch (error) {
    if (!(error instanceof KubeClientError)) throw error;
    if (error.failure === "unauthorized") {
      const returnPath = environmentPath(projectPath, environment.name);
      const problem = await whyRefused(context, { viewer, viewerAccess, environment, access, returnPath }, signal);
      const forbidden = agentForbidden(context.wording, environment, viewer);
      if (problem && problem.kind !== forbidden.kind) throw new Fault("session_ended", problem.message, { cause: error });
      throw new Fault("agent_forbidden", forbidden.message, { cause: error });
    }
    throw faultOf(error);
  }
}

function faultOf(error: KubeClientError): Fault {
  const code = apiCodeOf(error);
  if (code === 404) return new Fault("not_found", error.message, { cause: error });
  if (code === 403) return new Fault("environment_forbidden", error.message, { cause: error });
  return new Fault("cluster_unavailable", error.message, { cause: error, retryAfterSeconds: 5 });
}

async function eventsOf(
  client: KasKubeClient,
  object: KubeObject,
  signal: AbortSignal,
): Promise<{ events: readonly KubeObject[]; problem: string }> {
  const { uid, namespace = "default" } = object.metadata;
  if (uid === undefined) return { events: [], problem: "" };
  try {
    const path = listPath(EVENTS, { namespace, limit: MOST_EVENTS, fieldSelector: `involvedObject.uid=${uid}` });
    return { events: parseObjectList(await client.json({ path }, signal), EVENTS)?.items ?? [], problem: "" };
  } catch (error) {
    if (!(error instanceof KubeClientError) || error.failure === "unauthorized") throw error;
    return { events: [], problem: error.message };
  }
}

/** An object and its events as the drawer shows them. */
function describe(object: KubeObject, events: readonly KubeObject[], eventsProblem: string): GetResourceResponse {
  const shown = object.apiVersion === "v1" && object.kind === "Secret" ? maskSecret(object) : trimObject(object);
  return create(GetResourceResponseSchema, {
    yaml: stringify(shown, { lineWidth: 0 }),
    conditions: conditionsOf(object),
    events: events.map(toEvent).toSorted((a, b) => Number((b.lastAt?.seconds ?? 0n) - (a.lastAt?.seconds ?? 0n))),
    eventsProblem,
    labels: strings(shown.metadata.labels),
    annotations: strings(shown.metadata.annotations),
  });
}

function conditionsOf(object: KubeObject): Condition[] {
  const conditions = field(object["status"], "conditions");
  if (!Array.isArray(conditions)) return [];
  return conditions.flatMap((condition: unknown) => {
    if (typeof condition !== "object" || condition === null) return [];
    const since = toTimestamp(text(field(condition, "lastTransitionTime")));
    return [
      create(ConditionSchema, {
        type: text(field(condition, "type")),
        status: text(field(condition, "status")),
        reason: text(field(condition, "reason")),
        message: text(field(condition, "message")),
        ...(since === undefined ? {} : { since }),
      }),
    ];
  });
}

function toEvent(event: KubeObject): ResourceEvent {
  const series = event["series"];
  const created = event.metadata.creationTimestamp;
  const first = toTimestamp(text(event["firstTimestamp"]) || text(event["eventTime"]) || created);
  const last = toTimestamp(text(field(series, "lastObservedTime")) || text(event["lastTimestamp"]) || text(event["eventTime"]) || created);
  const count = Number(field(series, "count") ?? event["count"] ?? 1);
  const about = event["involvedObject"];
  const apiVersion = text(field(about, "apiVersion"));
  return create(ResourceEventSchema, {
    type: text(event["type"]),
    reason: text(event["reason"]),
    message: text(event["message"]),
    count: Number.isSafeInteger(count) && count > 0 ? count : 1,
    ...(first === undefined ? {} : { firstAt: first }),
    ...(last === undefined ? {} : { lastAt: last }),
    source: text(event["reportingComponent"]) || text(field(event["source"], "component")),
    regarding: create(ResourceRefSchema, {
      group: apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "",
      version: apiVersion.slice(apiVersion.indexOf("/") + 1),
      kind: text(field(about, "kind")),
      namespace: text(field(about, "namespace")),
      name: text(field(about, "name")),
    }),
  });
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function strings(values: unknown): Record<string, string> {
  return typeof values === "object" && values !== null
    ? Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])))
    : {};
}
