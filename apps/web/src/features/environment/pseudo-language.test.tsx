import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  ConnectionState,
  EnvironmentHealthSchema,
  EnvironmentRowSchema,
  EnvironmentSchema,
  GetResourceResponseSchema,
  HealthStatus,
  IssueGroupSchema,
  ProblemKind,
  ProblemSchema,
  RowGap,
  SettledState,
  SourceSchema,
  StaleCause,
  WatchEnvironmentResponseSchema,
  WhyLevel,
  WhySchema,
  type Problem,
  type Source,
  type WatchEnvironmentResponse,
} from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { pseudoCatalogue, quoted, Renderer, words } from "@binnacle/words";
import { ENGLISH } from "@binnacle/words/en";
import { renderEnglish } from "@binnacle/words/render-english";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { messageText, setLanguage } from "../../ui/messages.ts";
import { EnvironmentRowView } from "../environments/environment-row.tsx";
import type { RowKnowledge } from "@binnacle/presentation/environments/row-knowledge";
import { EnvironmentProvider, StoreProvider } from "../live/environment-context.tsx";
import { EnvironmentStore } from "../live/environment-store.ts";
import type { Freshness } from "@binnacle/presentation/view/freshness";
import { keyOfStatus, wordOf } from "../live/health-status.ts";
import { madeNode } from "../live/made-view.ts";
import { sessionEndedProblem } from "../live/session-ended-problem.ts";
import { EventsTab } from "../resource-detail/events-tab.tsx";
import { HealthCard } from "../resource-detail/health-card.tsx";
import { Notices } from "../resource-detail/notices.tsx";
import { nameOfNode } from "@binnacle/presentation/drawing/accessible-name";
import { NextStep, PrecedingChange, WhyChain } from "../why/why-chain.tsx";
import { WhyList } from "../why/why-list.tsx";
import { AccessDetails } from "./access-panel.tsx";
import { Banners } from "./banners.tsx";
import { ProblemState } from "./problem-state.tsx";
import { SampledDetails } from "./environment-header.tsx";

const PSEUDO = pseudoCatalogue(ENGLISH);
const { DEGRADED } = HealthStatus;
const container = words("container/main", { name: "app" });
const MESSAGES = {
  verdict: words("container/waits/restart", { container, reason: "CrashLoopBackOff", said: quoted("back-off 5m0s") }),
  root: words("crash/oom", { container, limit: "64Mi" }),
  next: words("crash/oom/next", { container, limit: "64Mi" }),
  change: words("change/rolled-out", {
    kind: "Deployment",
    name: "web",
    images: [words("change/image", { before: "web:1", after: "web:2" })],
  }),
  notice: words("network/no-ready-endpoints", { name: "web", total: 3 }),
  fact: words("fact/ready", { count: "0/1", why: words("fact/restarts", { count: 3 }) }),
  way: words("request/kas-silent"),
  unread: words("source/cannot-be-read", { resource: "pods", said: quoted("etcd is away") }),
  error: words("answer/late"),
  cut: words("source/too-many"),
  sampled: words("source/watch-budget", { seconds: 30 }),
  problem: words("problem/no-environment", { environment: "qa", project: "shop" }),
  details: words("problem/no-agent/details", { environment: "qa", project: "shop" }),
  passing: words("main-application/silent"),
  ended: words("problem/session-ended"),
} as const;

