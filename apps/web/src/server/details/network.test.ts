import { expect, test } from "vitest";

import { madeObject, detailLines } from "./testing/detail-lines.ts";

const SLICE = madeObject("discovery.k8s.io/v1 EndpointSlice", {
  metadata: { labels: { "kubernetes.io/service-name": "web" } },
  addressType: "IPv4",
  ports: [{ port: 8080, name: "http" }],
  endpoints: [
    { addresses: ["10.0.0.1"], targetRef: { kind: "Pod", name: "web-1" } },
    { addresses: ["10.0.0.2"], conditions: { ready: false }, targetRef: { kind: "Pod", name: "web-2" } },
    { addresses: ["10.0.0.3"], conditions: { ready: false, terminating: true } },
  ],
});
const ENDPOINTS = [
  "# Endpoints",
  "10.0.0.1: →/Pod/shop/web-1 ready !good",
  "10.0.0.2: →/Pod/shop/web-2 not ready !busy",
  "10.0.0.3: terminating !busy",
];

test("a Service tells where it is reached, where its ports lead, and which endpoints are ready", () => {
  const ports = [
    { port: 80, name: "http", targetPort: "web", nodePort: 30080 },
    { port: 53, protocol: "UDP" },
  ];
  const spec = { type: "LoadBalancer", clusterIP: "10.1.0.1", ports, selector: { app: "web" }, sessionAffinity: "None" };
  const status = { loadBalancer: { ingress: [{ hostname: "lb.example.com" }] } };
  const service = madeObject("v1 Service", { spec, status });
  expect(detailLines(service, { related: [SLICE] })).toEqual([
    "Type: LoadBalancer",
    "Cluster IP: 10.1.0.1",
    "External address: lb.example.com",
    "Endpoints: 1 ready, 2 not ready !busy",
    "Selector: app=web",
    "# Ports",
    "80/TCP (http): to port web, on nodes 30080",
    "53/UDP: to port 53",
    ...ENDPOINTS,
  ]);
  expect(detailLines(service, { related: [] })).toContain("Endpoints: 0 ready, 0 not ready !bad");
  expect(detailLines(service).join("\n")).not.toContain("Endpoints");
});

test("a headless Service has no address, an ExternalName leads elsewhere", () => {
  expect(detailLines(madeObject("v1 Service", { spec: { clusterIP: "None" } }))).toContain("Cluster IP: none: its names lead to the pods");
  const named = madeObject("v1 Service", { spec: { type: "ExternalName", externalName: "db.example.com" } });
  expect(detailLines(named)).toEqual(["Type: ExternalName", "External name: db.example.com"]);
});

test("an EndpointSlice tells its endpoints", () => {
  expect(detailLines(SLICE)).toEqual([
    "Service: →/Service/shop/web",
    "Address type: IPv4",
    "Endpoints: 1 ready, 2 not ready !busy",
    "Ports: 8080/TCP (http)",
    ...ENDPOINTS,
  ]);
});

test("an Ingress tells which path of which host leads where, and with which certificate", () => {
  const backend = (name: string, port: object) => ({ service: { name, port } });
  const rules = [
    {
      host: "shop.example.com",
      http: {
        paths: [
          { path: "/", backend: backend("web", { number: 80 }) },
          { path: "/api", pathType: "Exact", backend: backend("api", { name: "http" }) },
        ],
      },
    },
    { http: { paths: [{ path: "/status", backend: { resource: { apiGroup: "x.io", kind: "Page", name: "up" } } }] } },
  ];
  const tls = [{ hosts: ["shop.example.com"], secretName: "shop-tls" }, {}];
  const ingress = madeObject("networking.k8s.io/v1 Ingress", { spec: { ingressClassName: "nginx", rules, tls } });
  expect(detailLines(ingress)).toEqual([
    "Class: →networking.k8s.io/IngressClass//nginx",
    "# Rules",
    "shop.example.com/: →/Service/shop/web port 80",
    "shop.example.com/api, exactly: →/Service/shop/api port http",
    "all hosts, /status: →x.io/Page/shop/up",
    "# Certificates for hosts",
    "shop.example.com: →/Secret/shop/shop-tls",
    "All hosts: the controller's own certificate",
  ]);
});

test("a Gateway tells what listens where, a route which requests it sends where", () => {
  const listeners = [
    { name: "https", protocol: "HTTPS", port: 443, hostname: "*.example.com", tls: { certificateRefs: [{ name: "tls" }] } },
  ];
  const status = { addresses: [{ value: "192.0.2.9" }], listeners: [{ name: "https", attachedRoutes: 2 }] };
  const gateway = madeObject("gateway.networking.k8s.io/v1 Gateway", { spec: { gatewayClassName: "envoy", listeners }, status });
  expect(detailLines(gateway)).toEqual([
    "Class: →gateway.networking.k8s.io/GatewayClass//envoy",
    "External address: 192.0.2.9",
    "# Listeners",
    "https: HTTPS 443 *.example.com | 2 routes | →/Secret/shop/tls",
  ]);
  const rules = [
    {
      matches: [{ method: "GET", path: { value: "/api" } }],
      backendRefs: [
        { name: "api", port: 80, weight: 9 },
        { name: "next", port: 80, weight: 1 },
      ],
    },
    { filters: [{ type: "RequestRedirect" }] },
  ];
  const spec = { parentRefs: [{ name: "edge", namespace: "infra", sectionName: "https" }], hostnames: ["api.example.com"], rules };
  expect(detailLines(madeObject("gateway.networking.k8s.io/v1 HTTPRoute", { spec }))).toEqual([
    "Gateways: →gateway.networking.k8s.io/Gateway/infra/edge listener https",
    "Hosts: api.example.com",
    "# Rules",
    "GET /api: →/Service/shop/api port 80, weight 9 | →/Service/shop/next port 80, weight 1",
    "every request: RequestRedirect",
  ]);
});

test("a NetworkPolicy is described in sentences", () => {
  const ingress = [
    {
      from: [
        { podSelector: { matchLabels: { app: "web" } } },
        { namespaceSelector: { matchLabels: { team: "a" } }, podSelector: { matchLabels: { app: "x" } } },
        { namespaceSelector: {} },
        { ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } },
      ],
      ports: [{ port: 80 }, { port: 9000, endPort: 9010, protocol: "UDP" }],
    },
    {},
  ];
  const spec = { podSelector: { matchLabels: { app: "db" } }, ingress, egress: [], policyTypes: ["Ingress", "Egress"] };
  expect(detailLines(madeObject("networking.k8s.io/v1 NetworkPolicy", { spec }))).toEqual([
    "About: pods with app=db",
    "May come in: from pods with app=web, pods with app=x of namespaces with team=a, all pods of every namespace, addresses in 10.0.0.0/8 except 10.1.0.0/16, to TCP 80, UDP 9000–9010 | everything",
    "May go out: nothing",
  ]);
  expect(detailLines(madeObject("networking.k8s.io/v1 NetworkPolicy", { spec: { podSelector: {} } }))).toEqual([
    "About: all pods",
    "May come in: nothing",
    "May go out: not restricted by this policy",
  ]);
  const egress = [{ to: [{ podSelector: {} }], ports: [{ port: 5432 }] }];
  expect(
    detailLines(madeObject("networking.k8s.io/v1 NetworkPolicy", { spec: { podSelector: {}, egress, policyTypes: ["Egress"] } })),
  ).toEqual(["About: all pods", "May come in: not restricted by this policy", "May go out: to all pods, TCP 5432"]);
});
