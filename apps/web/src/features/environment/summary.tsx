"use client";
import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import type { LiveNode } from "../live/live-node.ts";
import { useMemo, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { nameWidth } from "@binnacle/presentation/text/name-width";
import { Name } from "../../ui/name.tsx";
import { ReplicaBar } from "../../ui/replica-bar.tsx";
import { messageText, tLater } from "../../ui/messages.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { asOfWords } from "@binnacle/presentation/view/as-of-words";
import { useEnvironmentStore, useGraphVersion, useView } from "../live/environment-context.tsx";
import { isWhole } from "@binnacle/presentation/view/is-whole";
import { ViewLinks } from "../saved-views/view-links.tsx";
import { freshnessOf, timesOf } from "@binnacle/presentation/view/freshness";
import { keyOfStatus, lookOf, reasonBeside, statusOf, wordOf } from "../live/health-status.ts";
import { EnvironmentMetrics } from "../metrics/environment-metrics.tsx";
import { iconOfKind, WORKLOAD_KINDS } from "@binnacle/presentation/health/kind-words";
import { linkingNodes } from "../resource/with-node-names.tsx";
import { withSyncIssues } from "@binnacle/presentation/health/with-sync-issues";
import { FilteredWhyList } from "../why/filtered-why-list.tsx";
import styles from "./environment.module.css";
import { GitopsCard, hasGitops } from "../gitops/gitops-card.tsx";
import { isWebAddress } from "../../ui/web-address.ts";
import { headlineOf, isHealthKnown, totalsSentence, worstSinceMs } from "@binnacle/presentation/health/summary-words";
import { ProblemState } from "./problem-state.tsx";
import { StateLink } from "../address/state-link.tsx";
import { selectionOf } from "../address/url-state.ts";

/** How the environment is, why, and its workloads, worst first. */
export function Summary(): ReactNode {
  const view = useView();
  const { environment, complete } = view;
  const known = isHealthKnown(view) ? view.health : undefined;
  const health = known && withSyncIssues(known, environment?.delivery);
  const now = useNow(10_000);
  const freshness = freshnessOf(view, now);
  const asOf = asOfWords(freshness, now);
  const sentence = health === undefined ? undefined : headlineOf(health, environment?.delivery, now);
  const names = (health?.activities ?? []).flatMap(({ nodes }) => nodes);
  const draw = linkingNodes([...new Set(names)]);
  const store = useEnvironmentStore();
  const version = useGraphVersion();
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the maps inside the store
  const workloads = useMemo(() => workloadsOf(store.nodes.values()), [store, version]);
  // Endpoints alone would leave most of a second column empty.
  const isBeside = hasGitops(environment?.delivery?.sync);
  return (
    <div className={styles["summary"]}>
      <div className={styles["teamViews"]}>
        <ViewLinks />
      </div>
      {health !== undefined && sentence !== undefined && (
        <div className={`${styles["sentence"]} ${sentence.look}`}>
          <StateGlyph look={sentence.look} size={24} />
          <h2>
            <WithTimes
              text={asOf === undefined ? "" : `${asOf.replace(/^./, (first) => first.toUpperCase())}: `}
              times={timesOf(freshness)}
              now={now}
            />
            <WithTimes text={sentence.main} times={[worstSinceMs(health)]} now={now} draw={draw} /> <span>{draw(sentence.rest)}</span>
          </h2>
        </div>
      )}
      {health !== undefined && complete && (
        <p className={`${styles["totals"]} num`}>{totalsSentence(health, { resources: store.nodes.size, workloads: workloads.length })}</p>
      )}
      <div className={styles["stack"]}>
        {health !== undefined && <FilteredWhyList health={health} environment={environment?.name ?? ""} complete={complete} />}
        {!isBeside && <Endpoints isWide />}
        <EnvironmentMetrics />
        {view.empty === undefined ? (
          <Workloads workloads={workloads} total={store.nodes.size} />
        ) : (
          <section className="panel">
            <ProblemState problem={view.empty} />
          </section>
        )}
      </div>
      {isBeside && (
        <div className={styles["stack"]}>
          <GitopsCard />
          <Endpoints />
        </div>
      )}
    </div>
  );
}

function Workloads({ workloads, total }: { readonly workloads: readonly LiveNode[]; readonly total: number }): ReactNode {
  const isKnown = isWhole(useView());
  return (
    <section className="panel">
      <header>
        <h3 className="grow">{tLater("ui/workloads")}</h3>
        <span className="muted num">
          {workloads.length === 0 && !isKnown
            ? tLater("ui/not-known-yet")
            : tLater("environment/worst-first", { count: workloads.length, total })}
        </span>
      </header>
      <div className={styles["scroll"]}>
        <table className={styles["workloads"]}>
          <caption className="visually-hidden">{tLater("environment/workloads-worst-first")}</caption>
          <thead>
            <tr>
              <th scope="col">{tLater("ui/name")}</th>
              <th scope="col">{tLater("ui/health")}</th>
              <th scope="col">{tLater("environment/replicas-ready")}</th>
              <th scope="col">{tLater("environment/status-detail")}</th>
              <th scope="col">{tLater("detail/image")}</th>
            </tr>
          </thead>
          <tbody>
            {workloads.map((node) => (
              <tr key={node.id} data-node-id={node.id} data-health={keyOfStatus(statusOf(node))}>
                <th scope="row">
                  <Icon name={iconOfKind(node.ref?.kind ?? "")} />
                  <StateLink className={styles["plainName"]} translate="no" change={{ sel: selectionOf(node.ref ?? NO_REF) }} opensDrawer>
                    <Name name={node.ref?.name ?? ""} room={NAME_PX} measure={nameWidth(13)} />
                  </StateLink>
                </th>
                <td>
                  <span className={`st ${lookOf(statusOf(node))}`}>
                    <StateGlyph look={lookOf(statusOf(node))} />
                    {wordOf(statusOf(node))}
                  </span>
                </td>
                <td>
                  {node.wanted >= 0 && (
                    <span className="row">
                      <ReplicaBar ready={Math.max(0, node.ready)} wanted={node.wanted} rest={lookOf(statusOf(node))} />
                      <span className="num nowrap">
                        {node.wanted === 0
                          ? tLater("environment/not-running")
                          : tLater("environment/ready-of", { count: Math.max(0, node.ready), wanted: node.wanted })}
                      </span>
                    </span>
                  )}
                </td>
                <td className={styles["fact"]} translate={statusOf(node) === HealthStatus.HEALTHY ? undefined : "no"}>
                  {statusDetail(node)}
                </td>
                <td translate="no" className={`mono muted ${styles["images"]}`}>
                  {node.images.map(shortImage).join(", ")}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Endpoints({ isWide = false }: { readonly isWide?: boolean }): ReactNode {
  const store = useEnvironmentStore();
  const version = useGraphVersion();
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the maps inside the store
  const exposed = useMemo(() => [...store.nodes.values()].filter((node) => isWebAddress(node.externalUrl)), [store, version]);
  if (exposed.length === 0) return null;
  return (
    <section className="panel">
      <header>
        <h3>{tLater("detail/endpoints")}</h3>
      </header>
      <ul className={`${styles["ends"]} ${isWide ? styles["wide"] : ""}`}>
        {exposed.slice(0, MAX_ENDPOINTS).map((node) => (
          <li key={node.id}>
            <a href={node.externalUrl} translate="no" rel="noreferrer noopener" target="_blank">
              {node.externalUrl.replace(/^https?:\/\//, "")}
            </a>
            <span className={`st ${lookOf(statusOf(node))}`}>
              <StateGlyph look={lookOf(statusOf(node))} />
              {wordOf(statusOf(node))}
            </span>
            <small translate="no">
              {node.ref?.kind} {node.ref?.name}
            </small>
          </li>
        ))}
        {exposed.length > MAX_ENDPOINTS && (
          <li className="muted">{tLater("environment/more-in-list", { count: exposed.length - MAX_ENDPOINTS })}</li>
        )}
      </ul>
    </section>
  );
}

const MAX_ENDPOINTS = 20;
/** Room for the name of a workload, so that its image is in sight. */
const NAME_PX = 260;

const NO_REF = { $typeName: "dashboard.v1.ResourceRef", group: "", version: "", kind: "", resource: "", namespace: "", name: "" } as const;

function workloadsOf(nodes: Iterable<LiveNode>): readonly LiveNode[] {
  return [...nodes]
    .filter((node) => node.ownerId === "" && WORKLOAD_KINDS.has(node.ref?.kind ?? "") && !node.superseded)
    .sort((left, right) => statusOf(right) - statusOf(left) || ((left.ref?.name ?? "") < (right.ref?.name ?? "") ? -1 : 1));
}

/** What the columns beside it do not say: why it is not well, else its fact unless that only counts replicas. */
function statusDetail(node: LiveNode): string {
  const reason = reasonBeside(node);
  if (reason !== "" && statusOf(node) !== HealthStatus.HEALTHY) return reason;
  return node.wanted >= 0 ? "" : messageText(node.factWords);
}

function shortImage(image: string): string {
  return (
    image
      .replace(/@sha256:([0-9a-f]{7})[0-9a-f]*$/, "@$1")
      .split("/")
      .at(-1) ?? image
  );
}
