"use client";
import type { LastDeployment } from "@binnacle/proto/dashboard";
import { ConnectionState, DeliveryState, DeploymentSource } from "@binnacle/proto/dashboard-enums";
import Link from "next/link";
import { memo, type ReactNode, use } from "react";
import { Ago } from "../../ui/ago.tsx";
import { everyWords } from "@binnacle/presentation/text/every-words";
import { t, messageText } from "../../ui/messages.ts";
import { tElements } from "../../ui/message-elements.ts";
import { formatClock, millisOf, formatAge } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { OutwardLink } from "../../ui/outward-link.tsx";
import { ReplicaBar } from "../../ui/replica-bar.tsx";
import { shortSha } from "../../ui/short-sha.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { isProblem, keyOfStatus, lookOf } from "../live/health-status.ts";
import styles from "./environments.module.css";
import { type KnownRow, oldWords } from "@binnacle/presentation/environments/index-words";
import { environmentPath } from "../address/route-path.ts";
import { RowSync } from "./row-sync.tsx";
import { RowForbidden, RowHealth } from "./row-health.tsx";
import { asOfMsOf, everyMsOf } from "@binnacle/presentation/environments/row-knowledge";
import { isForbidden } from "@binnacle/presentation/environments/row-order";
import { useViewerList } from "../viewer-storage/use-viewer-list.ts";
import favouritesStyles from "../favourites/favourites.module.css";
import { FAVOURITES, isFavourite, withToggled, type Favourite } from "../favourites/favourites.ts";
import { FavouritesOf } from "../favourites/use-favourites-first.ts";

/** What a row shows. */
export interface EnvironmentRowProps extends KnownRow {
  /** Its place in the whole table, from 1; the head is the first. */
  readonly rowIndex: number;
}

/** One environment. A row that may not be seen keeps its place, with a lock and without numbers. */
export const EnvironmentRowView = memo(function EnvironmentRowView({ row, knowledge, rowIndex }: EnvironmentRowProps): ReactNode {
  const environment = row.environment;
  const name = environment?.name ?? "";
  const look = row.health === undefined ? "unknown" : lookOf(row.health.status);
  const forbidden = isForbidden(row);
  const old = knowledge.kind === "old";
  const hot = row.health !== undefined && isProblem(row.health.status);
  const classes = [
    styles["row"],
    look,
    old ? `${styles["stale"]} stale-data` : "",
    forbidden ? `${styles["forbidden"]} hatch` : "",
    hot ? styles["hot"] : "",
  ];
  return (
    <tr
      className={classes.join(" ")}
      aria-rowindex={rowIndex}
      data-environment={name}
      data-health={row.health === undefined ? "none" : keyOfStatus(row.health.status)}
      data-knowledge={knowledge.kind}
    >
      <th scope="row">
        <Link className={styles["name"]} translate="no" href={environmentPath(environment?.projectPath ?? "", name)}>
          {name}
        </Link>
        <FavouriteStar projectPath={environment?.projectPath ?? ""} environment={name} />
        <span className={styles["sub"]} translate={hostOf(environment?.externalUrl ?? "") === "" ? undefined : "no"}>
          {hostOf(environment?.externalUrl ?? "") || tierOf(environment?.tier ?? "")}
        </span>
      </th>
      <td>{forbidden ? <RowForbidden row={row} /> : <RowHealth row={row} knowledge={knowledge} />}</td>
      <td>{!forbidden && row.problem === undefined && <Workloads row={row} knowledge={knowledge} />}</td>
      <td className="nowrap">{!forbidden && row.lastChange !== undefined && <LastChange atMs={millisOf(row.lastChange)} />}</td>
      <td className="nowrap">
        {environment?.delivery?.lastDeployment !== undefined && <RowVersion last={environment.delivery.lastDeployment} />}
      </td>
      <td className="nowrap">
        <RowSync row={row} />
      </td>
      <td className="nowrap">
        <RowAgent row={row} knowledge={knowledge} />
      </td>
      <td>{row.problem === undefined && <Access row={row} />}</td>
    </tr>
  );
}, isSameRow);

