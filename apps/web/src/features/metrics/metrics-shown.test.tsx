import { GetMetricsResponseSchema, type GetMetricsResponse } from "@binnacle/proto/dashboard";
import { MetricKind, MetricsSource } from "@binnacle/proto/dashboard-enums";
import { toWordsMessage } from "@binnacle/proto/words";
import { pseudoCatalogue, words } from "@binnacle/words";
import { ENGLISH } from "@binnacle/words/en";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import { setLanguage } from "../../ui/messages.ts";
import { MetricsPanel } from "./environment-metrics.tsx";
import { figuresOf } from "./metric-figures.ts";
import { MetricsSection } from "./resource-metrics.tsx";

const { CPU, MEMORY, RESTARTS, REQUESTS } = MetricKind;
const NONE = Number.NaN;
const MIB = 2 ** 20;

afterEach(() => setLanguage(ENGLISH, "en"));

type Metric = NonNullable<MessageInitShape<typeof GetMetricsResponseSchema>["metrics"]>[number];

function answerOf(metrics: readonly Metric[], more: MessageInitShape<typeof GetMetricsResponseSchema> = {}): GetMetricsResponse {
  const prometheus = { source: MetricsSource.PROMETHEUS, service: "prometheus", step: durationFromMs(30_000), namespaces: ["prod"] };
  return create(GetMetricsResponseSchema, { ...prometheus, metrics: [...metrics], ...more });
}

const line = (...values: number[]): number[] => [...Array.from({ length: 60 - values.length }, () => 0.5), ...values];
const cpu = (values: number[], more: NonNullable<Metric["series"]> = []): Metric => ({
  kind: CPU,
  series: [{ name: "usage", queries: ['sum(rate(a{b="<c>"}[5m]))'], values }, ...more],
});
const refused = words("metrics/none", {
  prometheus: words("metrics/service-not-allowed", { service: "prometheus" }),
  api: words("metrics/api-not-served"),
});
const noSource = answerOf([], { source: MetricsSource.UNSPECIFIED, service: "", words: toWordsMessage(refused) });

const drawn = (content: ReactNode): string => renderToStaticMarkup(content).replaceAll("&quot;", '"').replaceAll("&#x27;", "'");

test("a line says all that it shows: the newest value, what is requested, the limit, and of when", () => {
  const answer = answerOf([
    cpu(line(0.12), [
      { name: "requests", values: line(0.5) },
      { name: "limits", values: line(1) },
    ]),
    { kind: MEMORY, series: [{ name: "usage", values: line(64 * MIB) }] },
    { kind: RESTARTS, series: [{ name: "restarts", values: line(1.02) }] },
    { kind: REQUESTS, series: [{ name: "istio", values: line(1) }] },
  ]);
  expect(figuresOf(answer).map(({ name }) => name)).toEqual([
    "CPU: 0.12 cores, 0.5 requested, limit 1, last 30 minutes",
    "Memory: 64 MiB, last 30 minutes",
    "Restarts: 1 in the hour before, last 30 minutes",
    "Requests: 1/s, last 30 minutes",
  ]);
});

test("requests that two sources count are shown with their source", () => {
  const series = ["istio", "ingress-nginx"].map((name) => ({ name, values: line(1) }));
  expect(figuresOf(answerOf([{ kind: REQUESTS, series }])).map(({ metric }) => metric)).toEqual([
    "Requests (istio)",
    "Requests (ingress-nginx)",
  ]);
});

test("a value that is not of now says how old it is, and one moment that is missing does not matter", () => {
  expect(figuresOf(answerOf([cpu(line(0.2, NONE, NONE))]))[0]?.value).toBe("0.2 cores");
  expect(figuresOf(answerOf([cpu(line(0.2, NONE, NONE, NONE, NONE))]))[0]?.value).toBe("0.2 cores, 2 min ago");
});

test("a metric without a value is not shown, and never as zero", () => {
  const html = drawn(<MetricsSection state={{ answer: answerOf([cpu(line(0.2)), { kind: MEMORY, series: [] }]), problem: undefined }} />);
  expect(html).toContain("CPU");
  expect(html).not.toContain("Memory");
});

test("the queries stand below, each with its line and a button that copies it", () => {
  const html = drawn(<MetricsSection state={{ answer: answerOf([cpu(line(0.2))]), problem: undefined }} />);
  expect(html).toMatch(/<details.*<summary>Query<\/summary>.*CPU, usage.*<code>sum\(rate\(a{b="&lt;c&gt;"}\[5m\]\)\)<\/code>/);
  expect(html).toContain('aria-label="Copy query: CPU, usage"');
});

test.each([
  ["drawer", <MetricsSection key="" state={{ answer: noSource, problem: undefined }} />],
  ["summary", <MetricsPanel key="" state={{ answer: noSource, problem: undefined }} />],
])("in the %s one quiet line says why there are none", (_where, content) => {
  const html = drawn(content);
  expect(html).toContain(
    "No metrics: the agent's configuration opens no service prometheus for metrics; the cluster serves no metrics.k8s.io, or has not measured this yet",
  );
  expect(html).not.toMatch(/<svg|>0/);
});

test("the summary says how they would come, of whose pods they are, and of which not", () => {
  expect(drawn(<MetricsPanel state={{ answer: noSource, problem: undefined }} />)).toContain("under services in the agent's binnacle.yaml");
  const answer = answerOf([{ ...cpu(line(0.2)), words: toWordsMessage(words("metrics/pods-forbidden", { namespace: "b" })) }], {
    namespaces: ["a", "b"],
    moreNamespaces: 1,
  });
  const html = drawn(<MetricsPanel state={{ answer, problem: undefined }} />);
  expect(html).toContain("All pods of namespaces a, b, and 1 more that is not queried");
  expect(html).toContain("Service prometheus, last 30 minutes. Not of all: you may not get and list pods in namespace b");
});

test.each([
  [{ answer: undefined, problem: undefined }, "Loading metrics"],
  [{ answer: undefined, problem: "kas does not answer" }, "The metrics could not be loaded: kas does not answer"],
])("without an answer it says what is known: %j", (state, text) => {
  expect(drawn(<MetricsSection state={state} />)).toContain(text);
  expect(drawn(<MetricsPanel state={state} />)).toContain(text);
});

test("in another language there is no English text, except names, units and queries", () => {
  setLanguage(pseudoCatalogue(ENGLISH), "en");
  const present = answerOf([cpu([0.2], [{ name: "limits", values: [1] }])], {
    words: toWordsMessage(words("metrics/present-only", { prometheus: words("metrics/no-services") })),
  });
  const gaps = answerOf([cpu(line(0.2, NONE, NONE, NONE), [{ name: "requests", values: line(1) }])]);
  for (const answer of [noSource, present, gaps]) {
    const state = { answer, problem: undefined };
    const html = `${drawn(<MetricsSection state={state} />)}${drawn(<MetricsPanel state={state} />)}`;
    const names = [...html.matchAll(/(?:title|aria-label)="([^"]*)"/g)].map(([, name = ""]) => name);
    const texts = html.replaceAll(/<code>.*?<\/code>/g, "").split(/<[^>]+>/);
    for (const text of [...names, ...texts].filter((each) => each.trim() !== "")) expect(text).toMatch(/^⟦.*⟧$/);
  }
});
