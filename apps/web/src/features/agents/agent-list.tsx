"use client";
import type { Agent, ListAgentsResponse } from "@binnacle/proto/dashboard-agents";
import type { UseQueryResult } from "@tanstack/react-query";
import Link from "next/link";
import { useState, type ReactNode } from "react";
import { Ago } from "../../ui/ago.tsx";
import { millisOf } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { tLater } from "../../ui/messages.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { useNow } from "../../ui/use-now.ts";
import { agentPath, environmentPath } from "../address/route-path.ts";
import { sentenceOfError } from "../queries/request-error.ts";
import { RegisterAgent } from "./register-agent.tsx";
import styles from "./agents.module.css";

/** Environments that a row names. */
const MAX_ENVIRONMENTS = 3;

interface ListProps {
  readonly projectPath: string;
  readonly query: UseQueryResult<ListAgentsResponse>;
}

/** Agents of a project with what the main application knows of each, and the registration of another one. */
export function AgentList({ projectPath, query }: ListProps): ReactNode {
  const { data, error, refetch } = query;
  const [isOpen, setOpen] = useState(false);
  const mayRegister = data?.mayAdminister === true;
  return (
    <>
      <div className={styles["head"]}>
        <h1>{tLater("agents/agents")}</h1>
        <span className="grow" />
        {mayRegister && !isOpen && (
          <button type="button" className="btn primary" onClick={() => setOpen(true)}>
            <Icon name="plus" size={14} />
            {tLater("agents/register")}
          </button>
        )}
      </div>
      {isOpen && data !== undefined && (
        <RegisterAgent
          projectPath={projectPath}
          kasAddress={data.kasAddress}
          onChange={() => void refetch()}
          onClose={() => setOpen(false)}
        />
      )}
      {data === undefined && error === null && <Skeleton rows={4} label={tLater("ui/loading")} />}
      {data === undefined && error !== null && (
        <StatePanel
          icon="off"
          role="alert"
          message={tLater("agents/not-loaded")}
          more={sentenceOfError(error)}
          actions={
            <button type="button" className="btn sm" onClick={() => void refetch()}>
              {tLater("ui/try-again")}
            </button>
          }
        />
      )}
      {data?.agents.length === 0 && !isOpen && (
        <StatePanel
          icon="node"
          message={tLater("agents/none")}
          more={`${tLater("agents/none/more")}${mayRegister ? "" : ` ${tLater(data.inFiles ? "agents/none/in-files" : "agents/none/ask")}`}`}
        />
      )}
      {data !== undefined && data.agents.length > 0 && <Table projectPath={projectPath} agents={data.agents} hasTokens={!data.inFiles} />}
      {data?.truncated === true && <p className="muted">{tLater("agents/truncated", { count: data.agents.length })}</p>}
    </>
  );
}

interface TableProps {
  readonly projectPath: string;
  readonly agents: readonly Agent[];
  /** Tokens and registrations are known. */
  readonly hasTokens: boolean;
}

function Table({ projectPath, agents, hasTokens }: TableProps): ReactNode {
  const now = useNow(10_000);
  return (
    <div className={`panel ${styles["scroll"]}`}>
      <table className={styles["table"]}>
        <thead>
          <tr>
            <th scope="col">{tLater("ui/name")}</th>
            <th scope="col">{tLater("environment/connection")}</th>
            <th scope="col">{tLater("ui/environments")}</th>
            {hasTokens && <th scope="col">{tLater("agents/tokens")}</th>}
            {hasTokens && <th scope="col">{tLater("agents/column/created")}</th>}
          </tr>
        </thead>
        <tbody>
          {agents.map((agent) => (
            <tr key={String(agent.id)} data-agent={agent.name}>
              <th scope="row">
                <Link href={agentPath(projectPath, agent.name)} translate="no">
                  {agent.name}
                </Link>
              </th>
              <td>
                {agent.connectionsUnknown ? (
                  <span className="muted">{tLater("agents/connections/on-page")}</span>
                ) : (
                  <AgentStatusWord connected={agent.connections} everSeen={agent.lastSeenAt !== undefined} />
                )}
                {!agent.connectionsUnknown && agent.connections === 0 && agent.lastSeenAt !== undefined && (
                  <span className="muted">
                    {" "}
                    {tLater("agents/last-seen")} <Ago atMs={millisOf(agent.lastSeenAt)} now={now} />
                  </span>
                )}
              </td>
              <td>
                {agent.environments.length === 0 && <span className="muted">{tLater("agents/no-environments")}</span>}
                {agent.environments.slice(0, MAX_ENVIRONMENTS).map((name, index) => (
                  <span key={name} translate="no">
                    {index > 0 && ", "}
                    <Link href={environmentPath(projectPath, name)}>{name}</Link>
                  </span>
                ))}
                {agent.environments.length > MAX_ENVIRONMENTS && (
                  <span className="muted"> {tLater("ui/and-more", { count: agent.environments.length - MAX_ENVIRONMENTS })}</span>
                )}
              </td>
              {hasTokens && <td className="num">{agent.tokens}</td>}
              {hasTokens && <td>{agent.createdAt !== undefined && <Ago atMs={millisOf(agent.createdAt)} now={now} />}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Connected, offline, or never connected. */
export function AgentStatusWord({ connected, everSeen }: { readonly connected: number; readonly everSeen: boolean }): ReactNode {
  const look = connected > 0 ? "healthy" : everSeen ? "missing" : "unknown";
  const state = connected > 0 ? "connected" : everSeen ? "offline" : "never";
  return (
    <span className={`st ${look}`} data-status={state}>
      <StateGlyph look={look} />
      {connected > 0
        ? tLater("agents/status/connected", { count: connected })
        : tLater(everSeen ? "environment/offline" : "environment/never-connected")}
    </span>
  );
}
