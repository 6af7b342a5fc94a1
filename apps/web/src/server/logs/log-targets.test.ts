import { HttpKubeClient, type KubeTransport, type ViewScope } from "@binnacle/environment-view";
import { ResourceRefSchema, type ResourceRef } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import { logTargets, type LogsEnvironment } from "./log-targets.ts";

const SHOP: ViewScope = { namespaces: ["shop"] };
const NEVER = new AbortController().signal;

/** An environment whose cluster has these objects, by path. */
function environmentOf(objects: Readonly<Record<string, object>>, scope: ViewScope = SHOP): LogsEnvironment {
  const transport: KubeTransport = {
    request: ({ path }) => {
      const object = objects[path.split("?")[0] ?? ""];
      async function* body(): AsyncGenerator<Uint8Array> {
        yield await Promise.resolve(Buffer.from(JSON.stringify(object ?? {})));
      }
      return Promise.resolve({ status: object === undefined ? 404 : 200, header: () => undefined, body: body(), close: () => undefined });
    },
  };
  return { scope, environment: { name: "production" }, access: { client: new HttpKubeClient(transport) } };
}

const refOf = (group: string, resource: string, name: string): ResourceRef =>
  create(ResourceRefSchema, { group, version: "v1", resource, namespace: "shop", name });

test("pods of a ReplicationController are selected by its plain map of labels", async () => {
  const metadata = { name: "old", namespace: "shop", uid: "1" };
  const environment = environmentOf({
    "/api/v1/namespaces/shop/replicationcontrollers/old": {
      apiVersion: "v1",
      kind: "ReplicationController",
      metadata,
      spec: { selector: { app: "old", tier: "front" } },
    },
  });
  expect(await logTargets(environment, [refOf("", "replicationcontrollers", "old")], NEVER)).toEqual([
    { namespace: "shop", labelSelector: "app=old,tier=front" },
  ]);
});

test("pods of a Deployment are selected by labels and expressions, and a pod by its name", async () => {
  const selector = { matchLabels: { app: "web" }, matchExpressions: [{ key: "track", operator: "NotIn", values: ["canary"] }] };
  const environment = environmentOf({
    "/apis/apps/v1/namespaces/shop/deployments/web": {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", namespace: "shop", uid: "1" },
      spec: { selector },
    },
  });
  expect(await logTargets(environment, [refOf("apps", "deployments", "web"), refOf("", "pods", "web-0")], NEVER)).toEqual([
    { namespace: "shop", labelSelector: "app=web,track notin (canary)" },
    { namespace: "shop", pod: "web-0" },
  ]);
});

test("pods of a CronJob are those of its own newest twenty Jobs", async () => {
  const jobOf = (n: number, owner: string): object => ({
    metadata: {
      name: `${owner}-${n}`,
      namespace: "shop",
      uid: `${owner}-${n}`,
      creationTimestamp: new Date(n * 60_000).toISOString(),
      ownerReferences: [{ apiVersion: "batch/v1", kind: "CronJob", name: owner, uid: owner }],
    },
    spec: { selector: { matchLabels: { job: `${owner}-${n}` } } },
  });
  const items = Array.from({ length: 25 }, (_, n) => [jobOf(n, "tidy"), jobOf(n, "other")]).flat();
  const environment = environmentOf({
    "/apis/batch/v1/namespaces/shop/cronjobs/tidy": {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "tidy", namespace: "shop", uid: "tidy" },
      spec: {},
    },
    "/apis/batch/v1/namespaces/shop/jobs": { apiVersion: "batch/v1", kind: "JobList", metadata: { resourceVersion: "1" }, items },
  });
  const targets = await logTargets(environment, [refOf("batch", "cronjobs", "tidy")], NEVER);
  expect(targets.map(({ labelSelector }) => labelSelector)).toEqual(Array.from({ length: 20 }, (_, n) => `job=tidy-${24 - n}`));
});

test("pods of an environment are those of its namespaces, by its label selector where it has one", async () => {
  const labels = { requirements: [{ key: "app", operator: "In" as const, values: ["web"] }] };
  expect(await logTargets(environmentOf({}, { namespaces: ["shop", "db"] }), [], NEVER)).toEqual([
    { namespace: "shop" },
    { namespace: "db" },
  ]);
  expect(await logTargets(environmentOf({}, { namespaces: [], labels }), [], NEVER)).toEqual([
    { namespace: "", labelSelector: "app in (web)" },
  ]);
});
