import { describe, expect, test } from "vitest";

import { listIn, numberIn, textIn, treeIn, valueIn, type Tree } from "../json-tree.ts";
import type { SuiteContext } from "./suite-context.ts";

/** What controllers and (simulated) kubelets do with workloads, driven by kubectl. */
export function describeControllers(context: SuiteContext): void {
  const apps = (kind: string): string => `/apis/apps/v1/namespaces/${context.namespace}/${kind}`;
  const core = (kind: string): string => `/api/v1/namespaces/${context.namespace}/${kind}`;
  const condition = (object: unknown, type: string): unknown =>
    listIn(object, "status", "conditions").find((one) => textIn(one, "type") === type);

  describe("controllers", () => {
    test("roll a Deployment out: ReplicaSet, pods, conditions, events", async () => {
      await context.client.post(apps("deployments"), context.deployment("rolled"));
      expect(await context.kubectl(["rollout", "status", "deployment/rolled", "--timeout=30s"])).toMatchObject({ code: 0 });
      const done = await context.client.object(
        apps("deployments"),
        "rolled",
        (object) => textIn(condition(object, "Progressing"), "reason") === "NewReplicaSetAvailable",
      );
      expect(done).toMatchObject({
        metadata: { annotations: { "deployment.kubernetes.io/revision": "1" } },
        status: { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2, observedGeneration: 1 },
      });
      expect(condition(done, "Available")).toMatchObject({ status: "True", reason: "MinimumReplicasAvailable" });
      const sets = listIn((await context.client.get(`${apps("replicasets")}?labelSelector=app%3Drolled`)).body, "items");
      expect(sets).toHaveLength(1);
      expect(valueIn(sets[0], "metadata", "ownerReferences", 0)).toMatchObject({
        kind: "Deployment",
        name: "rolled",
        controller: true,
        uid: textIn(done, "metadata", "uid"),
      });
      const pods = listIn((await context.client.get(`${core("pods")}?labelSelector=app%3Drolled`)).body, "items");
      expect(pods).toHaveLength(2);
      for (const pod of pods) {
        expect(pod).toMatchObject({
          status: { phase: "Running" },
          metadata: {
            ownerReferences: [{ kind: "ReplicaSet", name: textIn(sets[0], "metadata", "name") }],
            labels: { "pod-template-hash": textIn(sets[0], "metadata", "labels", "pod-template-hash") },
          },
        });
        expect(textIn(condition(pod, "Ready"), "status")).toBe("True");
        expect(textIn(pod, "spec", "nodeName")).toMatch(/./);
      }
      const events = listIn((await context.client.get(core("events"))).body, "items");
      const reasons = new Set(events.map((event) => textIn(event, "reason")));
      for (const reason of ["ScalingReplicaSet", "SuccessfulCreate", "Scheduled"]) expect(reasons).toContain(reason);
    });

    test("scale by kubectl, up and down", async () => {
      await context.kubectl(["scale", "deployment/rolled", "--replicas=3"]);
      await context.client.object(apps("deployments"), "rolled", (object) => numberIn(object, "status", "availableReplicas") === 3);
      await context.kubectl(["scale", "deployment/rolled", "--replicas=1"]);
      const small = await context.client.object(apps("deployments"), "rolled", (object) => numberIn(object, "status", "replicas") === 1);
      expect(numberIn(small, "spec", "replicas")).toBe(1);
    });

    test("stop at a bad image and recover when it is put back", async () => {
      expect((await context.kubectl(["set", "image", "deployment/rolled", "web=nosuch.invalid/web:2"])).code).toBe(0);
      const waiting = (pod: unknown): string | undefined => textIn(pod, "status", "containerStatuses", 0, "state", "waiting", "reason");
      const events = await context.client.watch(
        `${core("pods")}?watch=true&labelSelector=app%3Drolled`,
        (all) => waiting(all.at(-1)?.["object"]) === "ImagePullBackOff",
      );
      const pod = textIn(events.at(-1), "object", "metadata", "name") ?? "";
      await context.client.watch(
        `${core("events")}?watch=true&fieldSelector=involvedObject.name%3D${pod}`,
        (all) => textIn(all.at(-1), "object", "reason") === "Failed",
      );
      expect((await context.kubectl(["rollout", "status", "deployment/rolled", "--timeout=1s"])).code).not.toBe(0);
      await context.kubectl(["rollout", "undo", "deployment/rolled"]);
      expect(await context.kubectl(["rollout", "status", "deployment/rolled", "--timeout=30s"])).toMatchObject({ code: 0 });
      const sets = listIn((await context.client.get(`${apps("replicasets")}?labelSelector=app%3Drolled`)).body, "items");
      expect(sets).toHaveLength(2);
    });

    test("hold a paused Deployment and replace all pods under Recreate", async () => {
      const spec = { ...treeIn(context.deployment("recreated"), "spec"), strategy: { type: "Recreate" } };
      await context.client.post(apps("deployments"), { ...context.deployment("recreated"), spec });
      await context.kubectl(["rollout", "status", "deployment/recreated", "--timeout=30s"]);
      await context.kubectl(["rollout", "pause", "deployment/recreated"]);
      await context.kubectl(["set", "image", "deployment/recreated", "web=example/web:2"]);
      await context.client.object(
        apps("deployments"),
        "recreated",
        (object) =>
          textIn(condition(object, "Progressing"), "reason") === "DeploymentPaused" &&
          numberIn(object, "status", "observedGeneration") === numberIn(object, "metadata", "generation"),
      );
      const query = `${apps("replicasets")}?labelSelector=app%3Drecreated`;
      expect(listIn((await context.client.get(query)).body, "items")).toHaveLength(1);
      await context.kubectl(["rollout", "resume", "deployment/recreated"]);
      expect(await context.kubectl(["rollout", "status", "deployment/recreated", "--timeout=30s"])).toMatchObject({ code: 0 });
      expect(listIn((await context.client.get(query)).body, "items")).toHaveLength(2);
    });

    test("take the oldest of several ReplicaSets with the present template, and give it the highest revision", async () => {
      const deployment = context.deployment("doubled");
      const spec = { ...treeIn(deployment, "spec"), replicas: 0 };
      await context.client.post(apps("deployments"), { ...deployment, spec });
      const revision = "deployment.kubernetes.io/revision";
      const made = await context.client.object(
        apps("deployments"),
        "doubled",
        (object) => textIn(object, "metadata", "annotations", revision) === "1",
      );
      const [first] = listIn((await context.client.get(`${apps("replicasets")}?labelSelector=app%3Ddoubled`)).body, "items");
      const name = textIn(first, "metadata", "name") ?? "";
      const hash = { "pod-template-hash": "later" };
      const template = treeIn(made, "spec", "template");
      const labels = { ...treeIn(template, "metadata", "labels"), ...hash };
      const ownerReferences = listIn(first, "metadata", "ownerReferences");
      // Of the same second; its name is behind that of the first, whatever its hash is.
      const later = "doubled-zzzzzzzzzzzz";
      const created = await context.client.post(apps("replicasets"), {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        metadata: { name: later, labels, ownerReferences, annotations: { [revision]: "2" } },
        spec: { replicas: 0, selector: { matchLabels: labels }, template: { ...template, metadata: { labels } } },
      });
      expect(created.code).toBe(201);
      const revisionOf = (set: unknown) => textIn(set, "metadata", "annotations", revision);
      await context.client.object(apps("replicasets"), name, (set) => revisionOf(set) === "3");
      await context.client.patch(`${apps("replicasets")}/${name}`, "merge", { metadata: { labels: { touched: "yes" } } });
      const patched = await context.client.patch(`${apps("deployments")}/doubled`, "merge", { spec: { minReadySeconds: 1 } });
      const generation = numberIn(patched.body, "metadata", "generation");
      await context.client.object(
        apps("deployments"),
        "doubled",
        (object) => numberIn(object, "status", "observedGeneration") === generation,
      );
      expect(revisionOf((await context.client.get(`${apps("replicasets")}/${name}`)).body)).toBe("3");
      expect(revisionOf((await context.client.get(`${apps("replicasets")}/${later}`)).body)).toBe("2");
    });

    test("keep an EndpointSlice of ready pods for a Service", async () => {
      const spec = { selector: { app: "rolled" }, ports: [{ name: "http", port: 80, targetPort: 8080 }] };
      const service = (
        await context.client.post(core("services"), { apiVersion: "v1", kind: "Service", metadata: { name: "front" }, spec })
      ).body;
      expect(textIn(service, "spec", "clusterIP")).toMatch(/^10\.96\./);
      const slices = `/apis/discovery.k8s.io/v1/namespaces/${context.namespace}/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3Dfront`;
      const events = await context.client.watch(`${slices}&watch=true`, (all) =>
        listIn(all.at(-1), "object", "endpoints").some((one) => valueIn(one, "conditions", "ready") === true),
      );
      const slice = treeIn(events.at(-1), "object");
      expect(slice).toMatchObject({
        addressType: "IPv4",
        metadata: { ownerReferences: [{ kind: "Service", name: "front" }] },
        ports: [{ name: "http", port: 8080 }],
      });
      expect(valueIn(slice, "endpoints", 0, "targetRef")).toMatchObject({ kind: "Pod" });
    });

    test("start a StatefulSet in order, each pod with its claim", async () => {
      const template = { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "db", image: "example/db:1" }] } };
      await context.client.post(apps("statefulsets"), {
        apiVersion: "apps/v1",
        kind: "StatefulSet",
        metadata: { name: "db" },
        spec: { serviceName: "db", replicas: 2, selector: { matchLabels: { app: "db" } }, template },
      });
      expect(await context.kubectl(["rollout", "status", "statefulset/db", "--timeout=30s"])).toMatchObject({ code: 0 });
      const pods = listIn((await context.client.get(`${core("pods")}?labelSelector=app%3Ddb`)).body, "items");
      expect(pods.map((pod) => textIn(pod, "metadata", "name"))).toEqual(["db-0", "db-1"]);
      const set = await context.client.object(
        apps("statefulsets"),
        "db",
        (object) => numberIn(object, "status", "availableReplicas") === 2,
      );
      expect(textIn(set, "status", "currentRevision")).toBe(textIn(set, "status", "updateRevision"));
      await context.kubectl(["set", "image", "statefulset/db", "db=example/db:2"]);
      expect(await context.kubectl(["rollout", "status", "statefulset/db", "--timeout=30s"])).toMatchObject({ code: 0 });
    });

    test("put a DaemonSet on every node", async () => {
      const template = { metadata: { labels: { app: "node-log" } }, spec: { containers: [{ name: "log", image: "example/log:1" }] } };
      await context.client.post(apps("daemonsets"), {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name: "node-log" },
        spec: { selector: { matchLabels: { app: "node-log" } }, template },
      });
      const nodes = listIn((await context.client.get("/api/v1/nodes")).body, "items").length;
      const set = await context.client.object(
        apps("daemonsets"),
        "node-log",
        (object) => numberIn(object, "status", "numberAvailable") === nodes,
      );
      expect(set).toMatchObject({ status: { desiredNumberScheduled: nodes, numberReady: nodes, updatedNumberScheduled: nodes } });
    });

    test("run a Job to its end", async () => {
      const jobs = `/apis/batch/v1/namespaces/${context.namespace}/jobs`;
      const template = { spec: { restartPolicy: "Never", containers: [{ name: "job", image: "example/job:1" }] } };
      await context.client.post(jobs, {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "task" },
        spec: { completions: 2, parallelism: 2, template },
      });
      const done = await context.client.object(jobs, "task", (object) => textIn(condition(object, "Complete"), "status") === "True");
      expect(done).toMatchObject({ status: { succeeded: 2 } });
      expect(textIn(condition(done, "SuccessCriteriaMet"), "status")).toBe("True");
      expect(textIn(done, "status", "completionTime")).toMatch(/Z$/);
    });

    test("report a suspended Job and a CronJob that is not due", async () => {
      const batch = `/apis/batch/v1/namespaces/${context.namespace}`;
      const template = { spec: { restartPolicy: "Never", containers: [{ name: "job", image: "example/job:1" }] } };
      await context.client.post(`${batch}/jobs`, {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "later" },
        spec: { suspend: true, template },
      });
      await context.client.object(`${batch}/jobs`, "later", (object) => textIn(condition(object, "Suspended"), "status") === "True");
      const cron = await context.client.post(`${batch}/cronjobs`, {
        apiVersion: "batch/v1",
        kind: "CronJob",
        metadata: { name: "yearly" },
        spec: { schedule: "0 0 1 1 *", jobTemplate: { spec: { template } } },
      });
      expect(cron.body).toMatchObject({ spec: { suspend: false, concurrencyPolicy: "Allow" } });
      const made = await context.kubectl(["create", "job", "by-hand", "--from=cronjob/yearly"]);
      expect(made).toMatchObject({ code: 0 });
      await context.client.object(`${batch}/jobs`, "by-hand", (object) => textIn(condition(object, "Complete"), "status") === "True");
    });

    test("count what a disruption budget covers", async () => {
      const budgets = `/apis/policy/v1/namespaces/${context.namespace}/poddisruptionbudgets`;
      await context.client.post(budgets, {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name: "covered" },
        spec: { minAvailable: 1, selector: { matchLabels: { app: "db" } } },
      });
      const budget = await context.client.object(budgets, "covered", (object) => numberIn(object, "status", "currentHealthy") === 2);
      expect(budget).toMatchObject({ status: { expectedPods: 2, desiredHealthy: 1, disruptionsAllowed: 1 } });
    });

    test("find no use in percent of a container that requests nothing", async () => {
      const scalers = `/apis/autoscaling/v2/namespaces/${context.namespace}/horizontalpodautoscalers`;
      await context.client.post(apps("deployments"), context.deployment("unrequested"));
      await context.client.object(apps("deployments"), "unrequested", (object) => numberIn(object, "status", "availableReplicas") === 2);
      const cpu = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } };
      await context.client.post(scalers, {
        apiVersion: "autoscaling/v2",
        kind: "HorizontalPodAutoscaler",
        metadata: { name: "unrequested" },
        spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "unrequested" }, maxReplicas: 3, metrics: [cpu] },
      });
      const scaler = await context.client.object(
        scalers,
        "unrequested",
        (object) => textIn(condition(object, "ScalingActive"), "status") === "False",
      );
      // Without an API for metrics the message is another one; the reason is not.
      expect(condition(scaler, "ScalingActive")).toMatchObject({ reason: "FailedGetResourceMetric" });
      expect(textIn(condition(scaler, "ScalingActive"), "message")).toMatch(
        /^the HPA was unable to compute the replica count: failed to get cpu utilization: /,
      );
      expect(textIn(condition(scaler, "AbleToScale"), "status")).toBe("True");
      expect(scaler).toMatchObject({ status: { currentReplicas: 2 } });
    });

    test("give each namespace a ServiceAccount and the cluster's authority", async () => {
      await context.client.object(core("serviceaccounts"), "default", () => true);
      const map = await context.client.object(core("configmaps"), "kube-root-ca.crt", () => true);
      expect(textIn(map, "data", "ca.crt")).toContain("BEGIN CERTIFICATE");
    });

    test("replace a deleted pod and remove all of a deleted Deployment", async () => {
      const pods = `${core("pods")}?labelSelector=app%3Drecreated`;
      const before = listIn((await context.client.get(pods)).body, "items").map((pod) => textIn(pod, "metadata", "name") ?? "");
      await context.client.delete(`${core("pods")}/${before[0]}`);
      await context.client.count(pods, (names) => names.size === 2 && !names.has(before[0] ?? ""));
      await context.kubectl(["delete", "deployment", "recreated"]);
      await context.client.count(pods, (names) => names.size === 0);
      const left: Tree = (await context.client.get(`${apps("replicasets")}?labelSelector=app%3Drecreated`)).body;
      expect(listIn(left, "items")).toEqual([]);
    });
  });
}
