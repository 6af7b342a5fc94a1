import {
  CompareManifestResponseSchema,
  ManifestSource,
  ResourceRefSchema,
  type GetResourceResponse,
  type ResourceRef,
} from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted, words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";
import type { ReactNode } from "react";
import type { LiveNode } from "../../src/features/live/live-node.ts";
import type { EnvironmentStore } from "../../src/features/live/environment-store.ts";
import drawer from "../../src/features/resource-detail/drawer.module.css";
import { EventsTab } from "../../src/features/resource-detail/events-tab.tsx";
import { DetailRows } from "../../src/features/resource-detail/facts/detail-rows.tsx";
import { DetailSections } from "../../src/features/resource-detail/facts/detail-sections.tsx";
import factStyles from "../../src/features/resource-detail/facts/facts.module.css";
import { ManifestDiff } from "../../src/features/resource-detail/manifest/manifest-diff.tsx";
import { ManifestTab } from "../../src/features/resource-detail/manifest/manifest-tab.tsx";
import { OverviewTab } from "../../src/features/resource-detail/overview-tab.tsx";
import { RelationsTab } from "../../src/features/resource-detail/relations-tab.tsx";
import type { ResourceState } from "../../src/features/resource-detail/use-resource.ts";
import { YamlTab } from "../../src/features/resource-detail/yaml-tab.tsx";
import { fixtureComparison } from "../fixture-comparison.ts";
import { details } from "../fixture-details.ts";
import type { Specimen, SpecimenGroup } from "./specimen.ts";
import { everyState, fixtureStore, In, NOW_MS, worldStore } from "./specimen-store.tsx";

const production = fixtureStore("production");
const states = worldStore(everyState());
const named = (kind: string, name: string): ResourceRef => create(ResourceRefSchema, { version: "v1", kind, namespace: "shop-prod", name });
const answer = details(named("Deployment", "checkout"));
const LOADED: ResourceState = { answer, answeredMs: NOW_MS, loading: false };
const LOADING: ResourceState = { loading: true };
const FAILED: ResourceState = { loading: false, problem: "The agent is offline" };
const OLD: ResourceState = { ...LOADED, problem: "The Kubernetes API does not answer" };
const REFUSED: ResourceState = {
  ...LOADED,
  answer: { ...answer, events: [], eventsWords: toWordsMessage(quoted("You may not list events in shop-prod.")) },
};
const NONE: ResourceState = { ...LOADED, answer: { ...answer, events: [] } };
const HUGE: ResourceState = { ...LOADED, answer: { ...answer, yaml: "data: a line of a very large ConfigMap\n".repeat(27_000) } };

const LONG: ResourceState = { ...LOADED, answer: { ...answer, yaml: `${answer.yaml}data:\n  key: ${"a long line ".repeat(1_000)}\n` } };

const COMPARED = fixtureComparison();
const APPLIED = create(CompareManifestResponseSchema, {
  fields: COMPARED.fields.slice(3, 4),
  different: 1,
  compared: 1,
  source: ManifestSource.LAST_APPLIED,
  sourceWords: toWordsMessage(words("manifest/last-applied", { annotation: "kubectl.kubernetes.io/last-applied-configuration" })),
});
const NOT_COMPARED = create(CompareManifestResponseSchema, { words: toWordsMessage(words("manifest/flux", { name: "flux-system/shop" })) });
const { desiredYaml: DESIRED, liveYaml: LIVE } = COMPARED;

function tab(title: string, store: EnvironmentStore, content: ReactNode): Specimen {
  return {
    title,
    body: (
      <In store={store}>
        <div className={drawer["drawer"]} style={{ width: 400, maxHeight: 640 }}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as in the drawer */}
          <div className={drawer["body"]} tabIndex={0}>
            {content}
          </div>
        </div>
      </In>
    ),
  };
}

function DetailSpecimen({ facts, sections }: Pick<GetResourceResponse, "facts" | "sections">): ReactNode {
  return (
    <>
      <dl className={`facts ${factStyles["rows"]}`}>
        <DetailRows rows={facts} />
      </dl>
      <DetailSections sections={sections} />
    </>
  );
}

