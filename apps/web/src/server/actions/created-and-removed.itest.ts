// needs: control-plane
import { ActionEffectKind, ActionKind, ActionOutcome, ActionPropagation, ActionRight } from "@binnacle/proto/dashboard";
import { Code } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { featuresSchema } from "../config/features.ts";
import { ActionBench, CLUSTERS, NAMESPACE, podSpec, sentenceOf, specOf, workloadSpec, type BenchObject } from "../testing/action-bench.ts";
import { answerRules } from "../testing/cluster-behind-kas.ts";

const JOBS = `/apis/batch/v1/namespaces/${NAMESPACE}/jobs`;
const ALL = featuresSchema.parse({ actions: "all" });

describe.each(CLUSTERS)("actions on %s", (_, start) => {
  let bench: ActionBench;
  beforeAll(async () => {
    bench = await ActionBench.start(start);
  });
  afterAll(() => bench.stop());
  beforeEach(() => bench.open({ features: ALL }));
  afterEach(() => bench.close());

  const jobTemplate = { metadata: { labels: { team: "shop" } }, spec: { template: { spec: { ...podSpec(), restartPolicy: "Never" } } } };
  const ownerOf = async ({ read }: BenchObject) => {
    const { apiVersion, kind, metadata } = await read();
    const { name, uid } = metadata as { readonly name: string; readonly uid: string };
    return [{ apiVersion, kind, name, uid, controller: true }];
  };
  const notesOf = (shown: { readonly notes: Parameters<typeof sentenceOf>[0][] }) => shown.notes.map(sentenceOf);

  test("a CronJob runs now: one Job as its controller would create it, once for one request", async () => {
    const cronJob = await bench.create("batch/cronjobs", "CronJob", { spec: { schedule: "0 3 * * *", jobTemplate } });
    const requestId = "dialog-00000001";
    const shown = await bench.preview(cronJob.target, { kind: ActionKind.RUN_NOW, request: { requestId } });
    const name = shown.field?.after ?? "";
    expect(name).toMatch(/^web-\d+-[0-9a-f]{8}$/);
    await expect(bench.cluster.send("GET", `${JOBS}/${name}`)).rejects.toThrow("not found");
    for (const attempt of [1, 2]) {
      // At another process, which has to find the Job.
      await bench.restart();
      expect(
        await bench.perform(cronJob.target, { kind: ActionKind.RUN_NOW, request: { requestId } }, shown),
        `attempt ${attempt}`,
      ).toMatchObject({
        outcome: ActionOutcome.DONE,
        field: { after: name },
        undo: ActionKind.UNSPECIFIED,
      });
    }
    expect(await bench.cluster.send("GET", `${JOBS}/${name}`)).toMatchObject({
      metadata: {
        labels: { team: "shop" },
        annotations: { "cronjob.kubernetes.io/instantiate": "manual" },
        ownerReferences: await ownerOf(cronJob),
      },
      spec: { template: { spec: { restartPolicy: "Never" } } },
    });
    const other = await bench.preview(cronJob.target, { kind: ActionKind.RUN_NOW, request: { requestId: "dialog-00000002" } });
    expect(other.field?.after).not.toBe(name);
  });

  test("a Job runs again when it has finished, and not before", async () => {
    const job = await bench.create("batch/jobs", "Job", { spec: jobTemplate.spec });
    expect(sentenceOf((await bench.preview(job.target, { kind: ActionKind.RUN_AGAIN })).refused)).toBe("the Job has not finished");
    const [startTime, completionTime] = ["2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z"];
    const condition = (type: string) => ({ type, status: "True", lastProbeTime: completionTime, lastTransitionTime: completionTime });
    const conditions = [condition("SuccessCriteriaMet"), condition("Complete")];
    await bench.cluster.merge(`${job.path}/status`, { status: { startTime, completionTime, succeeded: 1, conditions } });
    const requestId = "dialog-00000003";
    const shown = await bench.preview(job.target, { kind: ActionKind.RUN_AGAIN, request: { requestId } });
    expect(shown.refused).toBeUndefined();
    expect(await bench.perform(job.target, { kind: ActionKind.RUN_AGAIN, request: { requestId } }, shown)).toMatchObject({
      outcome: ActionOutcome.DONE,
    });
    const again = await bench.cluster.send("GET", `${JOBS}/${shown.field?.after ?? ""}`);
    expect(again).toMatchObject({ spec: { template: { spec: { restartPolicy: "Never" } } } });
    expect(JSON.stringify(specOf(again))).not.toContain(job.target.ref.name + '"');
  });

  test("a Job whose pods run is stopped: suspended, and resumed by the reverse; level safe lacks it", async () => {
    const running = async () => {
      const made = await bench.create("batch/jobs", "Job", { spec: { ...jobTemplate.spec, parallelism: 2, completions: 2 } });
      await bench.cluster.merge(`${made.path}/status`, { status: { startTime: "2026-01-01T00:00:00Z", active: 2, ready: 0 } });
      return made;
    };
    const [job, other] = [await running(), await running()];
    const offered = async ({ target } = job) => (await bench.dashboard.reviewActions({ target })).actions.map(({ kind }) => kind);
    expect(await offered()).toEqual([ActionKind.STOP, ActionKind.EDIT_LABELS, ActionKind.EDIT, ActionKind.DELETE]);
    // Suspending ends the pods, too, and is an action of level safe.
    expect(sentenceOf((await bench.preview(job.target, { kind: ActionKind.SUSPEND })).refused)).toBe(
      "pods of the Job are running: stop it instead",
    );
    const shown = await bench.preview(job.target, { kind: ActionKind.STOP });
    expect(notesOf(shown)).toEqual([
      "its 2 running pods end now, and what is under way in them is lost",
      "the Job stays with what it has completed; resuming it starts new pods for the rest",
    ]);
    const done = await bench.perform(job.target, { kind: ActionKind.STOP, request: { typedName: job.target.ref.name } }, shown);
    expect(done).toMatchObject({ outcome: ActionOutcome.DONE, undo: ActionKind.UNSUSPEND });
    expect(await job.read()).toMatchObject({ spec: { suspend: true } });
    expect(await offered()).toEqual([ActionKind.UNSUSPEND, ActionKind.EDIT_LABELS, ActionKind.EDIT, ActionKind.DELETE]);
    const back = await bench.preview(job.target, { kind: ActionKind.UNSUSPEND });
    expect(notesOf(back)).toEqual(["it starts pods for what is not completed"]);
    expect(await bench.perform(job.target, { kind: ActionKind.UNSUSPEND }, back)).toMatchObject({ undo: ActionKind.SUSPEND });
    expect(await job.read()).toMatchObject({ spec: { suspend: false } });
    const stop = { kind: ActionKind.STOP, request: { typedName: other.target.ref.name } };
    const shownOfOther = await bench.preview(other.target, stop);
    await bench.close();
    await bench.open({ features: featuresSchema.parse({ actions: "safe" }) });
    expect(await offered(other)).toEqual([ActionKind.EDIT_LABELS]);
    expect(await bench.perform(other.target, stop, shownOfOther)).toMatchObject({ outcome: ActionOutcome.REFUSED });
    expect(await other.read()).toMatchObject({ spec: { suspend: false } });
  });

  test("an answer that is lost leaves a new Job unknown; the same request again finds it, and creates no second one", async () => {
    const cronJob = await bench.create("batch/cronjobs", "CronJob", { spec: { schedule: "0 3 * * *", jobTemplate } });
    const requestId = "dialog-00000004";
    const shown = await bench.preview(cronJob.target, { kind: ActionKind.RUN_NOW, request: { requestId } });
    let posts = 0;
    bench.cluster.intercept = ({ method, url }) => {
      if (method !== "POST" || url?.startsWith(JOBS) !== true) return undefined;
      posts += 1;
      return "drop-answer";
    };
    const perform = () => bench.perform(cronJob.target, { kind: ActionKind.RUN_NOW, request: { requestId } }, shown);
    expect(await perform()).toMatchObject({ outcome: ActionOutcome.UNKNOWN });
    expect(await perform()).toMatchObject({ outcome: ActionOutcome.DONE });
    expect(posts).toBe(1);
  });

  test("a Deployment rolls back to the template of a ReplicaSet, and forward again", async () => {
    const deployment = await bench.create("apps/deployments", "Deployment", { spec: workloadSpec({}, {}, "example/web:2") });
    const ownerReferences = await ownerOf(deployment);
    for (const revision of [1, 2]) {
      const labels = { app: "web", "pod-template-hash": `hash${revision}` };
      await bench.create("apps/replicasets", "ReplicaSet", {
        metadata: { labels, annotations: { "deployment.kubernetes.io/revision": String(revision) }, ownerReferences },
        spec: { ...workloadSpec({ selector: { matchLabels: labels } }, { labels }, `example/web:${revision}`), replicas: 0 },
      });
    }
    const { revisions } = await bench.dashboard.listRevisions({ target: deployment.target });
    // The embedded cluster's controller creates a third of its own.
    expect(revisions.slice(-2)).toMatchObject([
      { revision: 2n, images: ["example/side:1", "example/web:2"] },
      { revision: 1n, images: ["example/side:1", "example/web:1"] },
    ]);
    const present = revisions.filter(({ isPresent }) => isPresent).map(({ revision }) => revision);
    expect(present).toEqual([revisions[0]?.revision]);
    const action = { kind: ActionKind.ROLL_BACK, parameters: { revision: 1n } };
    const shown = await bench.preview(deployment.target, action);
    expect(shown.changes).toMatchObject([
      { path: "spec.template.spec.containers[web].image", before: "example/web:2", after: "example/web:1", hidden: false },
    ]);
    const done = await bench.perform(deployment.target, action, shown);
    expect(done).toMatchObject({ outcome: ActionOutcome.DONE, undo: ActionKind.ROLL_BACK, undoParameters: { revision: present[0] } });
    const rolledBack = await deployment.read();
    expect(JSON.stringify(rolledBack)).toContain('"image":"example/web:1"');
    expect(JSON.stringify(specOf(rolledBack))).not.toContain("pod-template-hash");
    expect(await bench.perform(deployment.target, action, shown)).toMatchObject({ outcome: ActionOutcome.DONE });
    const forward = { kind: ActionKind.ROLL_BACK, parameters: { revision: 2n } };
    const seen = await bench.preview(deployment.target, forward);
    await bench.cluster.merge(deployment.path, { spec: { template: { metadata: { labels: { changed: "since" } } } } });
    expect(await bench.perform(deployment.target, forward, seen)).toMatchObject({ outcome: ActionOutcome.CONFLICT });
    const none = await bench.preview(deployment.target, { kind: ActionKind.ROLL_BACK, parameters: { revision: 9n } });
    expect(sentenceOf(none.refused)).toBe("there is no revision 9 any more");
  });

  test("a StatefulSet rolls back to a ControllerRevision", async () => {
    const set = await bench.create("apps/statefulsets", "StatefulSet", { spec: workloadSpec({ serviceName: "web" }, {}, "example/web:2") });
    const { template } = specOf({ spec: workloadSpec({}, {}, "example/web:1") }) as { readonly template: object };
    await bench.create("apps/controllerrevisions", "ControllerRevision", {
      metadata: { labels: { app: "web" }, ownerReferences: await ownerOf(set) },
      // Not that of the revision which a controller makes.
      revision: 7,
      data: { spec: { template: { ...template, $patch: "replace" } } },
    });
    const action = { kind: ActionKind.ROLL_BACK, parameters: { revision: 7n } };
    expect(await bench.perform(set.target, action, await bench.preview(set.target, action))).toMatchObject({ outcome: ActionOutcome.DONE });
    expect(JSON.stringify(await set.read())).toContain('"image":"example/web:1"');
  });

  test("minimum and maximum of an autoscaler are set, and set back; the preview of a scale names it", async () => {
    const deployment = await bench.create("apps/deployments", "Deployment", { spec: workloadSpec() });
    const { name } = deployment.target.ref;
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name };
    const scaler = await bench.create("autoscaling/horizontalpodautoscalers", "HorizontalPodAutoscaler", {
      spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 5 },
    });
    const action = { kind: ActionKind.SET_LIMITS, parameters: { minReplicas: 3, maxReplicas: 8 } };
    const done = await bench.perform(scaler.target, action, await bench.preview(scaler.target, action));
    expect(done).toMatchObject({ field: { before: "2 to 5", after: "3 to 8" }, undo: ActionKind.SET_LIMITS });
    expect(done.undoParameters).toMatchObject({ minReplicas: 2, maxReplicas: 5 });
    expect(await scaler.read()).toMatchObject({ spec: { minReplicas: 3, maxReplicas: 8 } });
    const scaled = await bench.preview(deployment.target, { kind: ActionKind.SCALE, parameters: { replicas: 1 } });
    expect(notesOf(scaled)).toContain(
      `HorizontalPodAutoscaler ${scaler.target.ref.name} keeps the replicas between 3 and 8 and may reverse this`,
    );
    const wrong = await bench.preview(scaler.target, { kind: ActionKind.SET_LIMITS, parameters: { minReplicas: 3, maxReplicas: 2 } });
    expect(sentenceOf(wrong.refused)).toContain("the maximum at least the minimum");
  });

  test("a pod is evicted unless a budget forbids it, in the words of the API server", async () => {
    const metadata = { labels: { app: "guarded" } };
    const pod = await bench.create("/pods", "Pod", { metadata, spec: podSpec() });
    await bench.cluster.merge(`${pod.path}/status`, {
      status: { phase: "Running", conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }] },
    });
    const budget = await bench.create("policy/poddisruptionbudgets", "PodDisruptionBudget", {
      spec: { minAvailable: 1, selector: { matchLabels: metadata.labels } },
    });
    const shown = await bench.preview(pod.target, { kind: ActionKind.EVICT });
    expect(sentenceOf(shown.refused)).toContain("disruption budget");
    expect(notesOf(shown)).toEqual(["no controller owns it: no other pod takes its place"]);
    const action = { kind: ActionKind.EVICT, request: { typedName: pod.target.ref.name } };
    expect(await bench.perform(pod.target, action, shown)).toMatchObject({ outcome: ActionOutcome.REFUSED });
    await bench.cluster.send("DELETE", budget.path);
    const allowed = await bench.preview(pod.target, { kind: ActionKind.EVICT });
    expect(allowed.refused).toBeUndefined();
    expect(await pod.read()).toMatchObject({ metadata });
    expect(await bench.perform(pod.target, action, allowed)).toMatchObject({ outcome: ActionOutcome.DONE });
    await expect(pod.read()).rejects.toThrow("not found");
    expect(await bench.perform(pod.target, action, allowed)).toMatchObject({ outcome: ActionOutcome.DONE });
  });

  test("T53: an object is deleted only with its name typed in production, only as the object that was shown", async () => {
    const map = await bench.create("/configmaps", "ConfigMap", { metadata: { finalizers: ["example.test/wait"] } });
    const action = { kind: ActionKind.DELETE, parameters: { propagation: ActionPropagation.ORPHAN } };
    const shown = await bench.preview(map.target, action);
    expect(shown).toMatchObject({ needsName: true });
    expect(notesOf(shown)).toEqual([
      "the objects that it owns stay, without an owner",
      "it is gone only when its finalizers have been removed: example.test/wait",
    ]);
    const untyped = await bench.perform(map.target, { ...action, request: { requestId: "dialog-00000005" } }, shown);
    expect([untyped.outcome, sentenceOf(untyped.words)]).toEqual([
      ActionOutcome.REFUSED,
      "type the name of the object: this cannot be undone",
    ]);
    const typedName = map.target.ref.name;
    expect(await bench.perform(map.target, { ...action, request: { typedName } }, shown)).toMatchObject({ outcome: ActionOutcome.DONE });
    expect(await map.read()).toMatchObject({ metadata: { deletionTimestamp: expect.any(String) } });
    await bench.cluster.merge(map.path, { metadata: { finalizers: null } });
    const { path, target } = map;
    const gone = await bench.preview(target, action);
    expect([gone.uid, gone.refused]).toEqual(["", expect.anything()]);
    await expect(bench.preview({ ...target, environment: "nowhere" }, action), "no environment is another matter").rejects.toThrow(
      "not_found",
    );
    await bench.cluster.send("POST", path.slice(0, path.lastIndexOf("/")), {
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: typedName } },
    });
    // The object that was to be deleted is gone; the new one of its name stays, also when another process is sent the request again.
    await bench.restart();
    expect(await bench.perform(target, { ...action, request: { typedName } }, shown)).toMatchObject({ outcome: ActionOutcome.DONE });
    expect(await map.read()).toMatchObject({ metadata: { name: typedName } });
  });

  test("T53: the level safe neither offers nor performs what destroys something", async () => {
    const pod = await bench.create("/pods", "Pod", { spec: podSpec() });
    const owner = await bench.create("/configmaps", "ConfigMap", {});
    const controlled = await bench.create("/pods", "Pod", { metadata: { ownerReferences: await ownerOf(owner) }, spec: podSpec() });
    const shown = await bench.preview(pod.target, { kind: ActionKind.DELETE });
    await bench.close();
    await bench.open({ features: featuresSchema.parse({}) });
    const service = await bench.create("/services", "Service", { spec: { ports: [{ port: 80 }] } });
    const offered = async ({ target }: BenchObject) => (await bench.dashboard.reviewActions({ target })).actions.map(({ kind }) => kind);
    expect(await offered(service)).toEqual([ActionKind.EDIT_LABELS]);
    expect(await offered(pod)).toEqual([ActionKind.EDIT_LABELS]);
    expect(await offered(controlled)).toEqual([ActionKind.EVICT, ActionKind.EDIT_LABELS]);
    const refused = await bench.perform(pod.target, { kind: ActionKind.DELETE, request: { typedName: pod.target.ref.name } }, shown);
    expect([refused.outcome, sentenceOf(refused.words)]).toMatchObject([ActionOutcome.REFUSED, expect.stringContaining("switched off")]);
    expect(await pod.read()).toMatchObject({ metadata: { name: pod.target.ref.name } });
  });

  test("a preview names the budget of a pod, the pods of a restart, and the reverse of a scale", async () => {
    const labels = { app: "web", part: "effects" };
    const selector = { matchLabels: labels };
    const budget = await bench.create("policy/poddisruptionbudgets", "PodDisruptionBudget", { spec: { minAvailable: 1, selector } });
    const workload = await bench.create("apps/statefulsets", "StatefulSet", {
      spec: { ...workloadSpec({ selector, serviceName: "none", replicas: 0 }, { labels }) },
    });
    // As a controller, the StatefulSet of the embedded cluster would delete it.
    const ownerReferences = (await ownerOf(workload)).map((owner) => ({ ...owner, controller: false }));
    const pod = await bench.create("/pods", "Pod", { metadata: { labels, ownerReferences }, spec: podSpec() });
    // Budgets do not apply to a pod that does not run.
    await bench.cluster.merge(`${pod.path}/status`, { status: { phase: "Running" } });
    const effectsOf = async (target: BenchObject["target"], action: Parameters<ActionBench["preview"]>[1]) =>
      (await bench.preview(target, action)).effects;
    const [covering] = await effectsOf(pod.target, { kind: ActionKind.EVICT });
    expect(covering?.kind).toBe(ActionEffectKind.BUDGET);
    expect(sentenceOf(covering?.words)).toContain(`PodDisruptionBudget ${budget.target.ref.name} allows`);
    expect(await effectsOf(workload.target, { kind: ActionKind.RESTART })).toMatchObject([
      { kind: ActionEffectKind.REPLACED, names: [pod.target.ref.name], moreNames: 0 },
    ]);
    bench.cluster.intercept = ({ url }, response) => {
      if (url?.includes("/poddisruptionbudgets") !== true) return undefined;
      const status = { kind: "Status", apiVersion: "v1", status: "Failure", reason: "Forbidden", message: "no", code: 403 };
      response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify(status));
      return "handled";
    };
    const [unknown] = await effectsOf(pod.target, { kind: ActionKind.EVICT });
    expect([unknown?.kind, sentenceOf(unknown?.words)]).toEqual([
      ActionEffectKind.NOT_KNOWN,
      `not known whether a PodDisruptionBudget is in the way: you may not list poddisruptionbudgets in namespace ${NAMESPACE}`,
    ]);
    const scale = { kind: ActionKind.SCALE, parameters: { replicas: 2 } };
    expect(await bench.preview(workload.target, scale)).toMatchObject({ undo: ActionKind.SCALE, undoParameters: { replicas: 0 } });
  });

  test("rights are reviewed with the verb of each action, and a missing one comes with its Role", async () => {
    const pod = await bench.create("/pods", "Pod", { spec: podSpec() });
    bench.cluster.intercept = answerRules([]);
    const { actions } = await bench.dashboard.reviewActions({ target: pod.target });
    expect(actions.map(({ kind, right, words }) => [kind, right, sentenceOf(words)])).toEqual([
      [ActionKind.EVICT, ActionRight.DENIED, "you may not create pods/eviction in namespace prod"],
      [ActionKind.EDIT_LABELS, ActionRight.DENIED, "you may not patch pods in namespace prod"],
      [ActionKind.EDIT, ActionRight.DENIED, "you may not patch pods in namespace prod"],
      [ActionKind.DELETE, ActionRight.DENIED, "you may not delete pods in namespace prod"],
    ]);
    expect(actions.map(({ roleYaml }) => roleYaml)).toEqual(
      ["- create", "- patch", "- patch", "- delete"].map((verb) => expect.stringContaining(verb) as string),
    );
    const wrong = bench.preview(pod.target, { kind: ActionKind.EVICT, parameters: { propagation: ActionPropagation.ORPHAN } });
    await expect(wrong).rejects.toMatchObject({ code: Code.InvalidArgument });
  });
});
