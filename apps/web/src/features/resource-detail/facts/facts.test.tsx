import {
  DetailSectionSchema,
  DetailTone,
  GetResourceResponseSchema,
  WatchEnvironmentResponseSchema,
  type DetailRowSchema,
} from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted, words, pseudoCatalogue } from "@binnacle/words";
import { ENGLISH } from "@binnacle/words/en";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import { setLanguage } from "../../../ui/messages.ts";
import { StoreProvider } from "../../live/environment-context.tsx";
import { EnvironmentStore } from "../../live/environment-store.ts";
import { madeNode, MadeView } from "../../live/made-view.ts";
import { OwnFacts, LabelTags } from "../own-facts.tsx";
import { Replicas } from "../overview-tab.tsx";
import { Annotations } from "./annotations.tsx";
import { DetailSections } from "./detail-sections.tsx";
import { runsOf } from "./run-history.tsx";

afterEach(() => setLanguage(ENGLISH, "en"));

const CONFIG = { group: "", kind: "ConfigMap", namespace: "shop", name: "till-conf" };
const quotedWords = (text: string) => toWordsMessage(quoted(text));

function html(content: ReactNode, store = new EnvironmentStore((flush) => flush())): string {
  return renderToStaticMarkup(<StoreProvider store={store}>{content}</StoreProvider>);
}

function text(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const container = create(DetailSectionSchema, {
  title: toWordsMessage(words("detail/containers")),
  parts: [
    {
      name: quotedWords("app"),
      kind: toWordsMessage(words("detail/sidecar")),
      state: { words: toWordsMessage(words("detail/waiting", { reason: "CrashLoopBackOff" })), tone: DetailTone.BAD },
      rows: [
        {
          label: toWordsMessage(words("detail/ports")),
          items: [{ words: quotedWords("80/TCP") }, { words: quotedWords("53/UDP") }],
          more: 3,
        },
        { label: toWordsMessage(words("detail/mounts")), items: [{ ref: CONFIG, words: quotedWords("at /etc/till") }] },
        { label: toWordsMessage(words("detail/last-end")), items: [{ words: quotedWords("Exit code 1"), at: timestampFromMs(0) }] },
      ],
    },
    {
      name: quotedWords("done"),
      rows: [{ label: quotedWords("Image"), items: [{ words: quotedWords("secret-of-folded") }] }],
      folded: true,
    },
  ],
  more: 4,
});

test("US7: a part tells how it is with a sign, and its facts; what is folded is one button away", () => {
  const markup = html(<DetailSections sections={[container]} />);
  expect(text(markup)).toContain("app sidecar Waiting: CrashLoopBackOff");
  expect(text(markup)).toContain("Ports 80/TCP 53/UDP and 3 more");
  expect(markup).toMatch(/class="[^"]*degraded[^"]*"[^>]*><svg/);
  expect(markup).toMatch(/<time dateTime="1970-01-01T00:00:00.000Z"[^>]*>1970-01-01 00:00:00 UTC/i);
  expect(markup).toMatch(/aria-expanded="false"[^>]*>.*done/);
  expect(markup).not.toContain("secret-of-folded");
  expect(text(markup)).toContain("and 4 more: the rest is in the YAML");
});

test("US7: another resource is a link where it is in the view, and a name where it is not", () => {
  const markup = (store?: EnvironmentStore): string => html(<DetailSections sections={[container]} />, store);
  expect(markup()).toMatch(/ConfigMap<\/span> till-conf/);
  const store = new EnvironmentStore((flush) => flush());
  const nodes = new MadeView().nodes([{ id: "conf", ref: { ...CONFIG, resource: "configmaps" } }]);
  store.apply(create(WatchEnvironmentResponseSchema, { message: { case: "snapshot", value: { nodes, complete: true } } }), 0);
  expect(markup(store)).toMatch(/ConfigMap<\/span> <a[^>]*title="ConfigMap till-conf"/);
});

test("what is used of a quota is a bar, however odd the number", () => {
  const row = (share: number): MessageInitShape<typeof DetailRowSchema> => ({
    label: quotedWords("pods"),
    items: [{ share, tone: DetailTone.BAD }],
  });
  const section = create(DetailSectionSchema, { title: quotedWords("Used"), rows: [row(0.5), row(7), row(-1)] });
  const markup = html(<DetailSections sections={[section]} />);
  expect([...markup.matchAll(/width:([\d.]+)%/g)].map(([, width]) => width)).toEqual(["50", "100", "0"]);
  expect(text(markup)).toContain("700 %");
});

test("facts of its kind stand among those of the view; its containers tell its images", () => {
  const node = madeNode({ id: "p", ref: { kind: "Pod", name: "p" }, images: ["till:2"], restarts: 3 });
  const facts = [{ label: toWordsMessage(words("detail/qos")), items: [{ words: quotedWords("Burstable") }] }];
  const shown = (sections: readonly (typeof container)[]): string =>
    text(html(<OwnFacts node={node} answer={create(GetResourceResponseSchema, { facts, sections: [...sections] })} />));
  expect(shown([])).toMatch(/Quality of service Burstable Restarts 3 Before the last restart Logs of the previous run Images till:2/);
  expect(shown([container])).not.toContain("till:2");
});

test("a failing rollout says how many replicas are of the new revision", () => {
  const node = madeNode({ id: "d", ref: { kind: "Deployment", name: "d" }, ready: 3, wanted: 3 });
  const answer = (count: number) =>
    create(GetResourceResponseSchema, {
      facts: [
        { label: toWordsMessage(words("detail/updated")), items: [{ words: toWordsMessage(words("detail/of", { count, total: 3 })) }] },
      ],
    });
  expect(text(html(<Replicas node={node} answer={answer(0)} />))).toContain("3 ready of 3 wanted 0 of 3 updated");
  expect(text(html(<Replicas node={node} answer={answer(3)} />))).not.toContain("updated");
  expect(text(html(<Replicas node={node} answer={undefined} />))).toContain("3 ready of 3 wanted");
});

test("US7: of annotations the first are shown, and of each its beginning; nothing of them is markup", () => {
  const annotations = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`example.com/${index}`, index === 0 ? "<img src=x>" : ""]),
  );
  const markup = html(<Annotations annotations={annotations} />);
  expect(text(markup)).toContain("Annotations example.com/0 &lt;img src=x&gt; example.com/1 empty");
  expect(markup).not.toContain("example.com/4");
  expect(text(markup)).toContain("Show all 9");
  expect(html(<Annotations annotations={{}} />)).toBe("");
});

