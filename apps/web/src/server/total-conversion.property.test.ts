import { isDeepStrictEqual } from "node:util";

import { resourceEventOf, type Summary, type ToolStanding, type ViewConnection, type ViewSource } from "@binnacle/environment-view";
import {
  ConnectionSchema,
  DeploymentSchema,
  EnvironmentHealthSchema,
  EnvironmentRowSchema,
  GetMetricsResponseSchema,
  DeliverySchema,
  MetricKind,
  ResourceEventSchema,
  ResourceRefSchema,
  SourceSchema,
  ToolSyncSchema,
} from "@binnacle/proto/dashboard";
import { GitopsSyncSchema, GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { checkMessage } from "@binnacle/proto/read-message";
import { clone, create, fromBinary, toBinary, toJson, type DescMessage, type JsonValue, type MessageShape } from "@bufbuild/protobuf";
import { words } from "@binnacle/words";
import fc from "fast-check";
import { expect, test } from "vitest";

import { deliveryOf } from "./delivery/delivery.ts";
import { toDelivery, toDeployment } from "./delivery/to-delivery.ts";
import { toToolSync } from "./delivery/to-tool-sync.ts";
import { detailsOf, syncsOf, UnreadableSyncs, type SyncRecord } from "./syncs/sync-record.ts";
import { toRow } from "./index/environment-row.ts";
import { JSON_LIES } from "./testing/lies.ts";
import { toMetrics } from "./workload-metrics/get-metrics.ts";
import { toSentWords } from "./base/sent-words.ts";
import { toConnection, toSource } from "./wire/to-proto.ts";

const number = fc.oneof(
  fc.double(),
  fc.constantFrom(0.25, 365_193_115.234375, Number.NaN, Infinity, -Infinity, 1e18, -1e18, 1e300, -1, 2 ** 32, 9_223_372_036_854_776_000),
);
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "\ud800", "\udc00x", "__proto__", "x".repeat(10_000)));
const sentence = fc.record({ text, number }).map(({ text: name, number: count }) => words("quoted", { text: name, count }));
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

/** Whether it can be encoded, and what arrives is something that a browser can show. */
function isSendable<D extends DescMessage>(schema: D, message: MessageShape<D>): boolean {
  const sent = fromBinary(schema, toBinary(schema, message));
  toJson(schema, sent);
  return isDeepStrictEqual(checkMessage(schema, clone(schema, sent)), sent);
}

