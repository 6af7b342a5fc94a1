"use client";
import { AgentFileState, AgentStatusSource, type GetAgentResponse, type WatchAgentResponse } from "@binnacle/proto/dashboard-agents";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import { formatAge } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { messageText, tLater } from "../../ui/messages.ts";
import { shortSha } from "../../ui/short-sha.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { useNow } from "../../ui/use-now.ts";
import { agentsPath, environmentPath } from "../address/route-path.ts";
import { sentenceOfError } from "../queries/request-error.ts";
import { AgentAccess } from "./agent-access.tsx";
import { AgentStatusWord } from "./agent-list.tsx";
import { AgentTokens } from "./agent-tokens.tsx";
import { accessQuery, type AgentNames } from "./agents-client.ts";
import { connectedKey, FirstConnection } from "./register-agent.tsx";
import { History, Replicas } from "./replicas.tsx";
import { useAgentConnections, type AgentConnections } from "./use-agent-connections.ts";
import styles from "./agents.module.css";

interface DetailProps extends AgentNames {
  readonly query: UseQueryResult<GetAgentResponse>;
}

/** One agent: connections, capabilities, configuration, access, environments and tokens. */
export function AgentDetail({ projectPath, name, query }: DetailProps): ReactNode {
  const { data, error, refetch } = query;
  const names = { projectPath, name };
  const live = useAgentConnections(names);
  if (data === undefined && error === null)
    return (
      <>
        <h1 translate="no">{name}</h1>
        <Skeleton rows={6} label={tLater("ui/loading")} />
      </>
    );
  if (data === undefined)
    return (
      <StatePanel
        icon="off"
        role="alert"
        message={tLater("agents/agent-not-loaded")}
        more={sentenceOfError(error)}
        actions={
          <Link className="btn sm" href={agentsPath(projectPath)}>
            {tLater("agents/back")}
          </Link>
        }
      />
    );
  const { inFiles } = data;
  // Where the main application knows of no connections, only kas says what is connected.
  const isUnknown = data.agent?.connectionsUnknown === true && live.status?.source !== AgentStatusSource.KAS;
  const status = isUnknown ? undefined : live.status;
  const isNeverConnected =
    data.agent?.connectionsUnknown !== true &&
    data.agent?.lastSeenAt === undefined &&
    status !== undefined &&
    status.replicas.length + status.history.length === 0;
  const connected = connectedKey(status);
  return (
    <>
      <div className={styles["head"]}>
        <h1 translate="no">{name}</h1>
        {status !== undefined && <AgentStatusWord connected={status.replicas.length} everSeen={!isNeverConnected} />}
      </div>
      <LiveNotes live={live} />
      {isUnknown && live.status?.source === AgentStatusSource.MAIN_APPLICATION && (
        <p className={styles["note"]}>
          <Icon name="info" /> {tLater("agents/connections/of-users")}
        </p>
      )}
      {isNeverConnected && (
        <section className="panel">
          <div className={styles["body"]}>
            <FirstConnection {...names} />
          </div>
        </section>
      )}
      <div className={styles["columns"]}>
        <div className={styles["column"]}>
          {status === undefined ? (
            live.ended === undefined && live.status === undefined && <Skeleton rows={4} label={tLater("ui/loading")} />
          ) : (
            <>
              <Replicas status={status} />
              <History status={status} />
              <Configuration status={status} data={data} names={names} />
            </>
          )}
        </div>
        <div className={styles["column"]}>
          <AgentAccess names={names} connected={connected} file={data.file} inFiles={inFiles} />
          <Environments projectPath={projectPath} names={data.agent?.environments ?? []} />
          <AgentTokens names={names} data={data} onChange={() => void refetch()} />
        </div>
      </div>
    </>
  );
}

function LiveNotes({ live }: { readonly live: AgentConnections }): ReactNode {
  const now = useNow(1_000);
  const { status, lostSinceMs, lastMessageMs, ended } = live;
  if (ended !== undefined)
    return (
      <p className={styles["note"]} role="alert">
        <Icon name="off" /> {tLater("agents/gone")}
      </p>
    );
  if (lostSinceMs !== undefined && lastMessageMs > 0)
    return (
      <output className={styles["note"]}>
        <Icon name="off" /> {tLater("agents/stale", { age: formatAge(lastMessageMs, now) })}
      </output>
    );
  if (status?.problem === undefined) return null;
  return (
    <output className={styles["note"]}>
      <Icon name="info" /> {tLater("agents/status-problem", { why: messageText(status.problem) })}
    </output>
  );
}

