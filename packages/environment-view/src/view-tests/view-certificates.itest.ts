import { HealthStatus } from "@binnacle/proto/dashboard";
import { ManualClock, selfSigned } from "@binnacle/testing";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { ByteBudget } from "../limits/byte-budget.ts";
import { ClusterView } from "../engine/cluster-view.ts";
import { kindOf } from "../testing/fake-cluster.ts";
import type { HealthRules } from "../scope/health-rules.ts";
import { KubeClientError } from "../base/kube-client.ts";
import { RequestPace } from "../limits/request-pace.ts";
import { SampledSummaries } from "../summaries/sampled-summaries.ts";
import type { SummaryFacts } from "../summaries/summary-source.ts";
import type { ViewMessage } from "../stream/view-model.ts";
import { ViewReader, type ReadNode } from "../stream/view-reader.ts";
import { readCertificate } from "../certificates/read-certificate.ts";
import { CANARY, secretWith, TlsCluster } from "../testing/fake-tls-cluster.ts";

const KINDS = [
  "/v1/secrets/Secret",
  "networking.k8s.io/v1/ingresses/Ingress",
  "gateway.networking.k8s.io/v1/gateways/Gateway",
  "gateway.networking.k8s.io/v1beta1/referencegrants/ReferenceGrant",
  "cert-manager.io/v1/certificates/Certificate",
].map(kindOf);
const INGRESSES = "networking.k8s.io/ingresses";
const DAY_MS = 24 * 60 * 60_000;
/** Longer than a throttle, and than a review. */
const A_WHILE_MS = 20_000;
const HOUR_MS = 60 * 60_000;

let pem: string;
let startMs: number;

beforeAll(() => {
  pem = selfSigned(["DNS:shop.example.com"], 30).certificate;
  startMs = Date.parse(readCertificate(secretWith(pem)).notBefore ?? "") + DAY_MS;
});

let clock: ManualClock;
let cluster: TlsCluster;
let stop: AbortController;
let ended: Promise<void>;
let view: ClusterView;
/** Everything that has left the view. */
let left: string[];

beforeEach(() => begin(startMs));

afterEach(end);

function begin(atMs: number): void {
  clock = new ManualClock(atMs);
  cluster = new TlsCluster(KINDS);
  cluster.content = pem;
  stop = new AbortController();
  left = [];
  const log = (...args: readonly unknown[]): void => void left.push(JSON.stringify(args));
  const rules: HealthRules = {
    ruleFor: () => undefined,
    lookup: (object) => {
      left.push(JSON.stringify(object));
      return { kind: "none" };
    },
    onChange: () => () => {},
  };
  view = new ClusterView({ client: cluster, clock, random: () => 0, rules, log: { debug: log, warn: log } });
  ended = view.run(stop.signal);
}

async function end(): Promise<void> {
  stop.abort();
  await clock.elapse(0);
  await ended;
  clock.assertIdle();
}

function open(): ViewReader {
  const reader = new ViewReader();
  const subscription = view.openScope({ namespaces: ["app"] }).open(() => {
    const message = subscription.take();
    if (message === undefined) return;
    reader.take(message);
    left.push(textOf(message));
  });
  return reader;
}

function textOf(message: ViewMessage): string {
  return `${JSON.stringify(message, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))}${Buffer.from(message.content.bytes).toString("latin1")}`;
}

function putSecret(name = "tls"): void {
  cluster.put("/secrets", { apiVersion: "v1", kind: "Secret", metadata: { name } });
}

function putIngress(name: string, host = "shop.example.com", secretName = "tls"): void {
  const spec = { tls: [{ hosts: [host], secretName }] };
  const status = { loadBalancer: { ingress: [{ ip: "10.0.0.1" }] } };
  cluster.put(INGRESSES, { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata: { name }, spec, status });
}

function nodeOf(reader: ViewReader, name: string, kind = "Ingress"): ReadNode | undefined {
  return [...reader.nodes.values()].find(({ ref }) => ref.kind === kind && ref.name === name);
}

function stateOf(reader: ViewReader, name: string): string {
  const node = nodeOf(reader, name);
  return `${node?.health?.status ?? ""}: ${JSON.stringify(node?.certificates)} ${(node?.notices ?? []).map(({ reason }) => reason).join()}`;
}