const pod = { kind: "Pod", name: "web-0", namespace: "env" };
const why = create(WhySchema, {
  chain: [
    { level: WhyLevel.RESOURCE, ref: pod, status: DEGRADED, reason: "CrashLoopBackOff", words: toWordsMessage(MESSAGES.verdict) },
    { level: WhyLevel.CONTAINER, ref: pod, container: "app", status: DEGRADED, reason: "OOMKilled", words: toWordsMessage(MESSAGES.root) },
  ],
  reason: "OOMKilled",
  words: toWordsMessage(MESSAGES.root),
  next: toWordsMessage(MESSAGES.next),
  precededBy: { what: "rollout", ref: { kind: "Deployment", name: "web" }, at: timestampFromMs(0), words: toWordsMessage(MESSAGES.change) },
});
const notice = { reason: "NoReadyEndpoints", words: toWordsMessage(MESSAGES.notice), next: toWordsMessage(MESSAGES.next) };
const node = madeNode({
  id: "p",
  ref: pod,
  health: { status: DEGRADED, reason: "CrashLoopBackOff", words: toWordsMessage(MESSAGES.verdict), why },
  notices: [notice],
  factWords: toWordsMessage(MESSAGES.fact),
});
const environment = create(EnvironmentHealthSchema, {
  issues: [
    create(IssueGroupSchema, {
      key: "k",
      status: DEGRADED,
      reason: "OOMKilled",
      words: toWordsMessage(MESSAGES.root),
      next: toWordsMessage(MESSAGES.next),
      why,
      membersTotal: 1,
      members: [{ ref: pod, status: DEGRADED }],
    }),
  ],
  issuesTotal: 1,
  resourcesTotal: 1,
});

const source = (resource: string, more: MessageInitShape<typeof SourceSchema>): Source =>
  create(SourceSchema, { resource, version: "v1", namespace: "env", settled: SettledState.LIVE, ...more });
const SOURCES = [
  source("secrets", { settled: SettledState.FORBIDDEN, words: toWordsMessage(MESSAGES.unread) }),
  source("events", { settled: SettledState.TRUNCATED, shown: 1, total: 2, words: toWordsMessage(MESSAGES.cut) }),
  source("ingresses", { staleCause: StaleCause.ERROR, staleWords: toWordsMessage(MESSAGES.error) }),
  source("configmaps", { staleCause: StaleCause.SAMPLED, every: durationFromMs(30_000), staleWords: toWordsMessage(MESSAGES.sampled) }),
];
const API_DOWN: Freshness = { kind: "api-down", sinceMs: undefined, asOfMs: 0 };

function problemOf(kind: ProblemKind): Problem {
  const kinds: Readonly<Record<number, keyof typeof MESSAGES>> = { [ProblemKind.UNAVAILABLE]: "passing" };
  const of = MESSAGES[kinds[kind] ?? "problem"];
  return create(ProblemSchema, { kind, words: toWordsMessage(of), details: toWordsMessage(MESSAGES.details) });
}

function rowOf(more: MessageInitShape<typeof EnvironmentRowSchema>, knowledge: RowKnowledge): string {
  const row = create(EnvironmentRowSchema, { environment: create(EnvironmentSchema, { name: "qa", agentId: 1n }), ...more });
  return textOf(
    <table>
      <tbody>
        <EnvironmentRowView row={row} knowledge={knowledge} rowIndex={2} />
      </tbody>
    </table>,
  );
}

/** A store of an environment whose API server is away and which had sources that are not well. */
function storeOf(): EnvironmentStore {
  const store = new EnvironmentStore((flush) => flush());
  const wrap = (message: MessageInitShape<typeof WatchEnvironmentResponseSchema>["message"]): WatchEnvironmentResponse =>
    create(WatchEnvironmentResponseSchema, { ...(message && { message }) });
  const connection = { state: ConnectionState.API_DOWN, words: toWordsMessage(MESSAGES.way) };
  store.apply(wrap({ case: "snapshot", value: { complete: true, sources: SOURCES, connection } }), 1_000);
  store.apply(wrap({ case: "problem", value: problemOf(ProblemKind.UNAVAILABLE) }), 1_001);
  return store;
}

function inStore(content: ReactNode): string {
  return textOf(<StoreProvider store={storeOf()}>{content}</StoreProvider>);
}

/** Texts and titles of a page, without its tags. */
function textOf(content: ReactNode): string {
  const page = renderToStaticMarkup(
    <EnvironmentProvider projectPath="shop" environment="production">
      {content}
    </EnvironmentProvider>,
  ).replaceAll("&quot;", '"');
  const titles = [...page.matchAll(/(?:title|aria-label)="([^"]*)"/g)].map(([, title]) => title);
  return [page.replaceAll(/<[^>]+>/g, ""), ...titles].join("\n");
}