const ABILITY_WORDS = { yes: "detail/yes", no: "detail/no", partial: "agents/abilities/partial" } as const;
const ABILITIES = ["impersonation", "views", "logs", "upgrade", "reports", "reset"] as const;

function Configuration(props: {
  readonly status: WatchAgentResponse;
  readonly data: GetAgentResponse;
  readonly names: AgentNames;
}): ReactNode {
  const { status, data, names } = props;
  const access = useQuery(accessQuery(names, connectedKey(status))).data;
  const commits = [...new Set(status.replicas.map(({ configurationCommit }) => configurationCommit))];
  const [commit = ""] = commits;
  const isKnown = status.source === AgentStatusSource.KAS && status.replicas.length > 0;
  return (
    <section className="panel" aria-labelledby="configuration">
      <header>
        <h2 id="configuration">{tLater("agents/configuration")}</h2>
      </header>
      <div className={styles["body"]}>
        {status.configurationProblem !== "" && (
          <p className={styles["note"]} role="alert" data-configuration-problem={status.configurationLine}>
            <Icon name="info" />{" "}
            {tLater("agents/configuration/problem", {
              reason: status.configurationProblem.replace(/\.$/, ""),
              commit: shortSha(status.lastGoodCommit),
            })}
            {status.configurationLine > 0 && (
              <span className="tag">{tLater("resource-detail/line", { line: status.configurationLine })}</span>
            )}
          </p>
        )}
        {data.file?.state === AgentFileState.ABSENT && (
          <p className="muted">{tLater("agents/configuration/absent", { path: data.file.path })}</p>
        )}
        <dl className={styles["facts"]}>
          <dt>{tLater("agents/configuration/commit")}</dt>
          <dd>
            {commits.length > 1 ? (
              tLater("agents/configuration/differs")
            ) : commit === "" ? (
              tLater("agents/configuration/none")
            ) : (
              <code>{shortSha(commit)}</code>
            )}
          </dd>
          <dt>{tLater("agents/watch-budget")}</dt>
          <dd className="num">
            {access?.watchBudget === undefined
              ? tLater("agents/watch-budget/unknown")
              : tLater("agents/watch-budget/value", { count: access.watchBudget })}
          </dd>
          <dt>{tLater("agents/abilities")}</dt>
          <dd>
            {isKnown ? (
              <ul className={styles["abilities"]}>
                {ABILITIES.map((ability) => {
                  const having = status.replicas.filter(({ abilities }) => abilities.includes(ability)).length;
                  const word = having === 0 ? "no" : having < status.replicas.length ? "partial" : "yes";
                  return (
                    <li key={ability} data-ability={ability} data-has={word}>
                      <Icon name={having === 0 ? "minus" : "check"} size={14} /> {tLater(`agents/abilities/${ability}`)}
                      <span className={word === "yes" ? "visually-hidden" : "muted"}> ({tLater(ABILITY_WORDS[word])})</span>
                    </li>
                  );
                })}
              </ul>
            ) : (
              tLater("agents/abilities/unknown")
            )}
          </dd>
        </dl>
      </div>
    </section>
  );
}

function Environments({ projectPath, names }: { readonly projectPath: string; readonly names: readonly string[] }): ReactNode {
  return (
    <section className="panel" aria-labelledby="agent-environments">
      <header>
        <h2 id="agent-environments">{tLater("agents/environments")}</h2>
      </header>
      <div className={styles["body"]}>
        {names.length === 0 && <p className="muted">{tLater("agents/environments/none")}</p>}
        {names.length > 0 && (
          <ul className={styles["namespaces"]}>
            {names.map((environment) => (
              <li key={environment}>
                <Link className="chip" href={environmentPath(projectPath, environment)} translate="no">
                  {environment}
                </Link>
              </li>
            ))}
          </ul>
        )}
        <p className="muted">{tLater("agents/environments/more")}</p>
      </div>
    </section>
  );
}