describe("certificates of a view", () => {
  test("two Ingresses that share a Secret cost one bounded request; names, validity and what is not covered are shown", async () => {
    putSecret();
    putIngress("web");
    putIngress("api", "api.example.com");
    const [one, two] = [open(), open()];
    await clock.elapse(A_WHILE_MS);
    expect(cluster.reads).toEqual(["tls"]);
    expect(cluster.bounds).toEqual([1024 * 1024]);
    for (const reader of [one, two]) {
      expect(stateOf(reader, "web")).toMatch(/^Healthy: .*valid until .*, for shop\.example\.com"\] $/);
      expect(stateOf(reader, "api")).toMatch(/ CertificateHostMismatch$/);
    }
  });

  test("an Ingress is Degraded when the certificate ends, though nothing of it changes", async () => {
    await end();
    begin(startMs + 29 * DAY_MS - 2 * A_WHILE_MS);
    putSecret();
    putIngress("web");
    const reader = open();
    await clock.elapse(A_WHILE_MS);
    expect(stateOf(reader, "web")).toMatch(/^Healthy: .* CertificateExpiresSoon$/);
    await clock.elapse(2 * A_WHILE_MS);
    expect(nodeOf(reader, "web")?.health).toMatchObject({ status: "Degraded", reason: "CertificateExpired" });
    expect(reader.health?.status).toBe("Degraded");
  });

  test("the index shows it too, from its first sample on, and stops reading the Secrets of environments that are not wanted", async () => {
    await end();
    begin(startMs + 40 * DAY_MS);
    putSecret();
    putIngress("web");
    const budget = new ByteBudget(64 * 1024 * 1024);
    const index = new SampledSummaries({ client: cluster, clock, pace: new RequestPace(clock, 20), budget, random: () => 0 });
    const indexEnded = index.run(stop.signal);
    const known: SummaryFacts[] = [];
    const subscription = index.open({ scopes: [{ namespaces: ["app"] }] }, () => {
      for (const summary of subscription.take()?.summaries ?? []) if (summary.known) known.push(summary.known);
    });
    await clock.elapse(3 * A_WHILE_MS);
    expect(known.map(({ health }) => health.status)).toEqual(known.map(() => HealthStatus.DEGRADED));
    expect(known.at(-1)?.health.issues.map(({ reason }) => reason)).toEqual(["CertificateExpired"]);
    expect(cluster.reads).toEqual(["tls"]);
    subscription.want({ scopes: [{ namespaces: ["other"] }] });
    await clock.elapse(2 * HOUR_MS);
    expect(cluster.reads).toEqual(["tls"]);
    stop.abort();
    await clock.elapse(0);
    await indexEnded;
  });

  test("the index does not wait for Secrets without a response", async () => {
    putSecret();
    putIngress("web");
    cluster.isSilent = true;
    const budget = new ByteBudget(64 * 1024 * 1024);
    const index = new SampledSummaries({ client: cluster, clock, pace: new RequestPace(clock, 20), budget, random: () => 0 });
    const indexEnded = index.run(stop.signal);
    const subscription = index.open({ scopes: [{ namespaces: ["app"] }] }, () => {});
    await clock.elapse(A_WHILE_MS);
    expect(subscription.take()?.summaries[0]?.known?.health.status).toBe(HealthStatus.HEALTHY);
    stop.abort();
    await clock.elapse(0);
    await indexEnded;
  });

  test("nothing of the Secret but names and validity leaves, or reaches rules", async () => {
    cluster.content = `${CANARY}\n${pem}${CANARY}`;
    putSecret();
    putIngress("web");
    const reader = open();
    await clock.elapse(A_WHILE_MS);
    expect(stateOf(reader, "web")).toContain("shop.example.com");
    cluster.content = `-----BEGIN CERTIFICATE-----\n${CANARY}\n-----END CERTIFICATE-----`;
    putSecret();
    await clock.elapse(A_WHILE_MS);
    expect(stateOf(reader, "web")).toContain("CertificateUnreadable");
    for (const scope of [view.openScope({ namespaces: ["app"] })]) left.push(JSON.stringify(scope.changesOf()));
    const forms = [CANARY, Buffer.from(CANARY).toString("base64"), pem.slice(40, 80), Buffer.from(pem).toString("base64").slice(0, 40)];
    for (const form of forms) expect(left.filter((text) => text.includes(form))).toEqual([]);
    expect(left.length).toBeGreaterThan(2);
  });

  test("it is read again when the Secret has changed, and else once an hour", async () => {
    putSecret();
    putIngress("web");
    const reader = open();
    await clock.elapse(A_WHILE_MS);
    cluster.content = "garbage";
    putSecret();
    await clock.elapse(A_WHILE_MS);
    expect(stateOf(reader, "web")).toContain("CertificateUnreadable");
    expect(cluster.reads).toHaveLength(2);
    await clock.elapse(HOUR_MS - 2 * A_WHILE_MS);
    expect(cluster.reads).toHaveLength(2);
    await clock.elapse(2 * A_WHILE_MS);
    expect(cluster.reads).toHaveLength(3);
  });

  test("a refusal is remembered, whatever the Secret becomes, until a new credential has come", async () => {
    cluster.isForbidden = true;
    putSecret();
    putIngress("web");
    const reader = open();
    await clock.elapse(A_WHILE_MS);
    expect(stateOf(reader, "web")).toMatch(/^Healthy: .*not visible to you"\] $/);
    putSecret();
    for (let page = 0; page < 10; page += 1) view.wake();
    await clock.elapse(A_WHILE_MS);
    expect(cluster.reads).toHaveLength(1);
    await clock.elapse(2 * HOUR_MS);
    expect(cluster.reads).toHaveLength(2);
    cluster.isForbidden = false;
    view.wake();
    await clock.elapse(A_WHILE_MS);
    expect(stateOf(reader, "web")).toContain("shop.example.com");
  });

  test("without the right to read it, cert-manager's Certificate says what it is for, also when it comes later", async () => {
    cluster.isForbidden = true;
    putSecret();
    putIngress("web");
    const metadata = { name: "other" };
    cluster.put("cert-manager.io/certificates", {
      apiVersion: "cert-manager.io/v1",
      kind: "Certificate",
      metadata,
      spec: { secretName: "x" },
    });
    const reader = open();
    await clock.elapse(A_WHILE_MS);
    const spec = { secretName: "tls", dnsNames: ["pay.example.com"] };
    const notAfter = new Date(startMs + 100 * DAY_MS).toISOString();
    const certificate = { apiVersion: "cert-manager.io/v1", kind: "Certificate", metadata: { name: "shop" }, spec, status: { notAfter } };
    cluster.put("cert-manager.io/certificates", certificate);
    await clock.elapse(A_WHILE_MS);
    expect(stateOf(reader, "web")).toMatch(/by Certificate shop: valid until .*, for pay\.example\.com"\] CertificateHostMismatch$/);
    cluster.put("cert-manager.io/certificates", { ...certificate, status: { notAfter: new Date(startMs - DAY_MS).toISOString() } });
    await clock.elapse(A_WHILE_MS);
    expect(nodeOf(reader, "web")?.health?.reason).toBe("CertificateExpired");
  });

  test("a Secret that is not found though it is listed is not known, and requested again", async () => {
    cluster.isLost = true;
    putSecret();
    putIngress("web");
    const reader = open();
    await clock.elapse(A_WHILE_MS);
    expect(stateOf(reader, "web")).toMatch(/^Healthy: .*has not been read yet"\] $/);
    cluster.isLost = false;
    await clock.elapse(3 * A_WHILE_MS);
    expect(stateOf(reader, "web")).toContain("shop.example.com");
  });

  test("a Secret that is missing is not requested", async () => {
    putIngress("web");
    const reader = open();
    await clock.elapse(A_WHILE_MS);
    expect(cluster.reads).toEqual([]);
    expect(nodeOf(reader, "web")?.certificates).toEqual([]);
  });

  test("while the agent is away the last word stays, with its time", async () => {
    putSecret();
    putIngress("web");
    const reader = open();
    await clock.elapse(A_WHILE_MS);
    cluster.outage = new KubeClientError("agent_offline", "away");
    cluster.disconnect();
    await clock.elapse(HOUR_MS + A_WHILE_MS);
    expect(stateOf(reader, "web")).toMatch(/^Healthy: .*shop\.example\.com \(as of .*\)"\] $/);
    cluster.outage = undefined;
    await clock.elapse(10 * 60_000);
    expect(stateOf(reader, "web")).toMatch(/^Healthy: .*for shop\.example\.com"\] $/);
  });

  test("a right that is withdrawn takes names and validity away", async () => {
    putSecret();
    putIngress("web");
    const reader = open();
    await clock.elapse(A_WHILE_MS);
    cluster.isForbidden = true;
    cluster.forbidden.add("/secrets");
    cluster.disconnect();
    await clock.elapse(5 * 60_000);
    expect(stateOf(reader, "web")).toMatch(/not visible to you"\] $/);
    expect(cluster.reads).toHaveLength(2);
  });

  test("one that may read the Secret and not the list reads the certificate all the same", async () => {
    cluster.forbidden.add("/secrets");
    putSecret();
    putIngress("web");
    const reader = open();
    await clock.elapse(A_WHILE_MS);
    expect(stateOf(reader, "web")).toContain("for shop.example.com");
  });

  test("of what is longer than a Secret may be nothing is known", async () => {
    cluster.isTooLarge = true;
    putSecret();
    putIngress("web");
    const reader = open();
    await clock.elapse(A_WHILE_MS);
    expect(stateOf(reader, "web")).toContain("CertificateUnreadable");
  });

  test("a hundred Secrets are read, what is beyond them says so, and takes the place of one that goes", async () => {
    for (let index = 0; index < 130; index += 1) {
      putSecret(`tls-${index}`);
      putIngress(`web-${index}`, "shop.example.com", `tls-${index}`);
    }
    const reader = open();
    await clock.elapse(A_WHILE_MS);
    expect(new Set(cluster.reads).size).toBe(100);
    expect(cluster.reads).toHaveLength(100);
    const unread = [...reader.nodes.values()].filter(({ certificates }) => JSON.stringify(certificates).includes("too many"));
    expect(unread).toHaveLength(30);
    cluster.delete(INGRESSES, cluster.reads[0]?.replace("tls", "web") ?? "");
    await clock.elapse(A_WHILE_MS);
    expect(cluster.reads).toHaveLength(101);
  });

  test("a reader that stalls holds two places, and does not delay the end", async () => {
    for (const name of ["a", "b", "c"]) {
      putSecret(name);
      putIngress(name, "shop.example.com", name);
    }
    open();
    await clock.elapse(0);
    cluster.freeze();
    await clock.elapse(A_WHILE_MS);
    expect(cluster.reads.length).toBeLessThanOrEqual(3);
  });

  test("nothing is read any more once there is no viewer", async () => {
    putSecret();
    putIngress("web");
    const scope = view.openScope({ namespaces: ["app"] });
    await clock.elapse(A_WHILE_MS);
    scope.close();
    await clock.elapse(2 * HOUR_MS);
    expect(cluster.reads).toHaveLength(1);
  });
});

describe("a Gateway", () => {
  function putGateway(namespace?: string): void {
    const reference = { name: "tls", ...(namespace === undefined ? {} : { namespace }) };
    const listeners = [{ name: "https", hostname: "pay.example.com", tls: { certificateRefs: [reference] } }];
    const status = { conditions: [{ type: "Programmed", status: "True" }] };
    cluster.put("gateway.networking.k8s.io/gateways", {
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "Gateway",
      metadata: { name: "gate" },
      spec: { listeners },
      status,
    });
  }

  test("has the certificates of its listeners compared with their hosts", async () => {
    putSecret();
    putGateway();
    const reader = open();
    await clock.elapse(A_WHILE_MS);
    const node = nodeOf(reader, "gate", "Gateway");
    expect(JSON.stringify(node?.certificates)).toContain("for shop.example.com");
    expect(node?.notices.map(({ reason }) => reason)).toEqual(["CertificateHostMismatch"]);
  });

  test("a Secret of another namespace is not read where no ReferenceGrant allows it", async () => {
    cluster.put("/secrets", { apiVersion: "v1", kind: "Secret", metadata: { name: "tls", namespace: "vault" } });
    putGateway("vault");
    view.openScope({ namespaces: [] });
    await clock.elapse(A_WHILE_MS);
    expect(cluster.reads).toEqual([]);
  });
});
