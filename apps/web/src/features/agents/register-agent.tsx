"use client";
import type { WatchAgentResponse } from "@binnacle/proto/dashboard-agents";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useEffect, useEffectEvent, useId, useState, type ReactNode, type SubmitEvent } from "react";
import { Icon } from "../../ui/icon.tsx";
import { messageText, tLater } from "../../ui/messages.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useCopy } from "../../ui/use-copy.ts";
import { agentPath, newEnvironmentPath } from "../address/route-path.ts";
import { sentenceOfError } from "../queries/request-error.ts";
import { AgentAccessState } from "@binnacle/proto/dashboard-agents";
import { accessQuery, agentsClient, type AgentNames } from "./agents-client.ts";
import { installCommand } from "./install-command.ts";
import { useAgentConnections } from "./use-agent-connections.ts";
import { podOf } from "./replicas.tsx";
import styles from "./agents.module.css";

const MAX_NAMESPACES = 12;

interface RegisterProps {
  readonly projectPath: string;
  readonly kasAddress: string;
  /** Agents have changed. */
  readonly onChange: () => void;
  readonly onClose: () => void;
}

/** Registers an agent and leads to its first connection. The token's secret is in the state of this component alone. */
export function RegisterAgent({ projectPath, kasAddress, onChange, onClose }: RegisterProps): ReactNode {
  const [made, setMade] = useState<{ readonly name: string; readonly secret: string; readonly problem: string }>();
  const head = (title: string): ReactNode => (
    <header>
      <h2 className="grow">{title}</h2>
      <button type="button" className="btn ghost icon sm" aria-label={tLater("ui/close")} onClick={onClose}>
        <Icon name="x" />
      </button>
    </header>
  );
  if (made === undefined)
    return (
      <section className="panel" data-register>
        {head(tLater("agents/register"))}
        <RegisterForm
          projectPath={projectPath}
          onMade={(agent) => {
            setMade(agent);
            onChange();
          }}
        />
      </section>
    );
  const names = { projectPath, name: made.name };
  return (
    <section className="panel" data-register>
      {head(tLater("agents/registered", { agent: made.name }))}
      <div className={styles["body"]}>
        {made.secret === "" ? (
          <>
            <p role="alert">{tLater("agents/token-failed", { why: made.problem })}</p>
            <CreateToken names={names} kasAddress={kasAddress} onChange={onChange} />
          </>
        ) : (
          <Install agent={made.name} kasAddress={kasAddress} secret={made.secret} />
        )}
        <FirstConnection {...names} onConnected={onChange} />
      </div>
    </section>
  );
}

function RegisterForm(props: {
  readonly projectPath: string;
  readonly onMade: (agent: { readonly name: string; readonly secret: string; readonly problem: string }) => void;
}): ReactNode {
  const { projectPath, onMade } = props;
  const [name, setName] = useState("");
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<string>();
  const hint = useId();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setRunning(true);
    setFailure(undefined);
    try {
      const { agent, secret, tokenProblem } = await agentsClient().registerAgent({ projectPath, name });
      onMade({ name: agent?.name ?? name, secret, problem: messageText(tokenProblem) });
    } catch (error) {
      setFailure(tLater("agents/register/failed", { why: sentenceOfError(error) }));
      setRunning(false);
    }
  };
  return (
    <form className={styles["body"]} onSubmit={(event) => void submit(event)}>
      <label className={styles["field"]}>
        <span>{tLater("agents/register/name")}</span>
        <input
          type="text"
          name="agent"
          required
          maxLength={63}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          translate="no"
          aria-describedby={hint}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <p id={hint} className="muted">
        {tLater("agents/register/hint")} {name !== "" && tLater("agents/register/path", { path: `.gitlab/agents/${name}/config.yaml` })}
      </p>
      {failure !== undefined && <p role="alert">{failure}</p>}
      <div className="row">
        <button type="submit" className="btn primary" disabled={isRunning || name === ""}>
          {isRunning ? tLater("agents/register/running") : tLater("agents/register")}
        </button>
      </div>
    </form>
  );
}

/** Creates one more token and shows it once. */
export function CreateToken(props: { readonly names: AgentNames; readonly kasAddress: string; readonly onChange: () => void }): ReactNode {
  const { names, kasAddress, onChange } = props;
  const [tokenName, setTokenName] = useState("");
  const [secret, setSecret] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isRunning, setRunning] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setRunning(true);
    setFailure(undefined);
    try {
      setSecret((await agentsClient().createAgentToken({ ...names, tokenName })).secret);
      setTokenName("");
      onChange();
    } catch (error) {
      setFailure(tLater("agents/tokens/failed", { why: sentenceOfError(error) }));
    }
    setRunning(false);
  };
  if (secret !== undefined)
    return (
      <>
        <Install agent={names.name} kasAddress={kasAddress} secret={secret} />
        <div className="row">
          <button type="button" className="btn sm" onClick={() => setSecret(undefined)}>
            {tLater("agents/hide-token")}
          </button>
        </div>
      </>
    );
  return (
    <form className={styles["form"]} onSubmit={(event) => void submit(event)}>
      <label className={styles["field"]}>
        <span>{tLater("agents/tokens/name")}</span>
        <input
          type="text"
          required
          maxLength={255}
          autoComplete="off"
          value={tokenName}
          onChange={(event) => setTokenName(event.target.value)}
        />
      </label>
      <button type="submit" className="btn" disabled={isRunning || tokenName.trim() === ""}>
        {tLater("agents/tokens/create")}
      </button>
      {failure !== undefined && <p role="alert">{failure}</p>}
    </form>
  );
}

