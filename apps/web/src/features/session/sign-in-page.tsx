"use client";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { Suspense, useState, type ReactNode, type SubmitEvent } from "react";
import { AppBar } from "../../ui/app-bar.tsx";
import { Icon } from "../../ui/icon.tsx";
import { withPrefix } from "../../ui/path-prefix.ts";
import { safeReturnPath } from "./safe-return-path.ts";
import { ClusterTokenForm } from "./cluster-token-form.tsx";
import { sessionQuery } from "./session-info.ts";
import { SignInNotices } from "./sign-in-notices.tsx";
import { t } from "../../ui/messages.ts";
import styles from "./sign-in.module.css";

/** Sign-in page. The token is sent once and never kept in the browser. */
export function SignInPage(): ReactNode {
  const query = useSearchParams();
  const returnTo = safeReturnPath(query.get("return_to"));
  const { application, provider, needsClusterToken } = useSignIn();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    const failure = await sendToken(new FormData(event.currentTarget));
    if (failure === undefined) return location.assign(withPrefix(returnTo));
    setProblem(failure);
    setBusy(false);
  };
  if (needsClusterToken) {
    return (
      <Card>
        <Suspense>
          <ClusterTokenForm application={application} returnTo={returnTo} />
        </Suspense>
      </Card>
    );
  }
  return (
    <Card>
      <h1>{t("session/sign-in-binnacle")}</h1>
      <Suspense>
        <SignInNotices query={query} names={{ application, provider }} />
      </Suspense>
      <p className="muted">{t("session/what-is-visible", { application })}</p>
      <a className={`btn primary ${styles["wide"]}`} href={withPrefix(`/api/session/start?return_to=${encodeURIComponent(returnTo)}`)}>
        {t("session/sign-in-with", { application: provider })}
      </a>
      <p className={styles["or"]}>
        <span>{t("session/or")}</span>
      </p>
      <form method="post" action={withPrefix("/api/session/token")} onSubmit={(event) => void submit(event)}>
        <input type="hidden" name="return_to" value={returnTo} />
        <label htmlFor="token">{t("session/personal-access-token")}</label>
        <input
          id="token"
          name="token"
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          aria-describedby="token-help"
          aria-invalid={problem !== undefined}
        />
        <p id="token-help" className="muted">
          {t("session/token-scopes")}
        </p>
        {problem !== undefined && (
          <p role="alert" className={styles["problem"]}>
            <Icon name="info" size={14} /> {problem}
          </p>
        )}
        <button className={`btn ${styles["wide"]}`} type="submit" disabled={busy}>
          {t("session/sign-in-with-token")}
        </button>
      </form>
    </Card>
  );
}

function Card({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="page">
      <AppBar crumbs={[{ text: t("session/sign-in") }]} />
      <main id="content" className={styles["main"]}>
        <section className={styles["card"]}>{children}</section>
      </main>
    </div>
  );
}

/** Sends the token; gives back why it failed, or nothing. */
async function sendToken(form: FormData): Promise<string | undefined> {
  const token = form.get("token");
  try {
    const response = await fetch(withPrefix("/api/session/token"), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ token: typeof token === "string" ? token.trim() : "" }),
      redirect: "manual",
    });
    if (response.ok || response.type === "opaqueredirect") return undefined;
    if (response.status === 401 || response.status === 403) return t("session/token-refused");
    const text = response.headers.get("content-type")?.startsWith("application/json") === true ? await messageOf(response) : undefined;
    return text ?? t("session/signing-in-failed", { status: response.status });
  } catch {
    return t("session/binnacle-unavailable");
  }
}

async function messageOf(response: Response): Promise<string | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  if (typeof body !== "object" || body === null || !("message" in body)) return undefined;
  return typeof body.message === "string" ? body.message : undefined;
}

function useSignIn(): { readonly application: string; readonly provider: string; readonly needsClusterToken: boolean } {
  const { data } = useQuery(sessionQuery());
  // Without an answer the plain words stay.
  const application = data === undefined || data.mainApplication === "" ? t("session/the-main-application") : data.mainApplication;
  return { application, provider: data?.provider ?? application, needsClusterToken: data?.needsClusterToken === true };
}
