"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState, type ReactNode } from "react";
import { AppBar } from "../../ui/app-bar.tsx";
import { announce } from "../../ui/announce.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { formatAbsolute } from "../../ui/format-time.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { t, tLater } from "../../ui/messages.ts";
import { loadDashboard } from "../live/load-dashboard.ts";
import { projectsQuery } from "../projects/projects-query.ts";
import { sessionQuery } from "../session/session-info.ts";
import { UserMenu } from "../session/user-menu.tsx";
import { accessTokensQuery, deleteToken, type AccessToken, type AccessTokenList } from "./access-tokens-api.ts";
import { NewToken } from "./new-token.tsx";
import styles from "./access-tokens.module.css";

/** The viewer's personal access tokens: the list, a new one, and how kubectl is set up with it. */
export function AccessTokensPage(): ReactNode {
  const { data: projects } = useQuery(projectsQuery(loadDashboard));
  return (
    <div className="page">
      <AppBar crumbs={[{ text: t("ui/projects"), href: "/" }, { text: t("standalone/access-tokens") }]}>
        <UserMenu viewer={projects?.viewer} />
      </AppBar>
      <main id="content" className={styles["main"]}>
        <h1>{t("standalone/access-tokens")}</h1>
        <Suspense fallback={<Skeleton rows={4} label={t("standalone/access-tokens")} />}>
          <Tokens />
        </Suspense>
      </main>
    </div>
  );
}

function Tokens(): ReactNode {
  const { data: session } = useQuery(sessionQuery());
  const isOffered = session?.signIn === "password";
  const { data, error, refetch } = useQuery({ ...accessTokensQuery, enabled: isOffered });
  if (session !== undefined && !isOffered) {
    const name = session.mainApplication === "" ? tLater("session/the-main-application") : session.mainApplication;
    const message = session.hasTokens ? "standalone/tokens-not-offered" : "standalone/tokens-of-provider";
    return <StatePanel icon="info" message={tLater(message, { name: session.provider ?? name })} />;
  }
  if (error !== null && data === undefined) {
    return (
      <StatePanel
        icon="off"
        role="alert"
        message={tLater("standalone/tokens-not-loaded")}
        more={error.message}
        actions={
          <button type="button" className="btn sm" onClick={() => void refetch()}>
            {tLater("ui/try-again")}
          </button>
        }
      />
    );
  }
  if (data === undefined) return <Skeleton rows={4} label={tLater("standalone/tokens-loading")} />;
  return (
    <>
      <p className={`muted ${styles["intro"]}`}>{tLater("standalone/tokens-intro")}</p>
      <NewToken list={data} />
      <TokenTable list={data} />
    </>
  );
}

function TokenTable({ list: { tokens } }: { readonly list: AccessTokenList }): ReactNode {
  const [chosen, setChosen] = useState<AccessToken>();
  if (tokens.length === 0) return <p className="muted">{tLater("standalone/tokens-none")}</p>;
  return (
    <div className={`panel ${styles["list"]}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{tLater("ui/name")}</th>
            <th scope="col">{tLater("ui/created")}</th>
            <th scope="col">{tLater("standalone/token-expires")}</th>
            <th scope="col">{tLater("actions/actions")}</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token, index) => (
            <tr key={token.id ?? `file-${index}`}>
              <th scope="row" translate="no">
                {token.name}
              </th>
              <td>{token.createdAt === undefined ? "" : timeOf(token.createdAt)}</td>
              <td>{expiryOf(token)}</td>
              <td className={styles["act"]}>
                {token.id === undefined ? (
                  <span className="muted">{tLater("standalone/token-in-file")}</span>
                ) : (
                  <button
                    type="button"
                    className="btn sm"
                    aria-label={tLater("standalone/token-delete-which", { name: token.name })}
                    onClick={() => setChosen(token)}
                  >
                    {tLater("ui/delete")}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <DeleteDialog token={chosen} close={() => setChosen(undefined)} />
    </div>
  );
}

function DeleteDialog({ token, close }: { readonly token: AccessToken | undefined; readonly close: () => void }): ReactNode {
  const queries = useQueryClient();
  const [problem, setProblem] = useState<string>();
  const name = token?.name ?? "";
  const remove = async (): Promise<void> => {
    try {
      await deleteToken(token?.id ?? "");
      announce(tLater("standalone/token-deleted", { name }));
      setProblem(undefined);
      close();
      await queries.invalidateQueries(accessTokensQuery);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Dialog title={tLater("ui/delete")} open={token !== undefined} onClose={close}>
      <div className={styles["dialog"]}>
        <p>{tLater("standalone/token-delete-really", { name })}</p>
        {problem !== undefined && <p role="alert">{tLater("standalone/token-failed", { why: problem })}</p>}
        <div className={styles["actions"]}>
          <button type="button" className="btn primary" onClick={() => void remove()}>
            {tLater("ui/delete")}
          </button>
          <button type="button" className="btn" onClick={close}>
            {tLater("ui/cancel")}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function expiryOf({ expiresAt }: AccessToken): string {
  if (expiresAt === null) return tLater("standalone/token-never");
  return Date.parse(expiresAt) <= Date.now() ? tLater("standalone/token-expired") : timeOf(expiresAt);
}

function timeOf(text: string): string {
  return formatAbsolute(Date.parse(text), Date.now());
}
