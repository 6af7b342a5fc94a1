import type { EnvironmentHealthSchema } from "@binnacle/proto/dashboard";
import { ConnectionState, DeliveryState, HealthStatus, SettledState } from "@binnacle/proto/dashboard-enums";
import type { MessageInitShape } from "@bufbuild/protobuf";

import type { EnvironmentMessage } from "./stand-in-dashboard.ts";

type Health = MessageInitShape<typeof EnvironmentHealthSchema>;

/** The header of production, of which this commit was deployed last; empty: nothing was deployed. */
export function headerOf(sha = ""): EnvironmentMessage {
  const environment = {
    projectPath: "group/app",
    name: "production",
    agentId: 7n,
    agentName: "prod",
    namespace: "prod",
    delivery: deliveryOf(sha),
  };
  return { message: { case: "header", value: { environment, viewer: { username: "ann", name: "Ann" } } } };
}

/** The same after another deployment. */
export function deliveredOf(sha: string): EnvironmentMessage {
  return { message: { case: "delivery", value: deliveryOf(sha) } };
}

function deliveryOf(sha: string) {
  if (sha === "") return { lastDeployment: { state: DeliveryState.NONE } };
  return { lastDeployment: { state: DeliveryState.KNOWN, value: { sha } } };
}

/** A whole and live snapshot with this health. @param rest changes of the snapshot */
export function snapshotOf(
  health: Health,
  rest: { readonly connection?: ConnectionState; readonly forbidden?: string } = {},
): EnvironmentMessage {
  const { connection = ConnectionState.CONNECTED, forbidden } = rest;
  const pods = { version: "v1", resource: "pods", kind: "Pod", namespace: "prod", settled: SettledState.LIVE, countsForHealth: true };
  const secrets = { version: "v1", resource: forbidden ?? "", kind: "Secret", namespace: "prod", settled: SettledState.FORBIDDEN };
  return {
    message: {
      case: "snapshot",
      value: {
        nodes: [
          {
            id: 1,
            ref: { group: "apps", version: "v1", kind: "Deployment", resource: "deployments", namespace: "prod", name: "web" },
            presence: 1,
            health: { status: health.status ?? 0 },
            ready: 1,
            wanted: 1,
          },
          {
            id: 2,
            ownerId: 1,
            ref: { version: "v1", kind: "Pod", resource: "pods", namespace: "prod", name: "web-0" },
            presence: 1,
            ready: -1,
            wanted: -1,
          },
        ],
        edges: [{ id: 1, from: 1, to: 2, kind: "owner", edgeClass: "owner" }],
        health,
        sources: forbidden === undefined ? [pods] : [pods, secrets],
        connection: { state: connection },
        complete: true,
      },
    },
  };
}

/** The health from now on. */
export function deltaOf(health: Health): EnvironmentMessage {
  return { message: { case: "delta", value: { health } } };
}

/** Nothing has changed. */
export const HEARTBEAT: EnvironmentMessage = { message: { case: "heartbeat", value: {} } };

/** One resource that is healthy. */
export const HEALTHY: Health = { status: HealthStatus.HEALTHY, counts: [{ status: HealthStatus.HEALTHY, count: 1 }] };
/** One that is in progress. */
export const PROGRESSING: Health = { status: HealthStatus.PROGRESSING, counts: [{ status: HealthStatus.PROGRESSING, count: 1 }] };
/** One that is degraded. @param reason in a few words @param sentence the whole of it */
export function degradedBy(reason: string, sentence: string): Health {
  const ref = { group: "apps", version: "v1", kind: "Deployment", resource: "deployments", namespace: "prod", name: "web" };
  const quoted = (text: string) => ({ id: "quoted", facts: [{ name: "text", value: { case: "text" as const, value: text } }] });
  const issue = {
    key: "web",
    status: HealthStatus.DEGRADED,
    reason: "ImagePullBackOff",
    reasonWords: quoted(reason),
    words: quoted(sentence),
  };
  return {
    status: HealthStatus.DEGRADED,
    counts: [{ status: HealthStatus.DEGRADED, count: 1 }],
    issuesTotal: 1,
    resourcesTotal: 1,
    issues: [{ ...issue, members: [{ ref, status: HealthStatus.DEGRADED }], membersTotal: 1, kinds: ["Deployment"] }],
  };
}

/** One that is degraded, and why. */
export const DEGRADED: Health = degradedBy("image cannot be pulled", "registry.example/web:2 does not exist");
