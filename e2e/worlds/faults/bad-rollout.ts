import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, made, ownedBy, podOf, podSpec, ready, waiting } from "../made.ts";

/** A new image that cannot be pulled, while the old revision still serves. */
export const world: MakeFaultWorld = (ago) => {
  const [top, set, pod] = deployment(ago, "bad-rollout", {
    spec: podSpec({ image: "registry.example/shop/web:2" }),
    pods: [waiting(ago(25), ["ImagePullBackOff", 'Back-off pulling image "registry.example/shop/web:2"'], {})],
    ready: 1,
  });
  if (top === undefined || set === undefined || pod === undefined) throw new Error("a Deployment has a ReplicaSet and a pod");
  const labels = { app: "bad-rollout", revision: "1" };
  const old = ownedBy(
    top,
    made(ago, ["apps/v1", "ReplicaSet", "bad-rollout-old"], {
      metadata: { generation: 1, creationTimestamp: ago(600), annotations: { "deployment.kubernetes.io/revision": "1" } },
      spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec() } },
      status: { observedGeneration: 1, replicas: 1, readyReplicas: 1, availableReplicas: 1 },
    }),
  );
  const fresh = {
    ...set,
    metadata: { ...set.metadata, creationTimestamp: ago(26), annotations: { "deployment.kubernetes.io/revision": "2" } },
  };
  const youth = { ...pod, metadata: { ...pod.metadata, creationTimestamp: ago(26) } };
  const counts = { observedGeneration: 1, replicas: 2, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1, unavailableReplicas: 1 };
  const metadata = { ...top.metadata, creationTimestamp: ago(600), annotations: { "deployment.kubernetes.io/revision": "2" } };
  const deployed = { ...top, metadata, status: counts };
  const objects = [deployed, fresh, youth, old, ownedBy(old, podOf(ago, "bad-rollout-old-0", { spec: podSpec(), ...ready(ago(500)) }))];
  return {
    fault: "A new image that cannot be pulled, while the old revision still serves",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment bad-rollout",
      place: "issue",
      cause: ["registry.example/shop/web:2"],
      next: ["Check that the image registry.example/shop/web:2"],
      since: ago(25),
    },
  };
};
