/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <fieldset> is for fields */
"use client";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import Link from "next/link";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { isWebAddress } from "../../ui/web-address.ts";
import { useLazyCode } from "../../ui/lazy-code.ts";
import { useEnvironmentStore, useGraphVersion, useView } from "../live/environment-context.tsx";
import { isWhole } from "@binnacle/presentation/view/is-whole";
import type { Freshness } from "@binnacle/presentation/view/freshness";
import styles from "./environment.module.css";
import { LAZY_DEPLOYMENT, LAZY_PRINTED_HEAD, LAZY_SYNC, LAZY_TOOLS } from "./lazy-views.ts";
import { AccessPill, ConnectionPill, HealthPill } from "./pills.tsx";
import { settingsPath } from "../address/route-path.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { t, messageText } from "../../ui/messages.ts";
import { isHealthKnown } from "@binnacle/presentation/health/summary-words";
import type { PopoverProps } from "../../ui/popover.tsx";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { isSampled, sampledAge, sampledCount, sampledKinds, sampledMs } from "../live/sampled-kinds.ts";
import { PillPanel } from "./pill-panel.tsx";
import pillsStyles from "./pills.module.css";

const VIEWS = [
  { view: "summary", text: "environment/summary" },
  { view: "graph", text: "ui/graph" },
  { view: "list", text: "ui/list" },
  { view: "events", text: "ui/events" },
  { view: "logs", text: "ui/logs" },
] as const;

/** Name, tier, address, pills and tabs. The pills are never merged. */
export function EnvironmentHeader(props: {
  readonly projectPath: string;
  readonly name: string;
  readonly freshness: Freshness;
  /** The last deployment, as the page was sent with it. */
  readonly deployment?: ReactNode;
  /** How GitOps stands, as the page was sent with it. */
  readonly sync?: ReactNode;
}): ReactNode {
  const { projectPath, name, freshness, deployment, sync } = props;
  const Deployment = useLazyCode(LAZY_DEPLOYMENT, true).code;
  const Sync = useLazyCode(LAZY_SYNC, true).code;
  const { environment, problem, version, blank } = useView();
  const Tools = useLazyCode(LAZY_TOOLS, !blank).code;
  const PrintedHead = useLazyCode(LAZY_PRINTED_HEAD, !blank).code;
  // A view that cannot be shown has nothing to say about its health or its connection.
  const keepsData = problem?.kind === ProblemKind.UNAVAILABLE || problem?.kind === ProblemKind.UNAUTHENTICATED;
  const bare = problem !== undefined && (version === 0 || !keepsData);
  return (
    <section className={styles["head"]} aria-label={t("ui/environment")}>
      {/* On a phone it is pushed sideways: keys do that through its links and buttons, and through itself while it has none. */}
      <div className={styles["facts"]} {...(bare || Tools === undefined ? { tabIndex: 0 } : {})}>
        <div className={`row ${styles["title"]}`}>
          <h1 translate="no">{name}</h1>
          {environment !== undefined && environment.tier !== "" && (
            <span className={`tag ${environment.tier === name ? styles["repeated"] : ""}`}>
              {t("environment/tier", { tier: environment.tier })}
            </span>
          )}
          {environment?.state === "stopped" && <span className="tag">{t("environment/stopped")}</span>}
          {environment !== undefined && isWebAddress(environment.externalUrl) && (
            <a className={styles["external"]} href={environment.externalUrl} rel="noreferrer noopener" target="_blank">
              <span translate="no">{environment.externalUrl.replace(/^https?:\/\//, "").replace(/\/$/, "")}</span>
              <Icon name="ext" size={12} />
              <span className="visually-hidden">{t("ui/opens-in-new")}</span>
            </a>
          )}
          <span className="grow" />
          <Link className="btn ghost sm" href={settingsPath(projectPath, name)} prefetch={false}>
            {t("settings/heading")}
          </Link>
          <div className={styles["tools"]}>{Tools !== undefined && !bare && <Tools />}</div>
        </div>
        <ScopeLine />
        {PrintedHead !== undefined && <PrintedHead />}
        <div className={styles["deployed"]}>{Deployment === undefined ? deployment : <Deployment />}</div>
        {bare ? (
          <div className={styles["pills"]} />
        ) : (
          <div className={styles["pills"]} role="group" aria-label={t("environment/environment-state")}>
            <HealthPill freshness={freshness} />
            {Sync === undefined ? sync : <Sync />}
            <ConnectionPill freshness={freshness} />
            <SampledPill freshness={freshness} />
            <AccessPill freshness={freshness} />
          </div>
        )}
      </div>
      {!bare && <Tabs />}
    </section>
  );
}

function Tabs(): ReactNode {
  const [url, , href] = useUrlState();
  useGraphVersion();
  const count = useEnvironmentStore().nodes.size;
  const isCounted = isWhole(useView()) || count > 0;
  return (
    <nav className={styles["tabs"]} aria-label={t("ui/views")}>
      {VIEWS.map(({ view, text }) => (
        <Link
          key={view}
          href={href({ view })}
          scroll={false}
          prefetch={false}
          {...(url.view === view ? { "aria-current": "page" as const } : {})}
        >
          {t(text)}
          {(view === "graph" || view === "list") && isCounted && <span className="count num">{count}</span>}
        </Link>
      ))}
    </nav>
  );
}

/** Which part of the cluster the environment is, when the team's file says so, and how much of its namespaces that is. */
function ScopeLine(): ReactNode {
  const view = useView();
  const scope = messageText(view.environment?.scope);
  if (scope === "") return null;
  const covers = isHealthKnown(view) ? messageText(view.health?.covers) : "";
  return (
    <p className={styles["scope"]} data-scope>
      {scope}
      {covers !== "" && <span>{covers}</span>}
    </p>
  );
}

/** That not every kind is followed as it changes; opens which ones, since when and why. Nothing while all are, or while none is. */
export function SampledPill({ freshness }: { readonly freshness: Freshness }): ReactNode {
  const { sources } = useView();
  const kinds = sampledKinds(sources);
  if (kinds === undefined || freshness.kind !== "live") return null;
  const pill: PopoverProps["renderButton"] = (press) => (
    <button {...press} className={pillsStyles["pill"]} data-sampled={kinds.names.length}>
      <span>{t("environment/updates")}</span>
      <span>
        <StateGlyph look="progressing" size={14} />
        <span style={{ color: "var(--ink)" }}>{t("ui/live")}</span>
        <em>{sampledCount(kinds)}</em>
      </span>
    </button>
  );
  return (
    <PillPanel title={t("environment/polled-kinds")} renderButton={pill}>
      <SampledDetails />
    </PillPanel>
  );
}

/** Each kind without a watch: how old what is known of it is, and why. */
export function SampledDetails(): ReactNode {
  const { sources } = useView();
  const now = useNow();
  const sampled = sources.filter(isSampled).toSorted((a, b) => (a.resource < b.resource ? -1 : 1));
  return (
    <>
      <p>{t("environment/polled-kinds-explained")}</p>
      <ul>
        {sampled.map((source) => (
          <li key={`${source.group}/${source.resource}/${source.namespace}`}>
            <b className="b">{source.group === "" ? source.resource : `${source.resource}.${source.group}`}</b>
            {source.countsForHealth && <span className="tag">{t("environment/counts-for-health")}</span>}
            <p className="num">
              {source.namespace === "" ? t("environment/all-namespaces") : source.namespace},{" "}
              <WithTimes text={sampledAge(source, now)} times={[sampledMs(source)]} now={now} />
            </p>
            <p className="muted">{messageText(source.staleWords)}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