describe("in another language", () => {
  beforeAll(() => setLanguage(PSEUDO, "en"));
  afterAll(() => setLanguage(ENGLISH, "en"));

  const pseudo = new Renderer(PSEUDO, "en");
  /** Places where people read, and what of the above stands there. */
  const places: readonly (readonly [string, () => string, readonly (keyof typeof MESSAGES)[]])[] = [
    ["the chain", () => textOf(<WhyChain why={why} />), ["verdict", "root"]],
    ["the next step", () => textOf(<NextStep text={messageText(why.next)} />), ["next"]],
    ["the health of a resource", () => textOf(<HealthCard node={node} />), ["verdict", "root", "next"]],
    ["what is worth knowing", () => textOf(<Notices notices={node.notices} />), ["notice", "next"]],
    ["the issues of an environment", () => textOf(<WhyList health={environment} environment="production" complete />), ["root", "next"]],
    ["the name for screen readers", () => nameOfNode(node), ["verdict", "fact"]],
    ["what must be known before reading on", () => inStore(<Banners freshness={API_DOWN} />), ["way", "cut", "error", "passing"]],
    ["what may not be seen", () => inStore(<AccessDetails sources={SOURCES} />), ["unread", "cut"]],
    ["what is looked at now and then", () => inStore(<SampledDetails />), ["sampled"]],
    ["a view that cannot be shown", () => textOf(<ProblemState problem={problemOf(ProblemKind.NOT_FOUND)} />), ["problem", "details"]],
    ["the end of a session", () => textOf(<ProblemState problem={sessionEndedProblem()} />), ["ended"]],
    ["a row without numbers", () => rowOf({ problem: problemOf(ProblemKind.NO_AGENT) }, { kind: "outside" }), ["problem"]],
    [
      "a row that may not be seen",
      () => rowOf({ gap: RowGap.FORBIDDEN, gapWords: toWordsMessage(MESSAGES.unread) }, { kind: "outside" }),
      ["unread"],
    ],
    [
      "a row that could not be read",
      () => rowOf({ gap: RowGap.FAILED, gapWords: toWordsMessage(MESSAGES.unread) }, { kind: "unknown", why: "failed" }),
      ["unread"],
    ],
    [
      "Events that could not be read",
      () => {
        const answer = create(GetResourceResponseSchema, { eventsWords: toWordsMessage(MESSAGES.error) });
        return textOf(<EventsTab resource={{ answer, loading: false }} kept={false} />);
      },
      ["error"],
    ],
  ];

  test.each(places)("%s is rendered in it, and no text of the server is in English", (_place, read, expected) => {
    const text = read();
    for (const name of expected) expect(text).toContain(pseudo.text(MESSAGES[name]));
    for (const sentence of Object.values(MESSAGES)) expect(text).not.toContain(renderEnglish(sentence));
  });

  test("a banner says nothing in English, but for what it names and quotes", () => {
    const lines = [
      ...renderToStaticMarkup(
        <StoreProvider store={storeOf()}>
          <Banners freshness={API_DOWN} />
        </StoreProvider>,
      ).matchAll(/<span>(.*?)<\/span>/g),
    ];
    expect(lines.map(([, line = ""]) => line)).toHaveLength(4);
    for (const [, line = ""] of lines) expect(line).toMatch(/^⟦.*⟧$/);
  });

  test("a status is rendered in it, and is the same in attributes and addresses", () => {
    expect([wordOf(DEGRADED), keyOfStatus(DEGRADED)]).toEqual(["⟦Dégrádéd⟧", "degraded"]);
  });

  test("the preceding change is rendered in it, around the name of what changed", () => {
    const text = textOf(<PrecedingChange why={why} />);
    expect(text).toContain("⟦Deployment web wás rólléd óút: ⟦web:1 → web:2⟧⟧");
  });

  test("what a cluster says stays as it is", () => {
    expect(messageText(toWordsMessage(quoted("no space left on device")))).toBe("no space left on device");
  });
});

test("a language that is switched on applies at once, also to earlier messages", () => {
  const message = toWordsMessage(MESSAGES.notice);
  expect(messageText(message)).toBe("None of the endpoints of Service web is ready (0 of 3)");
  setLanguage(PSEUDO, "en");
  expect(messageText(message)).toMatch(/^⟦.*⟧$/);
  setLanguage(ENGLISH, "en");
  expect(messageText(message)).toBe(messageText(message));
});
