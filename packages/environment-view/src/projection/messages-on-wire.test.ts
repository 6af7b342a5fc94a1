import type { KubeObject } from "@binnacle/kube";
import { expect, test } from "vitest";

import { EventIndex } from "../nodes/event-index.ts";
import { GraphProjection } from "./graph-projection.ts";
import { object } from "../testing/made-objects.ts";
import { ViewReader, type ReadEdge, type ReadNode } from "../stream/view-reader.ts";
import { ViewState } from "../stream/view-state.ts";

const START_MS = Date.parse("2026-01-01T00:00:00Z");

/** What a browser has after each of several changes. */
class Screen {
  readonly #projection = new GraphProjection({
    scope: { namespaces: ["app"] },
    now: () => START_MS,
    events: new EventIndex(),
    rules: undefined,
    isWhole: () => true,
    customEdges: [],
    changed: () => {},
  });
  readonly #state = new ViewState(this.#projection.health([]), { state: "connected", sinceMs: 0 });
  readonly #reader = new ViewReader();
  readonly #subscription = this.#state.open(() => {});

  put(...objects: readonly KubeObject[]): this {
    for (const each of objects) this.#projection.upsert(each);
    return this.#flush();
  }

  remove(uid: string): this {
    this.#projection.remove(uid);
    return this.#flush();
  }

  #flush(): this {
    this.#projection.flush(this.#state);
    const message = this.#subscription.take();
    if (message !== undefined) this.#reader.take(message);
    return this;
  }

  node(name: string): ReadNode | undefined {
    return [...this.#reader.nodes.values()].find((node) => node.ref.name === name);
  }

  edge(kind: string, to = "web"): ReadEdge | undefined {
    return [...this.#reader.edges.values()].find((edge) => edge.kind === kind && edge.to.endsWith(`/${to}`));
  }

  noticesOf(name: string): readonly string[] {
    return (this.node(name)?.notices ?? []).map(({ reason, words }) => `${reason}: ${words ?? ""}`);
  }
}

function widget(status: object): KubeObject {
  return { ...object("example.com/v1", "Widget", "w"), status };
}

function service(name: string, ...ports: readonly number[]): KubeObject {
  return { ...object("v1", "Service", name), spec: { type: "ExternalName", ports: ports.map((port) => ({ port })) } };
}

function ingress(...ports: readonly number[]): KubeObject {
  const paths = ports.map((number) => ({ path: "/", pathType: "Prefix", backend: { service: { name: "web", port: { number } } } }));
  const status = { loadBalancer: { ingress: [{ ip: "10.0.0.1" }] } };
  return { ...object("networking.k8s.io/v1", "Ingress", "shop"), spec: { rules: [{ http: { paths } }] }, status };
}

test("what decided about a custom resource travels beside its verdict, and is the reason of its chain", () => {
  const screen = new Screen().put(widget({ components: { db: { status: "ERROR", message: "disk is full" } } }));
  const health = screen.node("w")?.health;
  expect(health).toMatchObject({ words: "disk is full", because: "status.components.db.status is ERROR" });
  expect(health?.why?.words).toBe("Widget w: disk is full (status.components.db.status is ERROR)");
  screen.put(widget({ components: { db: { status: "OK" } } }));
  expect(screen.node("w")?.health?.because).toBe("status.components.db.status is OK");
});

test("a built-in kind says it all in its verdict, so that nothing travels beside it", () => {
  expect(new Screen().put(service("web", 80)).node("web")?.health?.because).toBeUndefined();
});

test("W20: a port that a Service does not have is a notice of each object that refers to it, until the Service has it", () => {
  const screen = new Screen().put(ingress(80, 8080, 9090), service("web", 80));
  expect(screen.noticesOf("shop")).toEqual([
    "PortMissing: Ingress shop sends traffic to ports 8080, 9090 of Service web, which has no such ports",
  ]);
  expect(screen.node("shop")?.notices[0]?.next).toBe(
    "Add ports 8080, 9090 to Service web in namespace app, or correct the backend of Ingress shop.",
  );
  expect(screen.edge("ing-svc")).toMatchObject({ portMissing: true, missingPorts: ["8080", "9090"] });
  expect(screen.noticesOf("web")).toEqual([]);
  screen.put(service("web", 80, 9090));
  expect(screen.noticesOf("shop")).toEqual(["PortMissing: Ingress shop sends traffic to port 8080 of Service web, which has no such port"]);
  screen.put(service("web", 80, 8080, 9090));
  expect(screen.noticesOf("shop")).toEqual([]);
});

test("the notice goes with the Service, and with the Ingress", () => {
  const screen = new Screen().put(ingress(8080), service("web", 80));
  expect(screen.noticesOf("shop")).toHaveLength(1);
  screen.remove("web");
  expect(screen.noticesOf("shop").filter((notice) => notice.startsWith("PortMissing"))).toEqual([]);
  screen.put(service("web", 80));
  expect(screen.noticesOf("shop")).toHaveLength(1);
  screen.remove("shop");
  expect(screen.node("shop")).toBeUndefined();
  screen.put(service("web", 81));
});

test("T7: of a hundred ports that are not there few are sent, and none is long", () => {
  const paths = Array.from({ length: 100 }, (_, index) => ({
    backend: { service: { name: "web", port: { name: `password=hunter22hunter22-${index}-${"x".repeat(5_000)}` } } },
  }));
  const screen = new Screen().put({ ...ingress(), spec: { rules: [{ http: { paths } }] } }, service("web", 80));
  const edge = screen.edge("ing-svc");
  expect(edge?.missingPorts).toHaveLength(8);
  const sent = JSON.stringify([edge?.missingPorts, screen.node("shop")?.notices]);
  expect(sent).not.toContain("hunter");
  expect(sent.length).toBeLessThan(30_000);
});

test("W20: a backend's share of its rule travels with its weight", () => {
  const backendRefs = [
    { name: "web", weight: 90 },
    { name: "canary", weight: 10 },
  ];
  const route = { ...object("gateway.networking.k8s.io/v1", "HTTPRoute", "r"), spec: { rules: [{ backendRefs }] } };
  const screen = new Screen().put(route, service("web", 80), service("canary", 80));
  expect(screen.edge("route-svc")).toMatchObject({ weight: 90, share: 0.9 });
  expect(screen.edge("route-svc", "canary")).toMatchObject({ weight: 10, share: 0.1 });
});
