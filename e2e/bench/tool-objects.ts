import type { KubeObject } from "@binnacle/kube";

/** Pods of an app that give way to its objects of tools, so that the world keeps its size. */
const TOOL_OBJECTS = 5;

/** A world of the same size in which every app has objects of five tools instead of as many of its pods: a quarter of it. */
export function withTools(objects: readonly KubeObject[]): KubeObject[] {
  const pods = new Map<string, number>();
  return objects.flatMap((object) => {
    const { namespace = "", name } = object.metadata;
    const labels = Object(object.metadata.labels) as Readonly<Record<string, string>>; // They were written as texts.
    const app = labels["app"] ?? name;
    if (object.kind === "Service") return [object, ...toolsOf(namespace, app)];
    if (object.kind !== "Pod") return [object];
    const count = (pods.get(app) ?? 0) + 1;
    pods.set(app, count);
    return count <= TOOL_OBJECTS ? [] : [object];
  });
}

/** A route, its rule, a monitor, an autoscaler and a Secret from outside: each refers to what the app has. */
function toolsOf(namespace: string, name: string): KubeObject[] {
  const made = (apiVersion: string, kind: string, spec: unknown): KubeObject => {
    const metadata = { namespace, name, uid: `${kind}-${namespace}-${name}`, labels: { app: name }, generation: 3 };
    return { apiVersion, kind, metadata, spec };
  };
  const host = `${name}.${namespace}.svc.cluster.local`;
  const routes = [{ destination: { host, port: { number: 80 } }, weight: 100 }];
  return [
    made("networking.istio.io/v1", "VirtualService", { hosts: [host], gateways: ["mesh"], http: [{ route: routes }] }),
    made("networking.istio.io/v1", "DestinationRule", { host }),
    made("monitoring.coreos.com/v1", "ServiceMonitor", { selector: { matchLabels: { app: name } }, endpoints: [{ port: "http" }] }),
    made("keda.sh/v1alpha1", "ScaledObject", { scaleTargetRef: { name }, triggers: [{ type: "cron", metadata: { start: "0 8 * * *" } }] }),
    made("external-secrets.io/v1", "ExternalSecret", {
      secretStoreRef: { name: "vault", kind: "ClusterSecretStore" },
      target: { name: `${name}-login` },
      data: [{ secretKey: "password", remoteRef: { key: name } }],
    }),
  ];
}
