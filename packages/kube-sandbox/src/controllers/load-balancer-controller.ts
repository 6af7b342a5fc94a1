import { listIn, textIn, treeIn } from "../json-tree.ts";
import type { Cluster } from "./cluster.ts";
import { itself, type Controller } from "./controller-loop.ts";

const DELAY_MS = 1_000;

/** Gives Ingresses and Services of type LoadBalancer an address a moment after they came. */
export function loadBalancerController(cluster: Cluster): Controller[] {
  let last = 0;
  const nextAddress = (): string => {
    last += 1;
    // 203.0.113.0/24 is reserved for documentation: no such host exists.
    return `203.0.113.${(last % 254) + 1}`;
  };
  const controller = (storage: string, wants: (object: unknown) => boolean): Controller => ({
    name: `load-balancer ${storage}`,
    watches: { [storage]: itself },
    reconcile({ namespace, name }) {
      const object = cluster.get(storage, namespace, name);
      if (
        !object ||
        !wants(object) ||
        object.metadata.deletionTimestamp !== undefined ||
        listIn(object, "status", "loadBalancer", "ingress").length > 0
      )
        return undefined;
      const leftMs = Date.parse(object.metadata.creationTimestamp) + DELAY_MS - cluster.clock.now();
      if (leftMs > 0) return leftMs;
      const ingress = storage === "/services" ? { ip: nextAddress(), ipMode: "VIP" } : { ip: nextAddress() };
      cluster.updateStatus(storage, object, { ...treeIn(object, "status"), loadBalancer: { ingress: [ingress] } });
      return undefined;
    },
  });
  return [
    controller("networking.k8s.io/ingresses", () => true),
    controller("/services", (object) => textIn(object, "spec", "type") === "LoadBalancer"),
  ];
}