test("US7: labels and annotations of 1 MB, or thousands of them, are a few hundred characters of the page", () => {
  const long = "x".repeat(1_000_000);
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key-${index}`, long.slice(0, 100)]));
  for (const each of [{ [long]: long }, many]) {
    expect(html(<Annotations annotations={each} />).length).toBeLessThan(3_000);
    expect(html(<LabelTags labels={each} />).length).toBeLessThan(3_000);
  }
});

test("a CronJob has the Jobs that are its own, newest first", () => {
  const job = (name: string, ownerId: string, seconds: number) =>
    madeNode({ id: name, ownerId, ref: { group: "batch", kind: "Job", name }, createdAt: timestampFromMs(seconds * 1_000) });
  const cron = madeNode({ id: "c", ref: { group: "batch", kind: "CronJob", name: "c" } });
  const nodes = [job("old", "c", 1), job("new", "c", 2), job("foreign", "x", 3)];
  expect(runsOf(cron, nodes).map(({ id }) => id)).toEqual(["new", "old"]);
  expect(runsOf(madeNode({ id: "c", ref: { kind: "Service", name: "c" } }), nodes)).toEqual([]);
});

test("in another language no fact is in English", () => {
  setLanguage(pseudoCatalogue(ENGLISH), "en");
  const markup = html(<DetailSections sections={[container]} />);
  expect(text(markup)).not.toMatch(/\b(?:Containers|Ports|Mounts|sidecar|Waiting|more|the rest)\b/);
});