/** The command with the token, which is shown once. */
function Install(props: { readonly agent: string; readonly kasAddress: string; readonly secret: string }): ReactNode {
  const { kasAddress } = props;
  return (
    <div className={styles["install"]}>
      <h3>{tLater("agents/install")}</h3>
      <p className={styles["once"]}>
        <Icon name="info" />
        <span>{tLater("agents/token-once")}</span>
      </p>
      <Command text={installCommand(props)} />
      <p className="muted">{tLater("agents/install/needs")}</p>
      {kasAddress === "" && <p className="muted">{tLater("agents/install/no-address")}</p>}
    </div>
  );
}

/** A command with a button that copies it. */
export function Command({ text }: { readonly text: string }): ReactNode {
  const [isCopied, copy] = useCopy(() => text);
  return (
    <div className={styles["command"]}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines are scrolled by keyboard */}
      <pre tabIndex={0} translate="no" className="mono" data-command>
        {text}
      </pre>
      <button type="button" className="btn sm" onClick={copy}>
        <Icon name={isCopied ? "check" : "copy"} size={14} />
        {isCopied ? tLater("ui/copied") : tLater("agents/copy-command")}
      </button>
    </div>
  );
}

/** Waits for the first process of an agent, then offers namespaces of its cluster. */
export function FirstConnection(props: AgentNames & { /** Called when it has come. */ readonly onConnected?: () => void }): ReactNode {
  const { projectPath, name, onConnected } = props;
  const names = { projectPath, name };
  const { status } = useAgentConnections(names);
  const [first] = status?.replicas ?? [];
  const isConnected = first !== undefined;
  const connected = useEffectEvent(() => onConnected?.());
  useEffect(() => {
    if (isConnected) connected();
  }, [isConnected]);
  return (
    <div className={styles["first"]} aria-live="polite" data-first-connection={first === undefined ? "waiting" : "connected"}>
      {first === undefined ? (
        <>
          <p className={styles["step"]}>
            <StateGlyph look="progressing" />
            <span className="b">{tLater("agents/waiting")}</span>
          </p>
          <p className="muted">{tLater("agents/waiting/more")}</p>
        </>
      ) : (
        <>
          <p className={styles["step"]}>
            <StateGlyph look="healthy" />
            <Link className="b" href={agentPath(names.projectPath, names.name)}>
              {first.podName === "" ? tLater("environment/connected") : tLater("agents/connected-from", { pod: podOf(first) })}
            </Link>
          </p>
          <Namespaces names={names} connected={connectedKey(status)} />
        </>
      )}
    </div>
  );
}

/** Names who is connected with which configuration: another value means that access may be another. */
export function connectedKey(status: WatchAgentResponse | undefined): string {
  return (status?.replicas ?? []).map(({ connectionId, configurationCommit }) => `${connectionId} ${configurationCommit}`).join(",");
}

/** Namespaces of an agent's cluster, each leading to a new environment; or why there are none. */
function Namespaces({ names, connected }: { readonly names: AgentNames; readonly connected: string }): ReactNode {
  const { data } = useQuery(accessQuery(names, connected));
  const [isWhole, setWhole] = useState(false);
  if (data === undefined) return <p className="muted">{tLater("ui/loading")}</p>;
  if (data.state === AgentAccessState.DENIED) return <NotCovered {...names} />;
  if (data.state !== AgentAccessState.ALLOWED) return <p className="muted">{messageText(data.problem)}</p>;
  const shown = isWhole ? data.namespaces : data.namespaces.slice(0, MAX_NAMESPACES);
  const more = data.namespaces.length - shown.length;
  const linkTo = (namespace: string): string => newEnvironmentPath(names.projectPath, { agent: names.name, namespace });
  return (
    <>
      <h3>{tLater("agents/namespaces")}</h3>
      {data.namespacesForbidden && <p className="muted">{tLater("agents/namespaces/forbidden")}</p>}
      {!data.namespacesForbidden && data.namespaces.length === 0 && <p className="muted">{tLater("agents/namespaces/none")}</p>}
      <ul className={styles["namespaces"]}>
        {shown.map((namespace) => (
          <li key={namespace}>
            <Link className="chip" href={linkTo(namespace)} translate="no" data-namespace={namespace}>
              {namespace}
            </Link>
          </li>
        ))}
        {more > 0 && (
          <li>
            <button type="button" className="linkish" onClick={() => setWhole(true)}>
              {tLater("agents/namespaces/more", { count: more })}
            </button>
          </li>
        )}
      </ul>
      {data.namespaces.length === 0 && (
        <Link className="btn sm" href={linkTo("")}>
          {tLater("agents/new-environment")}
        </Link>
      )}
    </>
  );
}

/** What to add to the configuration so that members of the project may use the agent. */
export function NotCovered({ projectPath, name }: AgentNames): ReactNode {
  const yaml = `user_access:\n  access_as:\n    user: {}\n  projects:\n    - id: ${JSON.stringify(projectPath)}\n`;
  return (
    <div data-not-covered>
      <p>{tLater("agents/not-covered")}</p>
      <p className="muted">{tLater("agents/not-covered/more", { path: `.gitlab/agents/${name}/config.yaml` })}</p>
      <Command text={yaml} />
    </div>
  );
}
