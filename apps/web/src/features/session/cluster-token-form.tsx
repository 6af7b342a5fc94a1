"use client";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { Icon } from "../../ui/icon.tsx";
import { tLater } from "../../ui/messages.ts";
import { withPrefix } from "../../ui/path-prefix.ts";
import styles from "./sign-in.module.css";

/** For a viewer who is signed in, and for whom the main application made no token for clusters. */
export function ClusterTokenForm({ application, returnTo }: { readonly application: string; readonly returnTo: string }): ReactNode {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    if (await saveToken(new FormData(event.currentTarget))) return location.assign(withPrefix(returnTo));
    setProblem(tLater("sign-in/cluster-token/failed"));
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <h1>{tLater("session/cluster-token-missing")}</h1>
      <p id="cluster-token-why" className="muted">
        {tLater("sign-in/cluster-token/why", { application })}
      </p>
      <label htmlFor="cluster-token">{tLater("sign-in/cluster-token")}</label>
      <input
        id="cluster-token"
        name="token"
        type="password"
        autoComplete="off"
        spellCheck={false}
        required
        aria-describedby="cluster-token-why"
        aria-invalid={problem !== undefined}
      />
      {problem !== undefined && (
        <p role="alert" className={styles["problem"]}>
          <Icon name="info" size={14} /> {problem}
        </p>
      )}
      <button className={`btn primary ${styles["wide"]}`} type="submit" disabled={busy}>
        {tLater("sign-in/cluster-token/save")}
      </button>
      <a className={`btn ${styles["wide"]}`} href={withPrefix(returnTo)}>
        {tLater("sign-in/cluster-token/back")}
      </a>
    </form>
  );
}

async function saveToken(form: FormData): Promise<boolean> {
  const token = form.get("token");
  try {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ token: typeof token === "string" ? token.trim() : "" });
    return (await fetch(withPrefix("/api/session/cluster-token"), { method: "POST", headers, body })).ok;
  } catch {
    return false;
  }
}
