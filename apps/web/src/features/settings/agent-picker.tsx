"use client";
import type { GetEnvironmentSettingsResponse, SettingsAgent } from "@binnacle/proto/dashboard-settings";
import { SettingsAgentState } from "@binnacle/proto/settings-enums";
import { useState, type ReactNode } from "react";
import { tLater } from "../../ui/messages.ts";
import { useCopy } from "../../ui/use-copy.ts";
import styles from "./settings.module.css";

/** More agents than these have a filter. */
const MANY = 8;

/** What can be chosen, and what is. */
interface PickerProps {
  readonly settings: GetEnvironmentSettingsResponse;
  /** Number of the agent; empty: none. */
  readonly agentId: string;
  /** Nothing can be chosen, and why. */
  readonly disabled: string | undefined;
  readonly onAgent: (agentId: string) => void;
}

/** The one agent of an environment: those of users, and those of CI jobs with the lines that would allow them. */
export function AgentPicker({ settings, agentId, disabled, onAgent }: PickerProps): ReactNode {
  const [filter, setFilter] = useState("");
  const { agents, settings: saved, agentName, agentState } = settings;
  const forUsers = agents.filter((agent) => agent.isSharedWithUsers);
  const forJobs = agents.filter((agent) => !agent.isSharedWithUsers);
  const savedId = saved?.agentId ?? "";
  const wanted = filter.trim().toLowerCase();
  const isShown = ({ id, name, projectPath }: SettingsAgent): boolean =>
    id === agentId || `${projectPath}/${name}`.toLowerCase().includes(wanted);
  const isLost = agentState === SettingsAgentState.NOT_SHARED;
  // What is set and shared with CI jobs only stands among those that can be chosen.
  const lost = isLost ? forJobs.find(({ id }) => id === savedId) : undefined;
  const others = forJobs.filter((agent) => agent !== lost);
  const chosen = agents.find(({ id }) => id === agentId)?.name ?? "";
  const radio = (id: string, text: ReactNode, isOff = false): ReactNode => (
    <label key={id} className={styles["agent"]}>
      <input
        type="radio"
        name="agent"
        value={id}
        checked={agentId === id}
        disabled={disabled !== undefined || isOff}
        onChange={() => onAgent(id)}
      />
      <span>{text}</span>
    </label>
  );
  return (
    <fieldset className={styles["agents"]}>
      <legend>{tLater("ui/agent")}</legend>
      <p className="muted">{tLater("settings/agent-hint")}</p>
      {disabled !== undefined && <p className={styles["why"]}>{disabled}</p>}
      {isLost && (
        <p className={styles["warning"]} role="alert">
          {tLater("settings/agent-unshared", { agent: agentName })}
        </p>
      )}
      {settings.state !== "" && agentState === SettingsAgentState.UNSPECIFIED && (
        <p className={styles["warning"]}>{tLater("settings/agent-gone")}</p>
      )}
      {agents.length > MANY && (
        <input
          type="search"
          aria-label={tLater("settings/filter-agents")}
          placeholder={tLater("settings/filter-agents")}
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
      )}
      <div className={styles["choices"]}>
        {radio("", tLater("settings/no-agent"))}
        {isLost && radio(savedId, lost === undefined ? <b translate="no">{agentName}</b> : <AgentName agent={lost} />, true)}
        {forUsers.filter(isShown).map((agent) => radio(agent.id, <AgentName agent={agent} />))}
      </div>
      {savedId !== "" && agentId !== "" && agentId !== savedId && (
        <output>{tLater("settings/agent-replaced", { agent: chosen, before: agentName })}</output>
      )}
      {others.length > 0 && (
        <div className={styles["jobs"]}>
          <h3>{tLater("settings/agents-for-jobs")}</h3>
          {others.filter(isShown).map((agent) => (
            <div key={agent.id}>
              <label className={styles["agent"]}>
                <input type="radio" name="agent" value={agent.id} disabled checked={false} readOnly />
                <AgentName agent={agent} />
              </label>
              <Allowing text={tLater("settings/allow-agent", { agent: agent.name })} yaml={agent.userAccessYaml} />
            </div>
          ))}
        </div>
      )}
      {lost !== undefined && <Allowing text={tLater("settings/allow-agent", { agent: agentName })} yaml={lost.userAccessYaml} />}
      {agents.length === 0 && <p>{tLater("settings/no-agents")}</p>}
    </fieldset>
  );
}

function AgentName({ agent: { name, projectPath } }: { readonly agent: SettingsAgent }): ReactNode {
  return (
    <span>
      <b translate="no">{name}</b>{" "}
      <span className="muted">{projectPath === "" ? tLater("settings/project-hidden") : <span translate="no">{projectPath}</span>}</span>
    </span>
  );
}

/** Lines of a configuration file that would allow something. */
function Allowing({ text, yaml }: { readonly text: string; readonly yaml: string }): ReactNode {
  const [copied, copy] = useCopy(() => yaml);
  return (
    <div className={styles["allowing"]}>
      <p className="muted">{text}</p>
      <pre className="mono" translate="no">
        {yaml}
      </pre>
      <button type="button" className="btn sm" onClick={copy}>
        {copied ? tLater("settings/lines-copied") : tLater("settings/copy-lines")}
      </button>
    </div>
  );
}
