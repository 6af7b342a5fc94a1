// needs: control-plane
import { ActionKind, ActionOutcome, ActionPodReplacement, ActionRight } from "@binnacle/proto/dashboard";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { systemClock } from "@binnacle/rpc";
import { Code } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { featuresSchema } from "../../config/features.ts";
import { ActionBench, CLUSTERS, podSpec, sentenceOf, specOf, workloadSpec, type RequestedAction } from "../../testing/action-bench.ts";
import { answerRules } from "../../testing/cluster-behind-kas.ts";

type Parameters = NonNullable<RequestedAction["parameters"]>;

describe.each(CLUSTERS)("actions on %s", (_, start) => {
  let bench: ActionBench;
  beforeAll(async () => {
    bench = await ActionBench.start(start);
  });
  afterAll(() => bench.stop());
  beforeEach(() => bench.open());
  afterEach(() => bench.close());

  const RESOURCES = { Deployment: "apps/deployments", StatefulSet: "apps/statefulsets", CronJob: "batch/cronjobs" } as const;
  const workload = (spec: object, of: keyof typeof RESOURCES = "Deployment") => bench.create(RESOURCES[of], of, { spec });

  test.each<readonly [string, object, ActionKind, Parameters, object, object]>([
    ["scales", {}, ActionKind.SCALE, { replicas: 3 }, { before: "1", after: "3" }, { spec: { replicas: 3 } }],
    ["scales from zero", { replicas: 0 }, ActionKind.SCALE, { replicas: 2 }, { before: "0", after: "2" }, { spec: { replicas: 2 } }],
    ["scales to zero", { replicas: 2 }, ActionKind.SCALE, { replicas: 0 }, { before: "2", after: "0" }, { spec: { replicas: 0 } }],
    ["pauses", {}, ActionKind.PAUSE, {}, { before: "false", after: "true" }, { spec: { paused: true } }],
    ["resumes", { paused: true }, ActionKind.RESUME, {}, { before: "true", after: "false" }, { spec: {} }],
    [
      "sets the image of one container",
      {},
      ActionKind.SET_IMAGE,
      { container: "web", image: "example/web:2" },
      { path: "spec.template.spec.containers[web].image", before: "example/web:1", after: "example/web:2" },
      { spec: { template: { spec: { containers: [{ image: "example/side:1" }, { image: "example/web:2" }] } } } },
    ],
  ])("%s, shows it before, and undoes it", async (...[, spec, kind, parameters, field, after]) => {
    const { target, read } = await workload(workloadSpec(spec));
    const before = await read();
    const shown = await bench.preview(target, { kind, parameters });
    expect(shown).toMatchObject({ field });
    expect(shown.refused).toBeUndefined();
    expect(specOf(await read())).toEqual(specOf(before));
    const done = await bench.perform(target, { kind, parameters }, shown);
    expect(done).toMatchObject({ outcome: ActionOutcome.DONE, field });
    const changed = await read();
    expect(changed).toMatchObject(after);
    const { undo: kindOfUndo, undoParameters = {} } = done;
    const reverse = { kind: kindOfUndo, parameters: undoParameters };
    const back = await bench.perform(target, reverse, await bench.preview(target, reverse));
    expect(back.outcome).toBe(ActionOutcome.DONE);
    expect({ paused: false, ...specOf(await read()) }).toEqual({ paused: false, ...specOf(before) });
  });

  test.each<readonly [string, "Deployment" | "StatefulSet", object]>([
    ["without annotations", "Deployment", {}],
    ["with annotations", "Deployment", { annotations: { team: "shop" } }],
    ["a StatefulSet", "StatefulSet", {}],
  ])("restarts %s; the same request once more changes nothing", async (_title, of, metadata) => {
    const { target, read } = await workload({ ...workloadSpec({}, metadata), ...(of === "StatefulSet" && { serviceName: "web" }) }, of);
    const shown = await bench.preview(target, { kind: ActionKind.RESTART });
    expect(shown.notes.map(sentenceOf)).toEqual(["its pods are replaced"]);
    expect(shown.podReplacement).toBe(ActionPodReplacement.NOW);
    expect(await bench.perform(target, { kind: ActionKind.RESTART }, shown)).toMatchObject({
      outcome: ActionOutcome.DONE,
      undo: ActionKind.UNSPECIFIED,
    });
    const after = await read();
    expect(JSON.stringify(specOf(after))).toContain('"kubectl.kubernetes.io/restartedAt"');
    const repeat = () => bench.perform(target, { kind: ActionKind.RESTART }, shown);
    expect(await repeat()).toMatchObject({ outcome: ActionOutcome.DONE });
    await bench.restart();
    expect(await repeat(), "at another process").toMatchObject({ outcome: ActionOutcome.DONE });
    expect(specOf(await read())).toEqual(specOf(after));
    const second = await bench.preview(target, { kind: ActionKind.RESTART });
    expect(second.field?.before).toBe(shown.field?.after);
    expect(await bench.perform(target, { kind: ActionKind.RESTART }, second)).toMatchObject({ outcome: ActionOutcome.DONE });
    // The first dialog is outdated by now.
    await bench.restart();
    const third = await repeat();
    expect(third.outcome).toBe(ActionOutcome.CONFLICT);
  });

  test("suspends a CronJob and ends the suspension", async () => {
    const template = { spec: { ...podSpec(), restartPolicy: "Never" } };
    const { target, read } = await workload({ schedule: "0 3 * * *", jobTemplate: { spec: { template } } }, "CronJob");
    const done = await bench.perform(target, { kind: ActionKind.SUSPEND }, await bench.preview(target, { kind: ActionKind.SUSPEND }));
    expect(done).toMatchObject({ outcome: ActionOutcome.DONE, undo: ActionKind.UNSUSPEND });
    expect(await read()).toMatchObject({ spec: { suspend: true } });
    await bench.perform(target, { kind: ActionKind.UNSUSPEND }, await bench.preview(target, { kind: ActionKind.UNSUSPEND }));
    expect(await read()).toMatchObject({ spec: { suspend: false } });
    const parameters = { container: "web", image: "example/web:2" };
    await bench.perform(
      target,
      { kind: ActionKind.SET_IMAGE, parameters },
      await bench.preview(target, { kind: ActionKind.SET_IMAGE, parameters }),
    );
    expect(JSON.stringify(await read())).toContain('"image":"example/web:2"');
  });

  test("a preview says when pods are replaced: on resume, when they are deleted, or that no template changes", async () => {
    const restart = { kind: ActionKind.SET_IMAGE, parameters: { container: "web", image: "example/web:2" } };
    const paused = await workload(workloadSpec({ paused: true }));
    const onDelete = await workload({ ...workloadSpec({}), serviceName: "web", updateStrategy: { type: "OnDelete" } }, "StatefulSet");
    const previews = [
      await bench.preview(paused.target, restart),
      await bench.preview(onDelete.target, restart),
      await bench.preview(paused.target, { kind: ActionKind.SCALE, parameters: { replicas: 3 } }),
    ];
    const { ON_RESUME, ON_DELETE, UNSPECIFIED } = ActionPodReplacement;
    expect(previews.map(({ podReplacement }) => podReplacement)).toEqual([ON_RESUME, ON_DELETE, UNSPECIFIED]);
  });

  test("T53: a value that another writer wrote since the preview is not overwritten", async () => {
    const { target, path, read } = await workload(workloadSpec({}));
    const shown = await bench.preview(target, { kind: ActionKind.SCALE, parameters: { replicas: 3 } });
    await bench.cluster.merge(path, { spec: { replicas: 5 } });
    const answer = await bench.perform(target, { kind: ActionKind.SCALE, parameters: { replicas: 3 } }, shown);
    expect(answer).toMatchObject({ outcome: ActionOutcome.CONFLICT, field: { before: "5", after: "3" } });
    expect(sentenceOf(answer.words)).toBe("spec.replicas is 5 now, not 1: nothing was changed");
    expect(await read()).toMatchObject({ spec: { replicas: 5 } });
  });

  test("a value that another writer writes between reading and writing is not overwritten; a status is no conflict", async () => {
    const { target, path, read } = await workload(workloadSpec({}));
    const shown = await bench.preview(target, { kind: ActionKind.SCALE, parameters: { replicas: 3 } });
    let raced: Promise<unknown> | undefined;
    bench.cluster.intercept = (request, response) => {
      if (request.method !== "PATCH" || raced) return undefined;
      raced = bench.cluster.merge(path, { spec: { replicas: 7 } }).then(() => bench.cluster.forward(request, response));
      return "handled";
    };
    const answer = await bench.perform(target, { kind: ActionKind.SCALE, parameters: { replicas: 3 } }, shown);
    expect(answer).toMatchObject({ outcome: ActionOutcome.CONFLICT, field: { before: "7" } });
    expect(await read()).toMatchObject({ spec: { replicas: 7 } });
    const again = await bench.preview(target, { kind: ActionKind.SCALE, parameters: { replicas: 3 } });
    await bench.cluster.merge(`${path}/status`, { status: { replicas: 7, observedGeneration: 9 } });
    expect(await bench.perform(target, { kind: ActionKind.SCALE, parameters: { replicas: 3 } }, again)).toMatchObject({
      outcome: ActionOutcome.DONE,
    });
  });

  test("an answer that is lost leaves the outcome unknown; the same request again is done, and is sent to the cluster once", async () => {
    const { target, read } = await workload(workloadSpec({}));
    const shown = await bench.preview(target, { kind: ActionKind.SCALE, parameters: { replicas: 4 } });
    let patches = 0;
    bench.cluster.intercept = (request) => {
      if (request.method !== "PATCH") return undefined;
      patches += 1;
      return "drop-answer";
    };
    expect(await bench.perform(target, { kind: ActionKind.SCALE, parameters: { replicas: 4 } }, shown)).toMatchObject({
      outcome: ActionOutcome.UNKNOWN,
    });
    expect(await bench.perform(target, { kind: ActionKind.SCALE, parameters: { replicas: 4 } }, shown)).toMatchObject({
      outcome: ActionOutcome.DONE,
      field: { before: "1", after: "4" },
      undo: ActionKind.SCALE,
      undoParameters: { replicas: 1 },
    });
    expect(patches).toBe(1);
    expect(await read()).toMatchObject({ spec: { replicas: 4 } });
  });

  test("the same request again has the result of the first, also while that is running, and sends nothing; after a restart it reads first", async () => {
    const { target } = await workload(workloadSpec({}));
    const action = { kind: ActionKind.SCALE, parameters: { replicas: 4 } };
    const shown = await bench.preview(target, action);
    const perform = () => bench.perform(target, action, shown);
    const sent = () => bench.world.kas.requests.length;
    const patches = () => bench.world.kas.requests.filter((request) => request.includes(" PATCH ")).length;
    const previewed = patches();
    const [one, two] = await Promise.all([perform(), perform()]);
    expect(one).toMatchObject({ outcome: ActionOutcome.DONE, undoParameters: { replicas: 1 } });
    expect(two).toEqual(one);
    const before = sent();
    expect(await perform()).toEqual(one);
    expect([sent(), patches() - previewed]).toEqual([before, 1]);
    await bench.restart();
    expect(await perform()).toEqual(one);
    expect([sent() > before, patches() - previewed]).toEqual([true, 1]);
  });

  test("T53: another request with the id of one that was performed is rejected, and nothing is sent", async () => {
    const { target, read } = await workload(workloadSpec({}));
    const action = { kind: ActionKind.SCALE, parameters: { replicas: 4 } };
    const shown = await bench.preview(target, action);
    await bench.perform(target, action, shown);
    const before = bench.world.kas.requests.length;
    const other = bench.perform(target, { ...action, parameters: { replicas: 5 } }, shown);
    await expect(other).rejects.toMatchObject({ code: Code.InvalidArgument });
    expect(bench.world.kas.requests).toHaveLength(before);
    expect(await read()).toMatchObject({ spec: { replicas: 4 } });
  });

  test("T53: another object of the same name is not changed", async () => {
    const { target, path, read } = await workload(workloadSpec({}));
    const shown = await bench.preview(target, { kind: ActionKind.SCALE, parameters: { replicas: 4 } });
    await bench.cluster.send("DELETE", path, { body: { propagationPolicy: "Background" } });
    const { kind, name } = target.ref;
    await bench.cluster.send("POST", path.slice(0, path.lastIndexOf("/")), {
      body: { apiVersion: "apps/v1", kind, metadata: { name }, spec: workloadSpec({}) },
    });
    const answer = await bench.perform(target, { kind: ActionKind.SCALE, parameters: { replicas: 4 } }, shown);
    expect([answer.outcome, sentenceOf(answer.words)]).toEqual([ActionOutcome.REFUSED, "another object has this name now: open it again"]);
    expect(await read()).toMatchObject({ spec: { replicas: 1 } });
  });

  test("a dry run that the API server refuses is shown with its words, and so is the request", async () => {
    const { target } = await workload(workloadSpec({}));
    bench.cluster.intercept = (request, response) => {
      if (request.method !== "PATCH") return undefined;
      const status = {
        apiVersion: "v1",
        kind: "Status",
        status: "Failure",
        code: 403,
        reason: "Forbidden",
        message: "exceeded quota: pods",
      };
      response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify(status));
      return "handled";
    };
    const shown = await bench.preview(target, { kind: ActionKind.SCALE, parameters: { replicas: 4 } });
    expect(sentenceOf(shown.refused)).toContain("exceeded quota: pods");
    const answer = await bench.perform(target, { kind: ActionKind.SCALE, parameters: { replicas: 4 } }, shown);
    expect(answer.outcome).toBe(ActionOutcome.REFUSED);
    expect(sentenceOf(answer.words)).toContain("exceeded quota: pods");
  });

  test.each<readonly [string, ActionKind, Parameters, string]>([
    ["more replicas than any cluster runs", ActionKind.SCALE, { replicas: 10_001 }, "whole number from 0 to 10000"],
    ["no number of replicas", ActionKind.SCALE, {}, "whole number from 0 to 10000"],
    ["a container that is absent", ActionKind.SET_IMAGE, { container: "none", image: "a:1" }, "there is no container none"],
    ["no image", ActionKind.SET_IMAGE, { container: "web", image: "" }, "the image must be a reference"],
    ["an image with a line break", ActionKind.SET_IMAGE, { container: "web", image: "a\nb" }, "the image must be a reference"],
    ["the action of another kind", ActionKind.SUSPEND, {}, "there is no such action for Deployment"],
  ])("refuses %s", async (...[, kind, parameters, why]) => {
    const { target } = await workload(workloadSpec({}));
    const shown = await bench.preview(target, { kind, parameters });
    expect(sentenceOf(shown.refused)).toContain(why);
    expect(await bench.perform(target, { kind, parameters }, shown)).toMatchObject({ outcome: ActionOutcome.REFUSED });
  });

  test("a request without a time, with an old or a future one, or with parameters of another action sends no request to the cluster", async () => {
    const { target } = await workload(workloadSpec({}));
    const { uid, requestedAt } = await bench.preview(target, { kind: ActionKind.PAUSE });
    const request = { target, kind: ActionKind.PAUSE, uid, requestId: "request-1", expected: "false" };
    const before = bench.world.kas.requests.length;
    const at = requestedAt && { requestedAt };
    for (const wrong of [
      {},
      { requestedAt: { seconds: 1n, nanos: 0 } },
      { requestedAt: toTimestamp(Date.now() + 120_000) },
      { ...at, parameters: { replicas: 3 } },
      { ...at, requestId: "short" },
      { ...at, kind: ActionKind.UNSPECIFIED },
    ])
      await expect(bench.dashboard.act({ ...request, ...wrong })).rejects.toMatchObject({ code: Code.InvalidArgument });
    expect(bench.world.kas.requests).toHaveLength(before);
  });

  test("reviews all rights by one request, for 30 s, with the Role that is missing", async () => {
    const { target } = await workload(workloadSpec({}));
    bench.cluster.intercept = answerRules([{ verbs: ["patch"], apiGroups: ["apps"], resources: ["deployments"] }]);
    const review = await bench.dashboard.reviewActions({ target });
    expect(review.actions.map(({ kind, right }) => [kind, right])).toEqual([
      [ActionKind.RESTART, ActionRight.ALLOWED],
      [ActionKind.SCALE, ActionRight.DENIED],
      [ActionKind.SET_IMAGE, ActionRight.ALLOWED],
      [ActionKind.ROLL_BACK, ActionRight.ALLOWED],
      [ActionKind.PAUSE, ActionRight.ALLOWED],
      [ActionKind.EDIT_LABELS, ActionRight.ALLOWED],
    ]);
    await bench.dashboard.reviewActions({ target });
    const reviews = bench.world.kas.requests.filter((request) => /\/selfsubject(access|rules)reviews$/.test(request));
    expect(reviews).toEqual(["maintainer POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews"]);
    const [, scale] = review.actions;
    expect(sentenceOf(scale?.words)).toBe("you may not patch deployments/scale in namespace prod");
    expect(scale?.roleYaml).toContain("- deployments/scale");
    expect(review).toMatchObject({ replicas: 1, images: [{ container: "side" }, { container: "web", image: "example/web:1" }] });
  });

  test("T8: a session cookie without an Origin changes nothing", async () => {
    const { target, read } = await workload(workloadSpec({}));
    const { uid, requestedAt } = await bench.preview(target, { kind: ActionKind.PAUSE });
    const request = { target, kind: ActionKind.PAUSE, uid, requestId: "request-1", expected: "false", ...(requestedAt && { requestedAt }) };
    const program = bench.world.clientWith("_gitlab_session=session-maintainer", {});
    await expect(program.act(request)).rejects.toMatchObject({ code: Code.PermissionDenied });
    expect(specOf(await read())).not.toHaveProperty("paused");
    expect(await bench.dashboard.act(request)).toMatchObject({ outcome: ActionOutcome.DONE });
  });

  test("T53: actions that are switched off for a tier are refused by every call, and a tier only narrows", async () => {
    const { target, read } = await workload(workloadSpec({}));
    const shown = await bench.preview(target, { kind: ActionKind.SCALE, parameters: { replicas: 3 } });
    const off = featuresSchema.parse({ tiers: { production: { actions: "off" } } });
    for (const features of [off, featuresSchema.parse({ actions: "off", tiers: { production: { actions: "safe" } } })]) {
      await bench.world.bff.close();
      bench.world.start(systemClock, { features });
      const before = bench.world.kas.requests.length;
      await expect(bench.dashboard.reviewActions({ target })).rejects.toMatchObject({ code: Code.PermissionDenied });
      await expect(bench.preview(target, { kind: ActionKind.SCALE, parameters: { replicas: 3 } })).rejects.toMatchObject({
        code: Code.PermissionDenied,
      });
      await expect(bench.perform(target, { kind: ActionKind.SCALE, parameters: { replicas: 3 } }, shown)).rejects.toMatchObject({
        code: Code.PermissionDenied,
      });
      expect(bench.world.kas.requests, "nothing is sent to the cluster").toHaveLength(before);
    }
    expect(await read()).toMatchObject({ spec: { replicas: 1 } });
  });
});
