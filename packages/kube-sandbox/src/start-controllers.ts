import type { Logger } from "@binnacle/telemetry";

import { Cluster } from "./controllers/cluster.ts";
import { ControllerLoop } from "./controllers/controller-loop.ts";
import { cronJobController } from "./controllers/cron-job-controller.ts";
import { customResourceController } from "./controllers/custom-resource-controller.ts";
import { daemonSetController } from "./controllers/daemon-set-controller.ts";
import { deploymentController } from "./controllers/deployment-controller.ts";
import { endpointSliceController } from "./controllers/endpoint-slice-controller.ts";
import { garbageCollector } from "./controllers/garbage-collector.ts";
import { jobController } from "./controllers/job-controller.ts";
import { kubelet } from "./controllers/kubelet.ts";
import { loadBalancerController } from "./controllers/load-balancer-controller.ts";
import { namespaceContents, namespaceLifecycle } from "./controllers/namespace-controllers.ts";
import { replicaSetController } from "./controllers/replica-set-controller.ts";
import { roleAggregationController } from "./controllers/role-aggregation-controller.ts";
import { autoscalerController, budgetController } from "./controllers/scaling-controllers.ts";
import { scheduler } from "./controllers/scheduler.ts";
import { statefulSetController } from "./controllers/stateful-set-controller.ts";
import { volumeController } from "./controllers/volume-controller.ts";
import type { ObjectWriter } from "./object-writer.ts";

/** Starts every controller; the returned function stops them all. */
export function startControllers(writer: ObjectWriter, { log, caPem }: { readonly log: Logger; readonly caPem: string }): () => void {
  const cluster = new Cluster(writer);
  const customResources = customResourceController(cluster);
  const loop = new ControllerLoop(
    cluster,
    [
      customResources,
      namespaceContents(cluster, caPem),
      roleAggregationController(cluster),
      deploymentController(cluster),
      replicaSetController(cluster),
      statefulSetController(cluster),
      daemonSetController(cluster),
      jobController(cluster),
      cronJobController(cluster),
      volumeController(cluster),
      scheduler(cluster),
      kubelet(cluster),
      endpointSliceController(cluster),
      ...loadBalancerController(cluster),
      autoscalerController(cluster),
      budgetController(cluster),
      garbageCollector(cluster),
      namespaceLifecycle(cluster),
    ],
    log,
  );
  return () => {
    loop.stop();
    customResources.stop();
  };
}