function nodesNamed(store: EnvironmentStore, names: readonly string[]): readonly LiveNode[] {
  return [...store.nodes.values()].filter(({ ref }) => names.includes(`${ref?.kind}/${ref?.name}`));
}

/** Parts of the drawer, each in its states. */
export const drawerSpecimens: SpecimenGroup = {
  title: "Drawer",
  specimens: [
    ...[...states.nodes.values()].map((node) =>
      tab(`overview ${node.ref?.name.slice(0, 40)}`, states, <OverviewTab node={node} resource={LOADED} />),
    ),
    ...nodesNamed(production, [
      "Deployment/checkout",
      "Deployment/recommendations",
      "Service/legacy-bridge",
      "HTTPRoute/split",
      "Widget/blue",
      "Widget/red",
    ]).flatMap((node) => [
      tab(`overview of ${node.ref?.kind} ${node.ref?.name}`, production, <OverviewTab node={node} resource={LOADED} />),
      tab(`relations of ${node.ref?.kind} ${node.ref?.name}`, production, <RelationsTab node={node} />),
    ]),
    ...["ResourceQuota", "NetworkPolicy", "CronJob", "Service", "Ingress", "Secret", "HorizontalPodAutoscaler"].flatMap((kind) => {
      const { facts, sections } = details(named(kind, "checkout"));
      return tab(`sections of a ${kind}`, production, <DetailSpecimen facts={facts} sections={sections} />);
    }),
    ...nodesNamed(production, ["Deployment/checkout"]).map((node) =>
      tab("overview, details failed", production, <OverviewTab node={node} resource={FAILED} />),
    ),
    ...nodesNamed(production, ["Deployment/checkout"]).flatMap((node) => [
      tab("yaml", production, <YamlTab node={node} resource={LOADED} kept={false} />),
      tab("yaml of 1 MB", production, <YamlTab node={node} resource={HUGE} kept={false} />),
      tab("yaml with a long line", production, <YamlTab node={node} resource={LONG} kept={false} />),
      tab("yaml, loading", production, <YamlTab node={node} resource={LOADING} kept={false} />),
      tab("yaml, failed", production, <YamlTab node={node} resource={FAILED} kept={false} />),
      tab("yaml, failed after it was shown", production, <YamlTab node={node} resource={OLD} kept={false} />),
      tab("yaml of a kept picture", production, <YamlTab node={node} resource={{ loading: false }} kept />),
    ]),
    tab("manifest", production, <ManifestTab comparison={{ answer: COMPARED, loading: false }} kept={false} />),
    tab("manifest, applied last", production, <ManifestTab comparison={{ answer: APPLIED, loading: false }} kept={false} />),
    tab("manifest, not compared", production, <ManifestTab comparison={{ answer: NOT_COMPARED, loading: false }} kept={false} />),
    tab("manifest, failed", production, <ManifestTab comparison={{ loading: false, problem: "The agent is offline" }} kept={false} />),
    tab("diff", production, <ManifestDiff desired={DESIRED} live={LIVE} source="git" />),
    tab("diff, nothing differs", production, <ManifestDiff desired={DESIRED} live={DESIRED} source="git" />),
    tab("diff, too many lines differ", production, <ManifestDiff desired={"a: 1\n".repeat(2_000)} live="b: 2\n" source="last-applied" />),
    tab(
      "diff with a long line",
      production,
      <ManifestDiff desired={DESIRED} live={`${DESIRED}key: ${"a long line ".repeat(1_000)}\n`} source="git" />,
    ),
    tab("events", production, <EventsTab resource={LOADED} kept={false} />),
    tab("events, none", production, <EventsTab resource={NONE} kept={false} />),
    tab("events, refused", production, <EventsTab resource={REFUSED} kept={false} />),
    tab("events, loading", production, <EventsTab resource={LOADING} kept={false} />),
    tab("events of a kept picture", production, <EventsTab resource={{ loading: false }} kept />),
  ],
};
