import type { KubeObject } from "@binnacle/kube";

import type { Ago } from "./fault-world.ts";
import { deployment, made, ownedBy, ready } from "./made.ts";

/** A shop that is well, behind an Ingress: the fault is in the port that it requests, or in its certificate. */
export function shopBehind(
  ago: Ago,
  ingress: {
    readonly name: string;
    readonly port: Readonly<Record<string, string | number>>;
    readonly secretName?: string;
    readonly className?: string;
  },
): readonly KubeObject[] {
  const { name, port, secretName, className } = ingress;
  const host = "shop.example.com";
  const rules = [{ host, http: { paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "shop", port } } }] } }];
  const service = made(ago, ["v1", "Service", "shop"], {
    spec: { type: "ClusterIP", selector: { app: "shop" }, ports: [{ name: "http", port: 80 }] },
    status: {},
  });
  const slice = made(ago, ["discovery.k8s.io/v1", "EndpointSlice", "shop-x"], {
    metadata: { labels: { "kubernetes.io/service-name": "shop" } },
    addressType: "IPv4",
    endpoints: [
      { addresses: ["10.0.0.1"], conditions: { ready: true }, targetRef: { kind: "Pod", name: "shop-7d9f-0", namespace: "app" } },
    ],
  });
  return [
    made(ago, ["networking.k8s.io/v1", "Ingress", name], {
      spec: {
        rules,
        ...(className !== undefined && { ingressClassName: className }),
        ...(secretName !== undefined && { tls: [{ hosts: [host], secretName }] }),
      },
      // Of a class that does not exist no controller writes a status.
      status: className === undefined ? { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } } : {},
    }),
    service,
    ownedBy(service, slice),
    ...deployment(ago, "shop", { pods: [ready(ago(50))], ready: 1 }),
  ];
}
