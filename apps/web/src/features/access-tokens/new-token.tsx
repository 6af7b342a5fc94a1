"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState, type ReactNode, type SubmitEvent } from "react";
import { announce } from "../../ui/announce.ts";
import { useCopy } from "../../ui/use-copy.ts";
import { tLater } from "../../ui/messages.ts";
import { accessTokensQuery, createToken, type AccessTokenList, type CreatedToken } from "./access-tokens-api.ts";
import { kubectlCommands } from "./kubectl-commands.ts";
import styles from "./access-tokens.module.css";

const LIFETIMES = [7, 30, 90, 365];
const USUAL_LIFETIME = 90;

/** The form of a new token, and the token once it was created. It is in the memory of this page alone. */
export function NewToken({ list }: { readonly list: AccessTokenList }): ReactNode {
  const queries = useQueryClient();
  const [created, setCreated] = useState<CreatedToken & { readonly name: string }>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const id = useId();
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const typed = fields.get("name");
    const name = typeof typed === "string" ? typed.trim() : "";
    setBusy(true);
    setProblem(undefined);
    try {
      setCreated({ name, ...(await createToken({ name, days: Number(fields.get("days")) })) });
      announce(tLater("standalone/token-created", { name }));
      form.reset();
      await queries.invalidateQueries(accessTokensQuery);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={`panel ${styles["new"]}`} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{tLater("standalone/token-new")}</h2>
      </header>
      <form className={styles["form"]} onSubmit={(event) => void submit(event)}>
        <label htmlFor={`${id}-name`}>
          {tLater("ui/name")}
          <input
            id={`${id}-name`}
            name="name"
            type="text"
            required
            maxLength={100}
            autoComplete="off"
            placeholder={tLater("standalone/token-name-example")}
          />
        </label>
        <label htmlFor={`${id}-days`}>
          {tLater("standalone/token-lifetime")}
          <select id={`${id}-days`} name="days" defaultValue={USUAL_LIFETIME}>
            {LIFETIMES.map((count) => (
              <option key={count} value={count}>
                {tLater("standalone/token-days", { count })}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="btn primary" disabled={busy}>
          {tLater("agents/tokens/create")}
        </button>
      </form>
      {problem !== undefined && (
        <p role="alert" className={styles["problem"]}>
          {tLater("standalone/token-failed", { why: problem })}
        </p>
      )}
      {created !== undefined && <Created key={created.token} created={created} list={list} />}
    </section>
  );
}

function Created({
  created,
  list,
}: {
  readonly created: CreatedToken & { readonly name: string };
  readonly list: AccessTokenList;
}): ReactNode {
  const { token, yaml, name } = created;
  const [agentId, setAgentId] = useState(list.agents[0]?.id);
  const id = useId();
  const commands = agentId === undefined ? undefined : kubectlCommands({ server: list.server, agentId, token });
  const user = yaml === undefined ? "" : (/name: (.*)/.exec(yaml)?.[1] ?? "");
  return (
    <div className={styles["created"]}>
      <p>
        <b className="b">{tLater("standalone/token-created", { name })}</b>{" "}
        {yaml === undefined ? tLater("standalone/token-once") : tLater("standalone/token-paste", { user })}
      </p>
      <Copied text={token} label={tLater("standalone/token-copy")} />
      {yaml !== undefined && <Copied text={yaml} label={tLater("settings/copy-lines")} />}
      {commands !== undefined && (
        <details>
          <summary>{tLater("standalone/token-kubectl")}</summary>
          {list.agents.length > 1 && (
            <label htmlFor={`${id}-agent`}>
              {tLater("standalone/token-agent")}
              <select id={`${id}-agent`} value={agentId} onChange={(event) => setAgentId(Number(event.target.value))}>
                {list.agents.map((agent) => (
                  <option key={agent.id} value={agent.id} translate="no">
                    {agent.project}:{agent.name}
                  </option>
                ))}
              </select>
            </label>
          )}
          <Copied text={commands} label={tLater("standalone/token-copy-commands")} />
        </details>
      )}
    </div>
  );
}

/** A text, and a button that copies it. */
function Copied({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const [copied, copy] = useCopy(() => text);
  return (
    <div className={styles["copied"]}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
      <pre className="mono" translate="no" tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <button type="button" className="btn sm" onClick={copy}>
        {copied ? tLater("ui/copied") : label}
      </button>
    </div>
  );
}
