import { KubeClientError, type KindListRequest, type KubeClient, type ObjectRequest } from "@binnacle/environment-view";
import { UserRules } from "@binnacle/health-lua";
import { createStatus, type KubeObject } from "@binnacle/kube";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { RuleOrigins } from "./rule-origins.ts";

const LUA = "hs = {}\nhs.status = 'Healthy'\nreturn hs";

/** What one viewer may read: the ConfigMap of Argo CD, and Kustomizations. */
class Cluster implements KubeClient {
  configMap: KubeObject | number = 404;
  kustomizations: readonly KubeObject[] | number = 404;
  readonly requests: string[] = [];

  discover(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  get({ namespace, name }: ObjectRequest): Promise<KubeObject> {
    this.requests.push(`get ${namespace}/${name}`);
    return typeof this.configMap === "number" ? Promise.reject(failure(this.configMap)) : Promise.resolve(this.configMap);
  }

  list({ kind, namespace }: KindListRequest) {
    this.requests.push(`list ${kind.resource} ${namespace}`);
    const items = this.kustomizations;
    if (typeof items === "number") return Promise.reject(failure(items));
    if (namespace === "" && items.length === 0) return Promise.reject(failure(403));
    return Promise.resolve({ items, resourceVersion: "1", continueToken: "", remaining: undefined });
  }

  // oxlint-disable-next-line require-yield -- rules are not watched
  async *watch(): AsyncGenerator<never> {
    throw new Error("rules are not watched");
  }
}

function failure(code: number): KubeClientError {
  return code === 0
    ? new KubeClientError("agent_offline", "the agent is away")
    : new KubeClientError("api", "no", { status: createStatus(code, "no") });
}

function argo(version: string, data: Record<string, string>): KubeObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "argocd-cm", namespace: "argocd", uid: "u", resourceVersion: version },
    data,
  };
}

const KUSTOMIZATION: KubeObject = {
  apiVersion: "kustomize.toolkit.fluxcd.io/v1",
  kind: "Kustomization",
  metadata: { name: "apps", namespace: "flux-system", uid: "k", resourceVersion: "1" },
  spec: { healthCheckExprs: [{ apiVersion: "example.com/v1", kind: "Gadget", current: "status.phase == 'Up'" }] },
};

let clock: ManualClock;
let cluster: Cluster;
let rules: UserRules;
let stop: AbortController;
let ended: Promise<void>;

beforeEach(() => {
  clock = new ManualClock(0);
  cluster = new Cluster();
  rules = new UserRules({ clock });
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  await clock.elapse(0);
  await ended;
  await rules.close();
  clock.assertIdle();
});

async function start(options: { argocdNamespace?: string; flux?: boolean; pollMs?: number } = {}): Promise<void> {
  const { argocdNamespace = "argocd", flux = true, pollMs = 60_000 } = options;
  const log = createLogger("web", "silent");
  ended = new RuleOrigins({ rules, client: cluster, clock, log, argocdNamespace, flux, pollMs, namespaces: () => ["app"] }).run(
    stop.signal,
  );
  await clock.elapse(0);
}

describe("RuleOrigins", () => {
  test("the rules of argocd-cm are in force, change with it, and leave with it", async () => {
    cluster.configMap = argo("1", { "resource.customizations.health.example.com_Widget": LUA });
    await start();
    expect(rules.ruleFor("example.com/v1", "Widget")?.source).toContain("argocd/argocd-cm");
    cluster.configMap = argo("2", { "resource.customizations.health.example.com_Gadget": LUA });
    await clock.elapse(60_000);
    expect(rules.ruleFor("example.com/v1", "Widget")).toBeUndefined();
    expect(rules.ruleFor("example.com/v1", "Gadget")).toBeDefined();
    cluster.configMap = 404;
    await clock.elapse(60_000);
    expect(rules.ruleFor("example.com/v1", "Gadget")).toBeUndefined();
  });

  test("they are read as often as the configuration says", async () => {
    await start({ pollMs: 5_000, flux: false });
    expect(cluster.requests).toHaveLength(1);
    await clock.elapse(4_999);
    expect(cluster.requests).toHaveLength(1);
    await clock.elapse(1);
    expect(cluster.requests).toHaveLength(2);
  });

  test("a viewer who may not read the ConfigMap is judged by the built-in rules", async () => {
    cluster.configMap = 403;
    await start();
    expect(rules.ruleFor("example.com/v1", "Widget")).toBeUndefined();
  });

  test("while the agent is unavailable the rules stay, and they are requested again soon", async () => {
    cluster.configMap = argo("1", { "resource.customizations.health.example.com_Widget": LUA });
    await start();
    cluster.configMap = 0;
    await clock.elapse(60_000);
    expect(rules.ruleFor("example.com/v1", "Widget")).toBeDefined();
    cluster.configMap = argo("2", { "resource.customizations.health.example.com_Gadget": LUA });
    await clock.elapse(5_000);
    expect(rules.ruleFor("example.com/v1", "Gadget")).toBeDefined();
  });

  test("the health checks of Kustomizations are in force", async () => {
    cluster.kustomizations = [KUSTOMIZATION];
    await start();
    expect(rules.ruleFor("example.com/v1", "Gadget")).toMatchObject({ engine: "cel", source: "Kustomization flux-system/apps" });
    cluster.kustomizations = [];
    await clock.elapse(60_000);
    expect(rules.ruleFor("example.com/v1", "Gadget")).toBeUndefined();
  });

  test("a viewer who may not list Kustomizations everywhere causes a list of those of the environment", async () => {
    cluster.kustomizations = [];
    await start();
    expect(cluster.requests.filter((request) => request.startsWith("list"))).toEqual(["list kustomizations ", "list kustomizations app"]);
  });

  test("what is switched off is not read", async () => {
    await start({ argocdNamespace: "", flux: false });
    expect(cluster.requests).toEqual([]);
  });
});
