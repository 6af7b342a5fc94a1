"use client";
import type { AgentToken, GetAgentResponse } from "@binnacle/proto/dashboard-agents";
import { useRouter } from "next/navigation";
import { useState, type ReactNode } from "react";
import { Ago } from "../../ui/ago.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { millisOf } from "../../ui/format-time.ts";
import { tLater } from "../../ui/messages.ts";
import { useNow } from "../../ui/use-now.ts";
import { agentsPath } from "../address/route-path.ts";
import { sentenceOfError } from "../queries/request-error.ts";
import { agentsClient, type AgentNames } from "./agents-client.ts";
import { CreateToken } from "./register-agent.tsx";
import styles from "./agents.module.css";

interface TokensProps {
  readonly names: AgentNames;
  readonly data: GetAgentResponse;
  /** The agent has changed. */
  readonly onChange: () => void;
}

/** Active tokens with their last use; maintainers create and revoke them, and delete the agent. */
export function AgentTokens({ names, data, onChange }: TokensProps): ReactNode {
  const now = useNow(10_000);
  const [revoked, setRevoked] = useState<AgentToken>();
  const router = useRouter();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <section className="panel" aria-labelledby="tokens">
      <header>
        <h2 id="tokens">{tLater("agents/tokens")}</h2>
      </header>
      <div className={styles["body"]} data-tokens={data.tokens.length}>
        {data.inFiles && <p className="muted">{tLater("agents/tokens/in-files")}</p>}
        {data.tokensHidden && !data.inFiles && <p className="muted">{tLater("agents/tokens/hidden")}</p>}
        {!data.tokensHidden && data.tokens.length === 0 && <p className="muted">{tLater("agents/tokens/none")}</p>}
        {data.tokens.length > 0 && (
          <ul className={styles["rules"]}>
            {data.tokens.map((token) => (
              <li key={token.id}>
                <span className="b" translate="no">
                  {token.name}
                </span>
                <span className="grow muted">
                  {token.lastUsedAt === undefined ? (
                    tLater("agents/tokens/never-used")
                  ) : (
                    <>
                      {tLater("agents/tokens/used")} <Ago atMs={millisOf(token.lastUsedAt)} now={now} />
                    </>
                  )}
                  {token.createdBy !== "" && `, ${tLater("agents/tokens/by", { user: token.createdBy })}`}
                </span>
                {data.mayAdminister && (
                  <button type="button" className="btn sm" aria-haspopup="dialog" onClick={() => setRevoked(token)}>
                    {tLater("agents/tokens/revoke")}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
        {data.mayAdminister ? (
          <>
            <CreateToken names={names} kasAddress={data.kasAddress} onChange={onChange} />
            <div className="row">
              <button type="button" className="btn sm" aria-haspopup="dialog" onClick={() => setDeleting(true)}>
                {tLater("agents/delete")}
              </button>
            </div>
          </>
        ) : (
          !data.inFiles && <p className="muted">{tLater("agents/tokens/maintainers")}</p>
        )}
      </div>
      <Confirmation
        key={revoked?.id ?? "none"}
        title={tLater("agents/tokens/revoke")}
        open={revoked !== undefined}
        text={tLater("agents/tokens/revoke-confirm", { token: revoked?.name ?? "" })}
        run={() => agentsClient().revokeAgentToken({ ...names, tokenId: revoked?.id ?? "" })}
        onDone={onChange}
        onClose={() => setRevoked(undefined)}
      />
      <Confirmation
        key={isDeleting ? "open" : "closed"}
        title={tLater("agents/delete")}
        open={isDeleting}
        text={tLater("agents/delete/confirm", { agent: names.name })}
        typed={names.name}
        run={() => agentsClient().deleteAgent(names)}
        onDone={() => router.push(agentsPath(names.projectPath))}
        onClose={() => setDeleting(false)}
      />
    </section>
  );
}

/** Asks before what cannot be undone. */
function Confirmation(props: {
  readonly title: string;
  readonly open: boolean;
  readonly text: string;
  /** What has to be typed first; absent: nothing. */
  readonly typed?: string;
  readonly run: () => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const { title, open, text, typed, run, onDone, onClose } = props;
  const [written, setWritten] = useState("");
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<string>();
  const confirm = async (): Promise<void> => {
    setRunning(true);
    setFailure(undefined);
    try {
      await run();
      onClose();
      onDone();
    } catch (error) {
      setFailure(tLater("agents/tokens/failed", { why: sentenceOfError(error) }));
    }
    setRunning(false);
  };
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <div className={styles["body"]}>
        <p>{text}</p>
        {typed !== undefined && (
          <label className={styles["field"]}>
            <span>{tLater("agents/delete/type", { agent: typed })}</span>
            <input type="text" autoComplete="off" spellCheck={false} value={written} onChange={(event) => setWritten(event.target.value)} />
          </label>
        )}
        {failure !== undefined && <p role="alert">{failure}</p>}
        <div className="row">
          <button
            type="button"
            className="btn primary"
            disabled={isRunning || (typed !== undefined && written !== typed)}
            onClick={() => void confirm()}
          >
            {title}
          </button>
          <button type="button" className="btn" onClick={onClose}>
            {tLater("ui/cancel")}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