/** How well a row is known is found anew every second; mostly it is the same. */
function isSameRow(before: EnvironmentRowProps, after: EnvironmentRowProps): boolean {
  if (before.row !== after.row || before.rowIndex !== after.rowIndex) return false;
  const [a, b] = [before.knowledge, after.knowledge];
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function Workloads({ row, knowledge }: KnownRow): ReactNode {
  const now = useNow(10_000);
  if (row.health === undefined) return <span className="muted">–</span>;
  const at = knowledge.kind === "old" ? formatClock(knowledge.asOfMs, now) : undefined;
  const dated = (text: string): ReactNode =>
    knowledge.kind === "old" ? <WithTimes text={text} times={[knowledge.asOfMs]} now={now} /> : text;
  if (row.workloads === 0) return <span className="muted">{dated(t("environments/none", { at }))}</span>;
  // Red marks failures: paused syncs need no attention.
  const isAllPaused = row.workloadsSuspended > 0 && row.workloadsReady + row.workloadsSuspended === row.workloads;
  return (
    <>
      <ReplicaBar ready={row.workloadsReady} wanted={row.workloads} rest={isAllPaused ? "suspended" : lookOf(row.health.status)} />
      <span className={`${styles["sub"]} num`}>
        {tElements("environments/of", {
          ready: row.workloadsReady,
          wanted: row.workloads,
          down:
            row.workloadsDown !== undefined && row.workloadsDown > 0 ? (
              <b className={styles["down"]} data-down={row.workloadsDown}>
                {t("environments/down", { count: row.workloadsDown })}
              </b>
            ) : undefined,
          paused: row.workloadsSuspended > 0 ? row.workloadsSuspended : undefined,
          asOf: at === undefined ? undefined : dated(t("ui/as-of", { at })),
        })}
      </span>
    </>
  );
}

function LastChange({ atMs }: { readonly atMs: number }): ReactNode {
  return <Ago atMs={atMs} now={useNow(1000)} />;
}

function Access({ row }: Pick<KnownRow, "row">): ReactNode {
  const hidden = row.health?.hidden ?? [];
  if (row.health === undefined) return <span className="muted">–</span>;
  if (row.workloadsOnly) {
    return (
      <span className={styles["access"]} title={t("environments/only-workloads-checked")}>
        {t("environments/workloads-only")}
      </span>
    );
  }
  return hidden.length > 0 ? (
    <span className={styles["access"]} title={t("environments/not-visible", { hidden: hidden.join(", ") })}>
      <StateGlyph look="locked" size={14} />
      {t("environments/partial")}
    </span>
  ) : (
    <span className={styles["access"]}>
      <Icon name="check" size={14} />
      {t("ui/access-full")}
    </span>
  );
}

function hostOf(url: string): string {
  return url.replace(/^[a-z]+:\/\//, "").replace(/\/$/, "");
}

function tierOf(tier: string): string {
  return tier === "" ? "" : t("environment/tier", { tier });
}

/** The agent of an environment, and how it is connected. */
function RowAgent({ row, knowledge }: KnownRow): ReactNode {
  const now = useNow(10_000);
  const environment = row.environment;
  if (environment === undefined || environment.agentId === 0n) return <span className="muted">{t("environments/no-agent")}</span>;
  const state = row.connection?.state;
  const look = state === ConnectionState.CONNECTED ? "healthy" : state === ConnectionState.RECONNECTING ? "missing" : "unknown";
  const since = row.connection?.since === undefined || now === 0 ? "" : ` ${formatAge(millisOf(row.connection.since), now)}`;
  return (
    <>
      <span className="row">
        <span className={`${styles["dot"]} ${look}`} />
        <span translate="no">{environment.agentName}</span>
      </span>
      <span className={styles["agentState"]}>
        <WithTimes text={stateWords({ row, knowledge }, since, now)} times={[asOfMsOf(row)]} now={now} />
      </span>
    </>
  );
}

/** How the agent is connected; of one that is, how new the numbers are. */
function stateWords({ row, knowledge }: KnownRow, since: string, now: number): string {
  const state = row.connection?.state;
  if (state === ConnectionState.RECONNECTING) return t("environments/state/reconnecting");
  if (state === ConnectionState.AGENT_OFFLINE) return t("environments/state/offline", { since });
  if (state === ConnectionState.KAS_UNREACHABLE) return t("environments/no-agent-server", { since });
  if (state === ConnectionState.API_DOWN) return t("environments/no-kubernetes-api", { since });
  if (state === ConnectionState.AGENT_NEVER_CONNECTED) return t("environments/never-connected");
  if (state !== ConnectionState.CONNECTED) return "";
  if (knowledge.kind === "old") return oldWords(knowledge);
  if (row.health === undefined) return t("environments/state/connected");
  return row.live
    ? t("environments/state/live")
    : t("live/kind-as-of", { at: formatClock(asOfMsOf(row), now), every: everyWords(everyMsOf(row)) });
}

/** Which version runs: a tag or the short commit, and how long ago it was deployed; or that this is not known. */
function RowVersion({ last }: { readonly last: LastDeployment }): ReactNode {
  const now = useNow(10_000);
  const { value, why, asOf } = last;
  if (value === undefined) {
    return (
      <span className="muted" data-deployment-state={last.state} title={messageText(why)}>
        {missingWords(last)}
      </span>
    );
  }
  const { sha, ref, tag, title, commitUrl, at, source } = value;
  return (
    <span className={asOf === undefined ? "" : "stale-data"} data-deployed={sha}>
      <OutwardLink url={commitUrl} translate="no" title={title}>
        <code>{tag ? ref : shortSha(sha)}</code>
      </OutwardLink>
      <span className={styles["sub"]}>
        {at !== undefined && (
          <>
            {" "}
            {tElements(source === DeploymentSource.GITOPS ? "environments/applied-ago" : "environments/deployed-ago", {
              ago: <Ago atMs={millisOf(at)} now={now} />,
            })}
          </>
        )}
        {asOf !== undefined && (
          <>
            {" "}
            <WithTimes text={t("ui/as-of", { at: formatClock(millisOf(asOf), now) })} times={[millisOf(asOf)]} now={now} />
          </>
        )}
      </span>
    </span>
  );
}

/** Short: the page of the environment says more. That there is none is shown only where it is known. */
function missingWords({ state }: LastDeployment): string {
  if (state === DeliveryState.NONE) return t("environment/no-deployment-yet");
  return state === DeliveryState.FORBIDDEN ? t("environments/deployment-not-known-to-you") : t("environment/deployment-not-known");
}

/** Marks an environment as one of the viewer's favourites, or takes the mark away. Renders nothing while the viewer is unknown. */
function FavouriteStar({ projectPath, environment }: Favourite): ReactNode {
  const viewer = use(FavouritesOf);
  const favourites = useViewerList(FAVOURITES, viewer);
  if (viewer === undefined || viewer === "") return null;
  const favourite = { projectPath, environment };
  const isMarked = isFavourite(favourites, favourite);
  return (
    <button
      type="button"
      className={favouritesStyles["star"]}
      aria-pressed={isMarked}
      aria-label={t("favourites/favourite", { environment })}
      title={isMarked ? t("favourites/is-favourite") : t("favourites/add")}
      onClick={() => FAVOURITES.set(viewer, withToggled(FAVOURITES.of(viewer), favourite))}
    >
      <Icon name="star" size={14} />
    </button>
  );
}
