"use client";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ConnectionSchema, ConnectionState, HealthStatus, Presence, type Snapshot } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { StoreProvider } from "../../src/features/live/environment-context.tsx";
import { EnvironmentStore } from "../../src/features/live/environment-store.ts";
import { opening, wrap } from "../fixture-service.ts";
import { World } from "../world.ts";

/** When the sheet was drawn, milliseconds since the epoch. */
export const NOW_MS = Date.now();

/** A store that has been sent what the fixture sends for an environment of this name, with some of its snapshot replaced. */
export function fixtureStore(name: string, replaced: Partial<Snapshot> = {}): EnvironmentStore {
  const store = new EnvironmentStore((flush) => flush());
  for (const message of opening(name, new Map())) {
    const changed = message.case === "snapshot" ? { ...message, value: { ...message.value, ...replaced } } : message;
    store.apply(wrap(changed), NOW_MS);
  }
  return store;
}

/** A store of these resources alone. */
export function worldStore(world: World): EnvironmentStore {
  return fixtureStore("staging", {
    nodes: [...world.nodes.values()],
    edges: [...world.edges.values()],
    connection: create(ConnectionSchema, { state: ConnectionState.CONNECTED, since: timestampFromMs(NOW_MS) }),
  });
}

/** What stands in an environment. */
export function In({ store, children }: { readonly store: EnvironmentStore; readonly children: ReactNode }): ReactNode {
  return <StoreProvider store={store}>{children}</StoreProvider>;
}

const STATUSES = ["HEALTHY", "PROGRESSING", "SUSPENDED", "MISSING", "DEGRADED", "UNKNOWN"] as const;
const LONG = "a-generated-name-made-of-branch-ticket-and-commit-1184-cart-checkout-7c9f8d5b6d4".repeat(2);

/** One resource of each status and presence, with names and words of every length. */
export function everyState(): World {
  const world = new World("shop-prod", NOW_MS);
  const replicas = { ready: 2, wanted: 5, images: ["registry.local/shop/api:3.14.0"] };
  for (const status of STATUSES) {
    const unwell = status !== "HEALTHY";
    world.node("Deployment", status.toLowerCase(), {
      status: HealthStatus[status],
      fact: "2/5 ready",
      ...replicas,
      ...(unwell ? { reason: "CreateContainerConfigError", message: 'configmap "checkout-flags" not found' } : { ready: 5 }),
    });
  }
  world.node("Service", "no-status", { fact: "ClusterIP :80" });
  world.node("Ingress", "with-address", {
    status: HealthStatus.HEALTHY,
    fact: "shop.example.com",
    externalUrl: "https://shop.example.com",
  });
  const gone = world.node("ConfigMap", "does-not-exist", { presence: Presence.MISSING });
  const hidden = world.node("Secret", "not-visible", { presence: Presence.NOT_VISIBLE });
  for (const to of [gone, hidden])
    world.edge("deployment:healthy", to, {
      kind: "tmpl-mount",
      edgeClass: "mount",
      paths: ["spec.template.spec.volumes[0]"],
      missing: to === gone,
    });
  world.node("Deployment", LONG, {
    status: HealthStatus.DEGRADED,
    reason: "AReasonThatIsLongerThanAnyCardIsWideAndGoesOnAndOn",
    message: "word ".repeat(200_000),
    fact: "a fact that is much longer than the card it stands on, with numbers 1234567890",
    ...replicas,
    wanted: 5_000,
  });
  return world;
}
