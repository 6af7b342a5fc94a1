"use client";
import {
  AgentAccessState,
  AgentFileState,
  type AgentAccessRule,
  type AgentFile,
  type GetAgentAccessResponse,
  type TestAgentAccessResponse,
} from "@binnacle/proto/dashboard-agents";
import { useQuery } from "@tanstack/react-query";
import { useId, useState, type ReactNode, type SubmitEvent } from "react";
import { messageText, tLater } from "../../ui/messages.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { sentenceOfError } from "../queries/request-error.ts";
import { accessQuery, agentsClient, type AgentNames } from "./agents-client.ts";
import { NotCovered } from "./register-agent.tsx";
import styles from "./agents.module.css";

const VERBS = ["get", "list", "watch", "create", "update", "patch", "delete"] as const;
const RESOURCES = [
  "pods",
  "pods/log",
  "pods/exec",
  "deployments.apps",
  "deployments.apps/scale",
  "statefulsets.apps",
  "services",
  "configmaps",
  "secrets",
  "events",
  "ingresses.networking.k8s.io",
  "namespaces",
  "nodes",
] as const;

/** Who the viewer is in the cluster, a test of their rights, and who else may use the agent. */
export function AgentAccess({
  names,
  connected,
  file,
  inFiles,
}: {
  readonly names: AgentNames;
  readonly connected: string;
  readonly file: AgentFile | undefined;
  /** Who may use the agent stands in files of the organization. */
  readonly inFiles: boolean;
}): ReactNode {
  const { data, error } = useQuery(accessQuery(names, connected));
  return (
    <section className="panel" aria-labelledby="access" data-access={data?.state}>
      <header>
        <h2 id="access">{tLater("agents/access")}</h2>
      </header>
      <div className={styles["body"]}>
        {connected === "" ? (
          <p className="muted">{tLater("agents/access/offline")}</p>
        ) : data === undefined ? (
          <p className="muted">
            {error === null ? tLater("ui/loading") : tLater("agents/access/problem", { why: sentenceOfError(error) })}
          </p>
        ) : (
          <Access names={names} access={data} inFiles={inFiles} />
        )}
        <h3>{tLater("agents/rules")}</h3>
        {file !== undefined && <Rules file={file} />}
        {inFiles && <p className="muted">{tLater("agents/rules/in-files")}</p>}
      </div>
    </section>
  );
}

interface AccessProps {
  readonly names: AgentNames;
  readonly access: GetAgentAccessResponse;
  readonly inFiles: boolean;
}

function Access({ names, access, inFiles }: AccessProps): ReactNode {
  if (access.state === AgentAccessState.DENIED)
    return (
      <>
        <p className={styles["step"]}>
          <StateGlyph look="locked" />
          <span>{tLater("agents/access/denied")}</span>
        </p>
        {inFiles ? <p>{tLater("agents/not-covered/in-files", { agent: names.name })}</p> : <NotCovered {...names} />}
      </>
    );
  if (access.state === AgentAccessState.OFFLINE) return <p className="muted">{tLater("agents/access/offline")}</p>;
  if (access.state !== AgentAccessState.ALLOWED)
    return <p className="muted">{tLater("agents/access/problem", { why: messageText(access.problem) })}</p>;
  return (
    <>
      <p data-identity>
        {access.username === ""
          ? tLater("agents/access/unknown-identity")
          : tLater(access.username.startsWith("system:") ? "agents/access/as" : "agents/access/impersonated", { user: access.username })}
      </p>
      {access.groups.length > 0 && (
        <details className={styles["groups"]} open={access.groups.length <= 8}>
          <summary>{tLater("ui/groups")}</summary>
          <ul className={styles["namespaces"]}>
            {access.groups.map((group) => (
              <li key={group} className="tag" translate="no">
                {group}
              </li>
            ))}
          </ul>
        </details>
      )}
      <AccessTest names={names} namespaces={access.namespaces} />
    </>
  );
}

