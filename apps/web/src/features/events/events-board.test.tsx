import { ConnectionSchema, ConnectionState, SettledState, SourceSchema, StaleCause, type Source } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { pseudoCatalogue, quoted, words } from "@binnacle/words";
import { ENGLISH } from "@binnacle/words/en";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import { setLanguage } from "../../ui/messages.ts";
import { StoreProvider } from "../live/environment-context.tsx";
import { EnvironmentStore } from "../live/environment-store.ts";
import { NO_EVENTS } from "../live/events-content.ts";
import type { LiveEvents } from "../live/use-events.ts";
import type { EventGroup } from "./event-groups.ts";
import { EventLine } from "./event-line.tsx";
import { EventsBoard, eventsNumber, NoEvents } from "./events-board.tsx";
import { GroupHead } from "./group-head.tsx";
import { byId, madeEvent, madeMoment, madeState } from "./made-events.ts";

afterEach(() => setLanguage(ENGLISH, "en"));

function page(live: Partial<LiveEvents>): string {
  const store = new EnvironmentStore((flush) => flush());
  return renderToStaticMarkup(
    <StoreProvider store={store}>
      <EventsBoard live={{ ...NO_EVENTS, ...live }} />
    </StoreProvider>,
  ).replaceAll("&quot;", '"');
}

const source = (init: MessageInitShape<typeof SourceSchema>): Source =>
  create(SourceSchema, { resource: "events", settled: SettledState.LIVE, ...init });
const forbidden = source({ namespace: "db", settled: SettledState.FORBIDDEN, words: toWordsMessage(quoted("events is forbidden")) });

test("nothing yet, nothing at all, nothing that may be read and nothing that could be read are four things", () => {
  expect(page({})).toContain("Loading events");
  expect(page({ state: madeState() })).toContain("No events: Kubernetes keeps events");
  const hidden = page({ state: madeState({ sources: [forbidden] }) });
  expect(hidden).toMatch(/You may not list Events here.*events is forbidden/);
  expect(hidden).not.toMatch(/No events|0 events/);
  const failing = source({ settled: SettledState.ERROR, words: toWordsMessage(quoted("etcd is away")) });
  expect(page({ state: madeState({ sources: [failing] }) })).toContain("Events could not be read: etcd is away");
});

test("forbidden Events are reported also beside events of the agent", () => {
  const life = new Map([[1, madeMoment(1, 1, words("life/connected"))]]);
  expect(page({ life, state: madeState({ sources: [forbidden] }) })).toContain("You may not list Events here");
  expect(page({ life, state: madeState() })).toContain("No events of workloads");
});

test.each<[string, Partial<LiveEvents>, string]>([
  ["a namespace that may not be read", { state: madeState({ sources: [forbidden, source({})] }) }, "Events of db are not visible to you"],
  ["a kind that is cut", { state: madeState({ sources: [source({ settled: SettledState.TRUNCATED })] }) }, "Not all Events are read"],
  [
    "a kind that is listed now and then",
    { state: madeState({ sources: [source({ staleCause: StaleCause.SAMPLED, every: durationFromMs(30_000) })] }) },
    "Events are listed every 30 s",
  ],
  [
    "an API server that fails",
    { state: madeState({ sources: [source({ staleCause: StaleCause.ERROR, staleWords: toWordsMessage(quoted("500")) })] }) },
    "Events are not current: 500",
  ],
  [
    "a way that is broken",
    {
      state: madeState(),
      connection: create(ConnectionSchema, { state: ConnectionState.RECONNECTING }),
    },
    "The connection to the cluster is lost",
  ],
  ["a dashboard that does not answer", { state: madeState(), lost: "away" }, "Binnacle does not answer"],
])("%s is shown above the events", (_, live, sentence) => {
  expect(page({ events: byId(madeEvent("a", 1)), ...live })).toContain(sentence);
});

test("the board states when an agent reports no events of its own, and how many events exist when not all are shown", () => {
  const events = byId(madeEvent("a", 1));
  expect(page({ events, state: madeState({ tellsLife: false }) })).toContain("Events of the agent itself are not available here");
  expect(page({ events, state: madeState() })).not.toContain("is not told here");
  expect(page({ events, state: madeState({ total: 900 }) })).toContain("The newest 1 of 900 events");
});

test("a filter that hides everything says how much, and can be taken away", () => {
  const live = { ...NO_EVENTS, events: byId(madeEvent("a", 1), madeEvent("b", 2)), state: madeState() };
  expect(renderToStaticMarkup(<NoEvents live={live} clear={() => {}} />)).toMatch(/No event matches: 2 hidden by filters.*Clear filters/);
  expect(eventsNumber(live, 0)).toBe("0 of 2 events");
});

test("a line has its time as a machine reads it, how often it was, and a way to what it is about", () => {
  const event = madeEvent("a", 100, { type: "Warning", reason: "BackOff", count: 12, source: "kubelet", overSeconds: 60 });
  const happening = { id: "a", atMs: 100_000, isWarning: true, event };
  const html = renderToStaticMarkup(
    <StoreProvider store={new EnvironmentStore((flush) => flush())}>
      <EventLine happening={happening} />
    </StoreProvider>,
  );
  expect(html).toContain('dateTime="1970-01-01T00:01:40.000Z"');
  expect(html).toMatch(/BackOff.*<a [^>]*title="Pod web-1-x".*12× over 1 min.*kubelet.*message of a/);
});

const group: EventGroup = { key: "k", workload: madeEvent("a", 1).workload, happenings: [], warnings: 2 };

test("in another language a board has no English text, except names and quotes", () => {
  setLanguage(pseudoCatalogue(ENGLISH), "en");
  const life = new Map([[1, madeMoment(1, 1, words("life/configuration-applied", { commit: "4f2c91e" }))]]);
  const gaps = madeState({ tellsLife: false, total: 9, sources: [forbidden, source({ settled: SettledState.TRUNCATED })] });
  const html = [
    page({ events: byId(madeEvent("a", 1)), state: gaps, lost: "away" }),
    page({ state: madeState() }),
    page({ state: madeState({ sources: [forbidden] }) }),
    page({}),
    renderToStaticMarkup(
      <StoreProvider store={new EnvironmentStore((flush) => flush())}>
        <GroupHead group={group} namespaced isOpen={false} />
        <GroupHead group={{ ...group, workload: undefined }} namespaced isOpen={false} />
        <EventLine happening={{ id: "1", atMs: undefined, isWarning: false, moment: life.get(1) as never }} />
        <EventLine happening={{ id: "a", atMs: undefined, isWarning: true, event: madeEvent("a", 1, { count: 3 }) }} />
      </StoreProvider>,
    ),
  ].join("\n");
  const english = Object.entries(ENGLISH).flatMap(([id, message]) =>
    /^(?:events|life)\//.test(id) && typeof message === "string" ? [message] : [],
  );
  const shown = [...html.matchAll(/>([^<]+)</g), ...html.matchAll(/(?:aria-label|title|placeholder)="([^"]+)"/g)];
  const texts = shown.map(([, text = ""]) => text.trim());
  // What other parts of the page say, names, and what the cluster says.
  const allowed =
    /^(?:⟦.*⟧|\/|\d+|: .*|Deployment|Pod|env|db|web(?:-1-x)?|Pod web-1-x|Pulled|message of a|events is forbidden|⟦.*⟧: all)$/s;
  expect(texts.filter((text) => text !== "" && !allowed.test(text))).toEqual([]);
  expect(texts.filter((text) => english.includes(text))).toEqual([]);
});
