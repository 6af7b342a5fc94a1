"use client";
import type { AgentReplica, WatchAgentResponse } from "@binnacle/proto/dashboard-agents";
import { AgentStatusSource } from "@binnacle/proto/dashboard-agents";
import { useState, type ReactNode } from "react";
import { Ago } from "../../ui/ago.tsx";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatClock, millisOf } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { tLater } from "../../ui/messages.ts";
import { useNow } from "../../ui/use-now.ts";
import { shownConnections, timelineOf, type ShownConnection } from "./connection-timeline.ts";
import { upgradeCommand, versionSkew } from "./install-command.ts";
import { Command } from "./register-agent.tsx";
import styles from "./agents.module.css";

/** Namespace and name of a pod, for people. */
export function podOf({ podNamespace, podName }: Pick<AgentReplica, "podNamespace" | "podName">): string {
  if (podName === "") return tLater("agents/pod-unknown");
  return podNamespace === "" ? podName : `${podNamespace}/${podName}`;
}

/** Processes that are connected, and whether their versions fit together. */
export function Replicas({ status }: { readonly status: WatchAgentResponse }): ReactNode {
  const now = useNow(10_000);
  const isLimited = status.source === AgentStatusSource.MAIN_APPLICATION;
  return (
    <section className="panel" aria-labelledby="replicas">
      <header>
        <h2 id="replicas">{tLater("agents/replicas")}</h2>
      </header>
      <div className={styles["body"]}>
        <Skew status={status} />
        {isLimited && <p className="muted">{tLater("agents/replicas/limited")}</p>}
        {status.replicas.length === 0 ? (
          <p className="muted">{tLater("agents/replicas/none")}</p>
        ) : (
          <div className={styles["scroll"]}>
            <table className={styles["table"]} data-replicas={status.replicas.length}>
              <thead>
                <tr>
                  <th scope="col">{tLater("agents/column/pod")}</th>
                  <th scope="col">{tLater("environments/version")}</th>
                  <th scope="col">{tLater("agents/column/kubernetes")}</th>
                  <th scope="col">{tLater("agents/column/kas")}</th>
                  <th scope="col">{tLater("ui/since-label")}</th>
                  <th scope="col">{tLater("agents/column/latency")}</th>
                </tr>
              </thead>
              <tbody>
                {status.replicas.map((replica, index) => (
                  <tr key={`${replica.connectionId} ${index}`}>
                    <th scope="row" translate="no">
                      {podOf(replica)}
                    </th>
                    <td translate="no">{replica.version}</td>
                    <td translate="no">{replica.kubernetesVersion}</td>
                    <td translate="no">{replica.kas}</td>
                    <td>{replica.connectedAt !== undefined && <Ago atMs={millisOf(replica.connectedAt)} now={now} />}</td>
                    <td className="num">{latencyOf(replica) ?? <span className="muted">{tLater("agents/not-measured")}</span>}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </section>
  );
}

function latencyOf({ latency }: AgentReplica): string | undefined {
  if (latency === undefined) return undefined;
  const ms = Number(latency.seconds) * 1_000 + latency.nanos / 1_000_000;
  return tLater("agents/ms", { count: ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms) });
}

function Skew({ status }: { readonly status: WatchAgentResponse }): ReactNode {
  const skew = versionSkew(status.replicas, status.kasVersion);
  if (skew === undefined) return null;
  const text =
    skew.kind === "replicas"
      ? tLater("agents/skew/replicas", { versions: skew.versions.join(", ") })
      : tLater(skew.kind === "older" ? "agents/skew/older" : "agents/skew/newer", { version: skew.version, kas: skew.kas });
  return (
    <div className={styles["note"]} data-skew={skew.kind}>
      <p>
        <Icon name="info" /> {text}
      </p>
      {skew.kind === "older" && <Command text={upgradeCommand(skew.kas)} />}
    </div>
  );
}

const FEW = 8;

/** When the agent was connected, in the last 24 hours. */
export function History({ status }: { readonly status: WatchAgentResponse }): ReactNode {
  const now = useNow(10_000);
  const [isWhole, setWhole] = useState(false);
  const connections = shownConnections(status.history, status.replicas);
  const sinceMs = status.historySince && millisOf(status.historySince);
  return (
    <section className="panel" aria-labelledby="history">
      <header>
        <h2 id="history">{tLater("agents/history")}</h2>
      </header>
      <div className={styles["body"]}>
        {sinceMs === undefined ? (
          <p className="muted">{tLater("agents/history/unknown")}</p>
        ) : (
          <>
            {now > 0 && <Timeline connections={connections} sinceMs={sinceMs} nowMs={now} />}
            <p className="muted">
              {connections.length === 0
                ? tLater("agents/history/none", { at: formatClock(sinceMs, now) })
                : tLater("agents/history/since", { at: formatClock(sinceMs, now) })}
            </p>
            {connections.length > 0 && <Connections connections={isWhole ? connections : connections.slice(0, FEW)} nowMs={now} />}
            {!isWhole && connections.length > FEW && (
              <button type="button" className="btn sm" onClick={() => setWhole(true)}>
                {tLater("agents/history/show", { count: connections.length })}
              </button>
            )}
          </>
        )}
      </div>
    </section>
  );
}

function Timeline(props: {
  readonly connections: readonly ShownConnection[];
  readonly sinceMs: number;
  readonly nowMs: number;
}): ReactNode {
  const { connections, sinceMs, nowMs } = props;
  return (
    <div className={styles["timeline"]} aria-hidden="true" title={tLater("agents/history/timeline")}>
      {timelineOf(connections, sinceMs, nowMs).map(({ kind, left, width }) => (
        <span
          key={`${kind} ${left}`}
          className={kind === "unknown" ? "hatch" : styles["connected"]}
          style={{ left: `${left}%`, width: `${width}%` }}
        />
      ))}
    </div>
  );
}

function Connections({ connections, nowMs }: { readonly connections: readonly ShownConnection[]; readonly nowMs: number }): ReactNode {
  return (
    <div className={styles["scroll"]}>
      <table className={styles["table"]}>
        <thead>
          <tr>
            <th scope="col">{tLater("agents/column/pod")}</th>
            <th scope="col">{tLater("ui/since-label")}</th>
            <th scope="col">{tLater("agents/column/until")}</th>
            <th scope="col">{tLater("environments/version")}</th>
            <th scope="col">{tLater("agents/column/kas")}</th>
          </tr>
        </thead>
        <tbody>
          {connections.map(({ connection, sinceMs, until }) => (
            <tr key={String(connection.connectionId)}>
              <td translate="no">{podOf(connection)}</td>
              <td>
                <ExactTime atMs={sinceMs} now={nowMs}>
                  {formatClock(sinceMs, nowMs)}
                </ExactTime>
              </td>
              <td>
                {until === undefined ? (
                  tLater("agents/history/open")
                ) : until === "unknown" ? (
                  <span className="muted">{tLater("agents/history/end-unknown")}</span>
                ) : (
                  <ExactTime atMs={until} now={nowMs}>
                    {formatClock(until, nowMs)}
                  </ExactTime>
                )}
              </td>
              <td translate="no">{connection.version}</td>
              <td translate="no">{connection.kas}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
