import { listIn, treeIn, type Tree } from "../json-tree.ts";
import type { Cluster } from "./cluster.ts";
import { itself, type Controller } from "./controller-loop.ts";
import { withCondition } from "./pod-state.ts";

const NAMESPACES = "/namespaces";
const ACCOUNTS = "/serviceaccounts";
const CONFIG_MAPS = "/configmaps";
const ROOT_CA = "kube-root-ca.crt";

/** Gives each namespace its `default` ServiceAccount and the certificate authority of the cluster. */
export function namespaceContents(cluster: Cluster, caPem: string): Controller {
  const ownPlace = ({ object }: { readonly object: { readonly metadata: { readonly name: string; readonly namespace?: string } } }) => {
    const { name, namespace = "" } = object.metadata;
    return name === "default" || name === ROOT_CA ? [{ namespace: undefined, name: namespace }] : [];
  };
  return {
    name: "serviceaccount-controller",
    watches: { [NAMESPACES]: itself, [ACCOUNTS]: ownPlace, [CONFIG_MAPS]: ownPlace },
    reconcile({ name }) {
      const place = cluster.get(NAMESPACES, undefined, name);
      if (!place || place.metadata.deletionTimestamp !== undefined) return undefined;
      if (!cluster.get(ACCOUNTS, name, "default"))
        cluster.create(ACCOUNTS, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: name } });
      if (!cluster.get(CONFIG_MAPS, name, ROOT_CA)) {
        const annotations = {
          "kubernetes.io/description":
            "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.",
        };
        cluster.create(CONFIG_MAPS, {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: ROOT_CA, namespace: name, annotations },
          data: { "ca.crt": caPem },
        });
      }
      return undefined;
    },
  };
}

/** Empties a namespace that is being deleted, then lets it go. */
export function namespaceLifecycle(cluster: Cluster): Controller {
  const place = ({ type, object }: { readonly type: string; readonly object: { readonly metadata: { readonly namespace?: string } } }) => {
    const { namespace } = object.metadata;
    return type === "DELETED" &&
      namespace !== undefined &&
      cluster.get(NAMESPACES, undefined, namespace)?.metadata.deletionTimestamp !== undefined
      ? [{ namespace: undefined, name: namespace }]
      : [];
  };
  return {
    name: "namespace-controller",
    // Whatever kind an object is, its end may be the last thing a namespace waits for.
    watches: new Proxy<Controller["watches"]>({}, { get: (_, storage) => (storage === NAMESPACES ? itself : place) }),
    reconcile({ name }) {
      const dying = cluster.get(NAMESPACES, undefined, name);
      if (!dying || dying.metadata.deletionTimestamp === undefined) return undefined;
      for (const storage of cluster.writer.store.storages()) {
        for (const object of cluster.list(storage, name))
          if (object.metadata.deletionTimestamp === undefined) cluster.delete(storage, object, { propagation: "Background" });
      }
      const left = cluster.writer.store.storages().flatMap((storage) => cluster.list(storage, name).map((object) => ({ storage, object })));
      if (left.length === 0) {
        const spec: Tree = {
          ...treeIn(dying, "spec"),
          finalizers: listIn(dying, "spec", "finalizers").filter((one) => one !== "kubernetes"),
        };
        cluster.update(NAMESPACES, { ...dying, spec });
        return undefined;
      }
      const held = left.filter(({ object }) => (object.metadata.finalizers ?? []).length > 0);
      const condition =
        held.length > 0
          ? {
              type: "NamespaceFinalizersRemaining",
              status: "True",
              reason: "SomeFinalizersRemain",
              message: `Some content in the namespace has finalizers remaining: ${[...new Set(held.flatMap(({ object }) => object.metadata.finalizers ?? []))].join(", ")} in ${held.length} resource instances`,
            }
          : {
              type: "NamespaceContentRemaining",
              status: "True",
              reason: "SomeResourcesRemain",
              message: `Some resources are remaining: ${left.length}`,
            };
      cluster.updateStatus(NAMESPACES, dying, {
        ...treeIn(dying, "status"),
        phase: "Terminating",
        conditions: withCondition(listIn(dying, "status", "conditions"), condition, cluster.timestamp()),
      });
      return undefined;
    },
  };
}