/** Without the fields that are absent. */
function without(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

const staleness = fc.record({
  sinceMs: number,
  cause: fc.constantFrom("way", "error", "sampled"),
  everyMs: optional(number),
  words: sentence,
});
const source = fc
  .record({
    id: text,
    group: text,
    version: text,
    resource: text,
    kind: text,
    namespace: text,
    settled: fc.constantFrom(undefined, "live", "forbidden", "error"),
    stale: optional(staleness.map(without)),
    asOfMs: optional(number),
    shown: number,
    total: number,
    words: optional(sentence),
    retryAtMs: optional(number),
    countsForHealth: fc.boolean(),
  })
  // It is of the shape of a source, whatever its fields hold.
  .map((record) => without(record) as ViewSource);

test("T40: whatever numbers and texts a source has, it can be sent", () => {
  fc.assert(
    fc.property(source, (each) => {
      expect(isSendable(SourceSchema, toSource(each))).toBe(true);
    }),
  );
});

test("T40: whatever numbers and texts a connection has, it can be sent", () => {
  const connection = fc.record({
    state: fc.constantFrom("connected", "agent_offline"),
    sinceMs: optional(number),
    words: optional(sentence),
  });
  fc.assert(
    fc.property(connection, fc.boolean(), (each, never) => {
      expect(isSendable(ConnectionSchema, toConnection(without(each) as ViewConnection, never))).toBe(true);
    }),
  );
});

test("T40: whatever numbers and texts a row has, it can be sent", () => {
  const known = fc.record({
    workloads: number,
    workloadsReady: number,
    workloadsSuspended: number,
    workloadsDown: number,
    changedMs: number,
    asOfMs: number,
    everyMs: number,
    why: sentence,
    name: text,
  });
  fc.assert(
    fc.property(known, ({ everyMs, why, name, ...counts }) => {
      const health = create(EnvironmentHealthSchema, { words: toSentWords(why) });
      const summary: Summary = {
        scope: { namespaces: [name] },
        known: { health, ...counts, freshness: { kind: "sampled", everyMs }, workloadsOnly: false },
        gap: { kind: "failed", words: why },
      };
      const environment = { projectPath: name, name, slug: name, tier: name, state: name, externalUrl: name, namespace: name };
      const delivery = toDelivery(deliveryOf({ deployment: undefined, syncs: undefined }));
      const parts = { environment: environment as Parameters<typeof toRow>[0]["environment"], delivery, summary };
      expect(isSendable(EnvironmentRowSchema, toRow(parts))).toBe(true);
    }),
  );
});

test("T40: whatever numbers and texts GitOps, a tool or a deployment has, they can be sent", () => {
  fc.assert(
    fc.property(number, text, sentence, (ms, name, why) => {
      const tool = {
        tool: "argocd",
        namespace: name,
        name,
        objects: 1,
        asOfMs: ms,
        why,
        sync: {
          state: "synced",
          reason: name,
          message: name,
          revision: name,
          sha: name,
          attempted: name,
          appliedAt: name,
          at: String(ms),
          source: { url: name, path: name, target: name, more: 0 },
        },
      };
      expect(isSendable(ToolSyncSchema, toToolSync(tool as unknown as ToolStanding))).toBe(true);
      const deployed = {
        source: "ci",
        sha: name,
        ref: name,
        isTag: true,
        title: name,
        commitUrl: name,
        author: name,
        byUsername: name,
        byName: name,
        job: name,
        jobUrl: name,
        atMs: ms,
      } as const;
      expect(isSendable(DeploymentSchema, toDeployment(deployed))).toBe(true);
    }),
  );
});

test("T40: whatever numbers and texts an Event or a metric has, they can be sent", () => {
  const ref = create(ResourceRefSchema, { kind: "Pod", name: "web" });
  fc.assert(
    fc.property(number, number, text, (one, other, name) => {
      const event = { type: name, reason: name, message: name, count: 1, source: name, firstMs: one, lastMs: other };
      expect(isSendable(ResourceEventSchema, resourceEventOf(event, ref))).toBe(true);
      const measured = [{ kind: "measured" as const, lines: [{ name, query: name, values: [one, other] }] }];
      const answers = [{ kind: MetricKind.CPU, measured }];
      const grid = { start: one, step: other, points: 2 };
      const metrics = toMetrics({ namespaces: [name], moreNamespaces: 0, answers, grid });
      expect(() => fromBinary(GetMetricsResponseSchema, toBinary(GetMetricsResponseSchema, metrics))).not.toThrow();
    }),
  );
});

test("T40: whatever an agent reports of a sync, it is read or it is not, and what is read can be sent", () => {
  const sync = create(GitopsSyncSchema, {
    project: "group/app",
    commitId: "0123456789",
    state: GitopsSyncState.SYNCED,
    objects: 3,
    namespaces: ["a"],
    startedAt: { $typeName: "google.protobuf.Timestamp", seconds: 1n, nanos: 0 },
    pollPeriod: { $typeName: "google.protobuf.Duration", seconds: 60n, nanos: 0 },
  });
  const honest = toJson(GitopsSyncSchema, sync, { alwaysEmitImplicit: true }) as Record<string, JsonValue>;
  const extremes = [
    ...JSON_LIES,
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999Z",
    "+99999-01-01T00:00:00Z",
    "315576000000s",
    "-1s",
    4_294_967_295,
    "9223372036854775807",
  ];
  for (const name of [...Object.keys(honest), "__proto__", "unknown"])
    for (const lie of extremes) {
      const altered = { ...honest, [name]: lie };
      for (const record of recordsOf(altered)) {
        const delivery = deliveryOf({ deployment: undefined, syncs: { state: "known", value: [shown(record)] } });
        const runs = [{ ...record, startedAtMs: record.startedAtMs ?? 0, title: "", author: "", commitUrl: "" }];
        expect(isSendable(DeliverySchema, toDelivery(delivery, { deployments: [], runs }))).toBe(true);
      }
    }
  expect(recordsOf(honest)).toHaveLength(1);
});

function recordsOf(sync: unknown): readonly SyncRecord[] {
  try {
    const [record] = syncsOf({ syncs: [sync] }).syncs;
    return record === undefined ? [] : [{ ...record, details: detailsOf({ sync, objects: [{ name: "a", outcome: 99 }] }, record) }];
  } catch (error) {
    if (!(error instanceof UnreadableSyncs)) throw error;
    return [];
  }
}

function shown(record: SyncRecord) {
  return { ...record, commit: undefined, appliedCommit: undefined, report: undefined, source: undefined };
}