/** Tests one right of the viewer at the cluster. */
function AccessTest({ names, namespaces }: { readonly names: AgentNames; readonly namespaces: readonly string[] }): ReactNode {
  const [right, setRight] = useState({ verb: "get", resource: "pods", namespace: namespaces[0] ?? "" });
  const [answer, setAnswer] = useState<{ readonly of: string; readonly response?: TestAgentAccessResponse; readonly failure?: string }>();
  const [isRunning, setRunning] = useState(false);
  const [resources, places] = [useId(), useId()];
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setRunning(true);
    const of = `${right.verb} ${right.resource} ${right.namespace}`;
    try {
      setAnswer({ of, response: await agentsClient().testAgentAccess({ ...names, ...right }) });
    } catch (error) {
      setAnswer({ of, failure: tLater("agents/test/failed", { why: sentenceOfError(error) }) });
    }
    setRunning(false);
  };
  const change = (part: Partial<typeof right>): void => {
    setRight({ ...right, ...part });
    setAnswer(undefined);
  };
  return (
    <>
      <h3>{tLater("agents/test")}</h3>
      <form className={styles["form"]} onSubmit={(event) => void submit(event)}>
        <label className={styles["field"]}>
          <span>{tLater("agents/test/verb")}</span>
          <select name="verb" value={right.verb} onChange={(event) => change({ verb: event.target.value })} translate="no">
            {VERBS.map((verb) => (
              <option key={verb}>{verb}</option>
            ))}
          </select>
        </label>
        <label className={styles["field"]}>
          <span>{tLater("resource-detail/resource")}</span>
          <input
            type="text"
            name="resource"
            list={resources}
            required
            maxLength={253}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            translate="no"
            title={tLater("agents/test/resource-hint")}
            value={right.resource}
            onChange={(event) => change({ resource: event.target.value })}
          />
          <datalist id={resources}>
            {RESOURCES.map((resource) => (
              <option key={resource}>{resource}</option>
            ))}
          </datalist>
        </label>
        <label className={styles["field"]}>
          <span>{tLater("agents/test/namespace")}</span>
          <input
            type="text"
            name="namespace"
            list={places}
            maxLength={63}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            translate="no"
            value={right.namespace}
            onChange={(event) => change({ namespace: event.target.value })}
          />
          <datalist id={places}>
            {namespaces.map((namespace) => (
              <option key={namespace}>{namespace}</option>
            ))}
          </datalist>
        </label>
        <button type="submit" className="btn" disabled={isRunning || right.resource === ""}>
          {tLater("agents/test/run")}
        </button>
      </form>
      <div aria-live="polite" data-test-result={answer?.response?.allowed}>
        {answer?.failure !== undefined && <p>{answer.failure}</p>}
        {answer?.response !== undefined && <TestResult of={answer.of} response={answer.response} />}
      </div>
    </>
  );
}

function TestResult({ of, response }: { readonly of: string; readonly response: TestAgentAccessResponse }): ReactNode {
  const { allowed, reason, bindingKind, bindingName, roleName } = response;
  return (
    <>
      <p className={styles["step"]}>
        <StateGlyph look={allowed ? "healthy" : "locked"} />
        <span>
          <b className="b">{tLater(allowed ? "agents/test/allowed" : "agents/test/denied")}</b> <code translate="no">{of}</code>
          {bindingName !== "" && ` ${tLater("agents/test/by", { kind: bindingKind, name: bindingName, role: roleName })}`}
        </span>
      </p>
      {allowed && bindingName === "" && reason === "" && <p className="muted">{tLater("agents/test/no-binding")}</p>}
      {reason !== "" && bindingName === "" && (
        <p className="muted" translate="no">
          {reason}
        </p>
      )}
    </>
  );
}

/** What the configuration file of the default branch grants. */
function Rules({ file }: { readonly file: AgentFile }): ReactNode {
  const { state, path, rules } = file;
  if (state === AgentFileState.ABSENT) return <p className="muted">{tLater("agents/configuration/absent", { path })}</p>;
  if (state === AgentFileState.FORBIDDEN) return <p className="muted">{tLater("agents/configuration/forbidden")}</p>;
  if (state !== AgentFileState.READ) return <p className="muted">{tLater("agents/configuration/invalid")}</p>;
  if (rules.length === 0) return <p className="muted">{tLater("agents/configuration/no-rules")}</p>;
  return (
    <>
      <ul className={styles["rules"]}>
        {rules.map((rule, index) => (
          <li key={`${rule.section} ${rule.kind} ${rule.id} ${index}`}>
            <span className="tag" translate="no">
              {rule.section}
            </span>
            <span>
              {tLater(rule.section === "user_access" ? "agents/rules/users" : "agents/rules/jobs")}{" "}
              {rule.kind === "instance" ? tLater("agents/rules/instance") : <code translate="no">{rule.id}</code>}{" "}
              {tLater("agents/rules/as")} {identityOf(rule)}
              {rule.environments.length > 0 && `, ${tLater("agents/rules/environments", { environments: rule.environments.join(", ") })}`}
              {rule.protectedBranchesOnly && `, ${tLater("agents/rules/protected")}`}
            </span>
          </li>
        ))}
      </ul>
      {file.truncated && <p className="muted">{tLater("agents/configuration/truncated")}</p>}
    </>
  );
}

function identityOf({ accessAs }: AgentAccessRule): string {
  if (accessAs === "user" || accessAs === "ci_user") return tLater("agents/rules/as-user");
  if (accessAs === "ci_job") return tLater("agents/rules/as-job");
  return tLater(accessAs === "impersonate" ? "agents/rules/as-other" : "agents/rules/as-agent");
}
