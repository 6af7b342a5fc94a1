import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { EnvironmentHealthSchema, HealthStatus } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted } from "@binnacle/words";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test } from "vitest";
import { parseUrlState } from "../address/url-state.ts";
import { AtAddress } from "../address/testing/at-address.tsx";
import { StoreProvider } from "../live/environment-context.tsx";
import { EnvironmentStore } from "../live/environment-store.ts";
import { WhyBoard } from "./filtered-why-list.tsx";

let query = "";
beforeEach(() => {
  query = "";
});

const { DEGRADED, HEALTHY, PROGRESSING, SUSPENDED } = HealthStatus;

function issue(what: string, status: HealthStatus, more: object = {}): object {
  const [kind = "", name = ""] = what.split(" ");
  const members = [{ ref: { kind, name }, status }];
  return {
    key: name,
    status,
    reason: "Broken",
    words: toWordsMessage(quoted(`${name} is broken`)),
    membersTotal: 1,
    members,
    kinds: [kind],
    ...more,
  };
}

const ISSUES = [
  issue("Deployment web", DEGRADED, { since: timestampFromMs(1_000) }),
  issue("Pod roll", PROGRESSING, { since: timestampFromMs(9_000) }),
  issue("Service lost", HEALTHY, { notice: true }),
];
const HEALTH = create(EnvironmentHealthSchema, {
  status: DEGRADED,
  issues: ISSUES,
  issuesTotal: 60,
  resourcesTotal: 70,
  uncounted: [
    issue("CronJob nightly", SUSPENDED, { since: timestampFromMs(5_000) }),
    issue("PodDisruptionBudget budget", HEALTHY, { notice: true }),
  ],
  uncountedTotal: 2,
});

function shown(health = HEALTH): { readonly titles: readonly string[]; readonly html: string } {
  const html = renderToStaticMarkup(
    <AtAddress query={query}>
      <StoreProvider store={new EnvironmentStore((flush) => flush())}>
        <WhyBoard health={health} environment="production" complete url={parseUrlState(new URLSearchParams(query))} setUrl={() => {}} />
      </StoreProvider>
    </AtAddress>,
  );
  const why = html.slice(0, html.indexOf('<details class="panel'));
  return { html, titles: Array.from((why === "" ? html : why).matchAll(/<h4>([^<]*)<\/h4>/g), ([, title = ""]) => title) };
}

test("without a filter all are there, worst first, with the numbers of all", () => {
  const { titles, html } = shown();
  expect(titles).toEqual(["Deployment web: “Broken”", "Pod roll: “Broken”", "Service lost: “Broken”"]);
  expect(html).toContain("60 issues, worst first: 70 resources");
  expect(html).not.toContain("Clear filters");
});

test("UB2: the address filters by text, status and kind, and the number in the heading stays that of all", () => {
  for (const [of, titles] of [
    ["q=LOST", ["Service lost: “Broken”"]],
    ["health=progressing", ["Pod roll: “Broken”"]],
    ["health=notice,degraded", ["Deployment web: “Broken”", "Service lost: “Broken”"]],
    ["kind=Pod", ["Pod roll: “Broken”"]],
    ["q=unmatched", []],
  ] as const) {
    query = of;
    expect(shown().titles, of).toEqual(titles);
    expect(shown().html, of).toContain("60 issues, worst first: 70 resources");
    expect(shown().html, of).toContain(`${titles.length} of 3 shown`);
  }
});

test("the address orders: newest first, and unknown begins last", () => {
  query = "order=newest";
  expect(shown().titles).toEqual(["Pod roll: “Broken”", "Deployment web: “Broken”", "Service lost: “Broken”"]);
  expect(shown().html).toContain("60 issues, newest first: 70 resources");
});

test("a notice has no status: its members are not shown as healthy", () => {
  query = "q=lost";
  expect(shown().html).toContain(">Notice</span>");
  expect(shown().html).not.toContain("Healthy");
});

test("what is wanted so is folded below and in no count, also where there is no issue", () => {
  const calm = create(EnvironmentHealthSchema, { ...HEALTH, issues: [], issuesTotal: 0, resourcesTotal: 0 });
  for (const health of [HEALTH, calm]) {
    const { html } = shown(health);
    expect(html).toContain("Not counted");
    expect(html).toContain("2 on purpose, or only worth knowing");
    expect(html).toContain("CronJob nightly: “Broken”");
    expect(html).not.toMatch(/<details[^>]* open/);
  }
  expect(shown(calm).html).not.toContain("issues");
  expect(shown(create(EnvironmentHealthSchema, { ...HEALTH, uncounted: [], uncountedTotal: 0 })).html).not.toContain("Not counted");
});

test("US2: what is not counted says since when too, where that is known", () => {
  const { html } = shown();
  const times = html.slice(html.indexOf("Not counted")).match(/dateTime="[^"]*"/g);
  expect(times).toEqual(['dateTime="1970-01-01T00:00:05.000Z"']);
});

test("the address unfolds: all issues, the resources of one, and what is not counted", () => {
  const issues = Array.from({ length: 9 }, (_, at) => issue(`Pod p${at}`, DEGRADED, { membersTotal: 2 }));
  const uncounted = [issue("CronJob nightly", SUSPENDED)];
  const many = create(EnvironmentHealthSchema, {
    status: DEGRADED,
    issues,
    issuesTotal: 9,
    resourcesTotal: 18,
    uncounted,
    uncountedTotal: 1,
  });
  expect(shown(many).titles).toHaveLength(5);
  expect(shown(many).html).toContain("Show 4 more issues");
  query = "unfolded=issues,p7,uncounted";
  const { titles, html } = shown(many);
  expect(titles).toHaveLength(9);
  expect(html).not.toContain("more issues");
  expect(html.match(/<details[^>]* open/g)).toHaveLength(2);
});
