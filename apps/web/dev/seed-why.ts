import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  HealthStatus,
  ManagedBySchema,
  NodeSchema,
  NoticeSchema,
  ResourceHealthSchema,
  WhyLevel,
  WhyLinkSchema,
  WhySchema,
  type Why,
  type WhyLink,
} from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted } from "@binnacle/words";
import { seedTraffic } from "./seed-traffic.ts";
import type { World } from "./world.ts";

const { DEGRADED, HEALTHY } = HealthStatus;
const MIN = 60_000;

interface Tale {
  readonly reason: string;
  readonly message: string;
  readonly nextStep: string;
  readonly change?: { readonly what: string; readonly message: string };
  readonly container?: string;
}

/** Gives the mixed world its answers: chains, notices, managers, a refused edge. */
export function seedAnswers(world: World): void {
  const { nowMs } = world;
  const flags = world.nodes.get("configmap:checkout-flags");
  const missing = (names: readonly string[]): Why =>
    chainOf(world, names, {
      reason: "ConfigMapNotFound",
      message: "ConfigMap checkout-flags is named in envFrom[1] of container api but does not exist in shop-prod.",
      nextStep: "Create the ConfigMap checkout-flags in namespace shop-prod, or take the reference out of the Deployment.",
      container: "api",
      change: { what: "rollout", message: "Deployment checkout was rolled out: api:3.13.2 → api:3.14.0" },
      ...(flags === undefined ? {} : { reference: "configmap:checkout-flags" }),
    });
  setWhy(world, "deployment:checkout", missing(["deployment:checkout", "replicaset:checkout-7c9f8d", "pod:checkout-7c9f8d-x2lq4"]));
  setWhy(world, "pod:checkout-7c9f8d-x2lq4", missing(["pod:checkout-7c9f8d-x2lq4"]));

  const full = `0/12 nodes are available: 3 node(s) had untolerated taint {dedicated: gpu}, 4 Insufficient memory, 5 node(s) didn't match Pod's node affinity/selector. preemption: 0/12 nodes are available: 7 Preemption is not helpful for scheduling, 5 No preemption victims found for incoming pod.`;
  for (const name of ["search-indexer", "recommendations"]) {
    const since = { sinceMs: nowMs - 9 * MIN, status: DEGRADED, reason: "Unschedulable", message: full };
    world.node("Deployment", name, { ...since, fact: "0/2 ready", ready: 0, wanted: 2, images: [`registry.local/shop/${name}:4.1.0`] });
    world.node("ReplicaSet", `${name}-5f77d`, { owner: `deployment:${name}`, fact: "0/2 ready", ready: 0, wanted: 2, ...since });
    world.node("Pod", `${name}-5f77d-8xk2p`, { owner: `replicaset:${name}-5f77d`, fact: "Pending", ready: 0, wanted: 1, ...since });
    const links = [`deployment:${name}`, `replicaset:${name}-5f77d`, `pod:${name}-5f77d-8xk2p`];
    const tale = { reason: "Unschedulable", message: full, nextStep: "Add a node with free memory, or lower the memory request." };
    setWhy(world, `deployment:${name}`, chainOf(world, links, tale));
  }

  const service = world.node("Service", "legacy-bridge", {
    status: HEALTHY,
    fact: "ClusterIP :9000 · 0/0",
    notices: [
      create(NoticeSchema, {
        reason: "NoReadyEndpoints",
        words: toWordsMessage(quoted("No endpoint of it is ready: connections are refused.")),
        next: toWordsMessage(quoted("Compare its selector app=legacy-bridge with the labels of the pods that should serve.")),
      }),
    ],
  });
  const route = world.node("HTTPRoute", "legacy", { fact: "legacy.example.com" });
  world.edge(route, service, { kind: "route-svc", edgeClass: "route", paths: ["spec.rules[0].backendRefs[0]"], refused: true });
  world.edge("widget:blue", "service:session-store", { kind: "custom:widget-database", edgeClass: "mount", paths: ["spec.database"] });
  world.node("Widget", "blue", { status: HEALTHY, fact: "Ready", rule: "ConfigMap argocd/argocd-cm: example.com/Widget" });
  seedTraffic(world);
  manage(world);
}

function manage(world: World): void {
  const shop = (direct: boolean) => create(ManagedBySchema, { tool: "argocd", name: "shop", direct });
  for (const [id, node] of world.nodes) {
    if (!/^(?:deployment|replicaset|pod):(?:checkout|payments|catalog)/.test(id)) continue;
    world.nodes.set(id, create(NodeSchema, { ...node, managedBy: shop(id.startsWith("deployment:")) }));
  }
  const bridge = world.nodes.get("service:legacy-bridge");
  if (bridge !== undefined) {
    const agent = create(ManagedBySchema, { tool: "cli-utils", name: "1-42", direct: true });
    world.nodes.set("service:legacy-bridge", create(NodeSchema, { ...bridge, managedBy: agent }));
  }
  const widget = world.nodes.get("widget:blue");
  if (widget === undefined) return;
  const flux = create(ManagedBySchema, { tool: "flux-kustomization", name: "flux-system/apps", direct: true });
  world.nodes.set("widget:blue", create(NodeSchema, { ...widget, managedBy: flux }));
}

function setWhy(world: World, id: string, why: Why): void {
  const node = world.nodes.get(id);
  if (node?.health === undefined) return;
  world.nodes.set(id, create(NodeSchema, { ...node, health: create(ResourceHealthSchema, { ...node.health, why }) }));
}

function chainOf(world: World, ids: readonly string[], tale: Tale & { readonly reference?: string }): Why {
  const badMs = world.nowMs - 5 * MIN;
  const link = (id: string, init: MessageInitShape<typeof WhyLinkSchema> = {}): WhyLink => {
    const node = world.nodes.get(id);
    const health = node?.health;
    const base: MessageInitShape<typeof WhyLinkSchema> = {
      level: WhyLevel.RESOURCE,
      ...(node?.ref === undefined ? {} : { ref: node.ref }),
      status: DEGRADED,
      reason: health?.reason ?? "",
      ...(health?.words === undefined ? {} : { words: health.words }),
      since: timestampFromMs(badMs),
    };
    return create(WhyLinkSchema, Object.assign(base, init));
  };
  const chain = ids.map((id) => link(id));
  const lastId = ids.at(-1) ?? "";
  if (tale.container !== undefined) chain.push(link(lastId, { level: WhyLevel.CONTAINER, container: tale.container }));
  else chain.push(link(lastId, { level: WhyLevel.EVENT, reason: "FailedScheduling", words: toWordsMessage(quoted(tale.message)) }));
  if (tale.reference !== undefined)
    chain.push(link(tale.reference, { level: WhyLevel.REFERENCE, status: HealthStatus.MISSING, reason: "does not exist" }));
  const first = world.nodes.get(ids[0] ?? "");
  const { reason, message, nextStep, change } = tale;
  return create(WhySchema, {
    chain,
    reason,
    words: toWordsMessage(quoted(message)),
    next: toWordsMessage(quoted(nextStep)),
    firstBadAt: timestampFromMs(badMs),
    ...(change === undefined
      ? {}
      : {
          precededBy: {
            what: change.what,
            words: toWordsMessage(quoted(change.message)),
            ...(first?.ref === undefined ? {} : { ref: first.ref }),
            at: timestampFromMs(badMs - 2 * MIN),
          },
        }),
  });
}
