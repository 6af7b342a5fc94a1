// needs: control-plane
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { fieldsAt, listAt, textAt } from "@binnacle/kube";
import { ChangeKind, ChangeSchema, type Change } from "@binnacle/proto/dashboard";
import { systemClock } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { toJsonString } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";

import { EnvironmentView } from "../engine/environment-view.ts";
import { HttpKubeClient } from "../http/http-kube-client.ts";
import { adminTransport } from "../http/admin-transport.ts";
import type { HttpsTransport } from "../http/https-transport.ts";

const NEVER = new AbortController().signal;
const CANARY = "canary-81cf";
const DEPLOYMENTS = 20;
const ROUNDS = 10;
const root = mkdtempSync(join(tmpdir(), "journal-"));
let plane: ControlPlane;
let transport: HttpsTransport;
let admin: HttpKubeClient;

beforeAll(async () => {
  plane = await startControlPlane({ dir: join(root, "cluster"), apiServerOnly: true });
  transport = adminTransport(plane);
  admin = new HttpKubeClient(transport);
  await admin.json({ path: "/api/v1/namespaces", body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } } }, NEVER);
  for (let index = 0; index < DEPLOYMENTS; index += 1)
    await admin.json({ path: DEPLOYMENTS_PATH, body: deployment(`web-${index}`) }, NEVER);
});

afterAll(async () => {
  transport.close();
  await plane.stop();
  rmSync(root, { recursive: true, force: true });
});

const DEPLOYMENTS_PATH = "/apis/apps/v1/namespaces/shop/deployments";

function deployment(name: string): object {
  const labels = { app: name };
  const container = { name: "web", image: "app:0", args: [CANARY], env: [{ name: "WORD", value: `${CANARY}-0` }] };
  const template = { metadata: { labels }, spec: { containers: [container] } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name, namespace: "shop" }, spec };
}

/** One change of the script: who, what, and what the journal must say of it. */
interface Scripted {
  readonly manager: string;
  readonly subresource: string;
  readonly patch: object;
  readonly fields: readonly string[];
}

/** What happens to a Deployment in a round: a person edits, the autoscaler scales, a controller reports. */
function scripted(round: number): Scripted {
  const image = "spec.template.spec.containers[web]";
  switch (round % 3) {
    case 0: {
      const env = [{ name: "WORD", value: `${CANARY}-${round + 1}` }];
      const containers = [{ name: "web", image: `app:${round + 1}`, env }];
      const before = round === 0 ? "app:0" : `app:${round - 2}`;
      const fields = [`${image}.image ${before}>app:${round + 1}`, `${image}.env[WORD].value hidden`];
      return { manager: "kubectl-edit", subresource: "", patch: { spec: { template: { spec: { containers } } } }, fields };
    }
    case 1: {
      const before = round === 1 ? 1 : round - 1;
      return {
        manager: "kube-controller-manager",
        subresource: "scale",
        patch: { spec: { replicas: round + 2 } },
        fields: [`spec.replicas ${before}>${round + 2}`],
      };
    }
    default: {
      const before = round === 2 ? "-" : String(round - 2);
      const status = { observedGeneration: round, replicas: round + 1 };
      return {
        manager: "rollout-controller",
        subresource: "status",
        patch: { status },
        fields: [`status.replicas ${before}>${round + 1}`],
      };
    }
  }
}

/** @returns when the API server says that it was written, in seconds since the epoch; of what is written through `scale` it does not say it */
async function write(name: string, { manager, subresource, patch }: Scripted): Promise<string> {
  const response = await transport.request(
    {
      method: "PATCH",
      path: `${DEPLOYMENTS_PATH}/${name}${subresource === "" ? "" : `/${subresource}`}?fieldManager=${manager}`,
      accept: "application/json",
      contentType: subresource === "" ? "application/strategic-merge-patch+json" : "application/merge-patch+json",
      body: JSON.stringify(patch),
    },
    NEVER,
  );
  expect(response.status).toBe(200);
  response.close();
  const now = await admin.json({ path: `${DEPLOYMENTS_PATH}/${name}` }, NEVER);
  const entries = listAt(fieldsAt(now, "metadata"), "managedFields");
  const own = entries.filter((entry) => textAt(entry, "manager") === manager && textAt(entry, "subresource") === subresource);
  expect(own).toHaveLength(1);
  const time = textAt(own[0], "time");
  return time === "" ? "when it was heard of" : String(Date.parse(time) / 1_000);
}

/** A change as the script says it. */
function lineOf({ manager, subresource, fields, at, atIsArrival }: Change): string {
  const values = fields.map(({ path, before, after, hidden }) => (hidden ? `${path} hidden` : `${path} ${before ?? "-"}>${after ?? "-"}`));
  return [manager, subresource, atIsArrival ? "when it was heard of" : String(at?.seconds), ...values].join(", ");
}

test("a real API server: 200 changes by kubectl, the autoscaler and a controller are recorded with their fields, managers and times", async () => {
  const stop = new AbortController();
  const view = new EnvironmentView({ client: admin, scope: { namespaces: ["shop"] }, clock: systemClock });
  view.open(() => undefined);
  const ended = view.run(stop.signal);
  await until(() => view.changesOf().sinceMs !== undefined);
  expect(view.changesOf().changes).toEqual([]);
  const beganMs = systemClock.now();
  const expected = new Map<string, string[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let index = 0; index < DEPLOYMENTS; index += 1) {
      const name = `web-${index}`;
      const step = scripted(round);
      const when = await write(name, step);
      expected.set(name, [...(expected.get(name) ?? []), [step.manager, step.subresource, when, ...step.fields].join(", ")]);
    }
  }
  await until(() => view.changesOf().changes.length >= DEPLOYMENTS * ROUNDS);
  const { changes, isCut } = view.changesOf();
  stop.abort();
  await ended;
  expect({ isCut, changes: changes.length }).toEqual({ isCut: false, changes: DEPLOYMENTS * ROUNDS });
  expect(changes.every(({ kind, afterGap, count }) => kind === ChangeKind.CHANGED && !afterGap && count === 1)).toBe(true);
  for (const [name, lines] of expected) {
    const own = changes.filter(({ ref }) => ref?.name === name);
    expect(own.map(lineOf).toReversed()).toEqual(lines);
  }
  const heard = changes.filter(({ atIsArrival }) => atIsArrival).map(({ at }) => Number(at?.seconds) * 1_000);
  expect(heard.every((ms) => ms >= beganMs - 1_000 && ms <= systemClock.now())).toBe(true);
  expect(changes.map((change) => toJsonString(ChangeSchema, change)).join()).not.toContain(CANARY);
});
