import { HealthStatus, NoticeSchema } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";
import type { World } from "./world.ts";

const { DEGRADED, HEALTHY } = HealthStatus;

/** Traffic that goes nowhere, or only in part: a port that is not there, a backend without weight, an endpoint that is not ready. */
export function seedTraffic(world: World): void {
  const facts = { kind: "Ingress", name: "admin", backend: "payments", namespace: world.namespace, count: 1, ports: ["8080"] };
  const admin = world.node("Ingress", "admin", {
    status: HEALTHY,
    fact: "admin.example.com",
    notices: [
      create(NoticeSchema, {
        reason: "PortMissing",
        words: toWordsMessage(words("network/port-missing", facts)),
        next: toWordsMessage(words("network/port-missing/next", facts)),
      }),
    ],
  });
  const backend = "spec.rules[0].http.paths[0].backend.service.name";
  world.edge(admin, "service:payments", { kind: "ing-svc", edgeClass: "route", paths: [backend], missingPorts: ["8080"] });
  const route = world.node("HTTPRoute", "split", { fact: "shop.example.com" });
  const shares = [
    ["payments", 9, 0.9],
    ["session-store", 1, 0.1],
    ["checkout", 0, 0],
  ] as const;
  for (const [index, [name, weight, share]] of shares.entries())
    world.edge(route, `service:${name}`, {
      kind: "route-svc",
      edgeClass: "route",
      paths: [`spec.rules[0].backendRefs[${index}]`],
      weight,
      share,
    });
  for (const index of [0, 1, 2])
    world.edge("service:session-store", `pod:session-store-${index}`, {
      kind: "slice-pod",
      edgeClass: "route",
      paths: [`endpoints[${index}].targetRef`],
      ready: index !== 1,
    });
  const because = words("because/field", { path: "status.components.db.status", value: "ERROR" });
  world.node("Widget", "red", { status: DEGRADED, reason: "ERROR", message: "disk is full", because: toWordsMessage(because) });
}
