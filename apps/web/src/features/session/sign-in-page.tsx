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

/** Sign-in page. Tokens and passwords are sent once and never kept in the browser. */
export function SignInPage(): ReactNode {
  const query = useSearchParams();
  const returnTo = safeReturnPath(query.get("return_to"));
  const { data } = useQuery(sessionQuery());
  // Without an answer the plain words stay.
  const application = data === undefined || data.mainApplication === "" ? t("session/the-main-application") : data.mainApplication;
  const provider = data?.provider ?? application;
  return (
    <div className="page">
      <AppBar crumbs={[{ text: t("session/sign-in") }]} />
      <main id="content" className={styles["main"]}>
        <section className={styles["card"]}>
          {data?.needsClusterToken === true ? (
            <Suspense>
              <ClusterTokenForm application={application} returnTo={returnTo} />
            </Suspense>
          ) : (
            <>
              <h1>{t("session/sign-in-binnacle")}</h1>
              <Suspense>
                <SignInNotices query={query} names={{ application, provider }} />
              </Suspense>
              {data?.signIn === "password" ? (
                <PasswordSignIn returnTo={returnTo} />
              ) : (
                <ProviderSignIn returnTo={returnTo} application={application} provider={provider} hasTokens={data?.hasTokens ?? true} />
              )}
            </>
          )}
        </section>
      </main>
    </div>
  );
}

interface ProviderSignInProps {
  readonly returnTo: string;
  readonly application: string;
  /** What the button leads to. */
  readonly provider: string;
  /** The main application has personal access tokens. */
  readonly hasTokens: boolean;
}

/** The sign-in of the main application or of a provider, or a personal access token of the main application where it has them. */
function ProviderSignIn({ returnTo, application, provider, hasTokens }: ProviderSignInProps): ReactNode {
  return (
    <>
      <p className="muted">{hasTokens ? t("session/what-is-visible", { application }) : t("standalone/what-is-visible")}</p>
      <a className={`btn primary ${styles["wide"]}`} href={withPrefix(`/api/session/start?return_to=${encodeURIComponent(returnTo)}`)}>
        {t("session/sign-in-with", { application: provider })}
      </a>
      {hasTokens && <TokenSignIn returnTo={returnTo} />}
    </>
  );
}

function TokenSignIn({ returnTo }: { readonly returnTo: string }): ReactNode {
  const form = useSignInForm({ path: "/api/session/token", fields: ["token"], refused: t("session/token-refused"), returnTo });
  return (
    <>
      <p className={styles["or"]}>
        <span>{t("session/or")}</span>
      </p>
      <form {...form.attributes}>
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
          aria-invalid={form.problem !== undefined}
        />
        <p id="token-help" className="muted">
          {t("session/token-scopes")}
        </p>
        <Problem text={form.problem} />
        <button className={`btn ${styles["wide"]}`} type="submit" disabled={form.busy}>
          {t("session/sign-in-with-token")}
        </button>
      </form>
    </>
  );
}

/** A user of the organization's files. */
function PasswordSignIn({ returnTo }: { readonly returnTo: string }): ReactNode {
  const refused = t("standalone/unknown-user");
  const form = useSignInForm({ path: "/api/session/password", fields: ["username", "password"], refused, returnTo });
  const isInvalid = form.problem !== undefined;
  return (
    <>
      <p className="muted">{t("standalone/what-is-visible")}</p>
      <form {...form.attributes}>
        <input type="hidden" name="return_to" value={returnTo} />
        <label htmlFor="username">{t("standalone/user-name")}</label>
        <input
          id="username"
          name="username"
          type="text"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={256}
          aria-invalid={isInvalid}
        />
        <label htmlFor="password">{t("standalone/password")}</label>
        <input id="password" name="password" type="password" autoComplete="current-password" required aria-invalid={isInvalid} />
        <Problem text={form.problem} />
        <button className={`btn primary ${styles["wide"]}`} type="submit" disabled={form.busy}>
          {t("session/sign-in")}
        </button>
      </form>
    </>
  );
}

function Problem({ text }: { readonly text: string | undefined }): ReactNode {
  if (text === undefined) return null;
  return (
    <p role="alert" className={styles["problem"]}>
      <Icon name="info" size={14} /> {text}
    </p>
  );
}

/** Where a form of the page is sent. */
interface SignInForm {
  readonly path: string;
  readonly fields: readonly string[];
  /** Shown when the credential is not accepted. */
  readonly refused: string;
  readonly returnTo: string;
}

/** A form that is sent by script, and without scripts by the browser. */
function useSignInForm({ path, fields, refused, returnTo }: SignInForm) {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    const form = new FormData(event.currentTarget);
    const failure = await send(path, Object.fromEntries(fields.map((name) => [name, textOf(form, name)])), refused);
    if (failure === undefined) return location.assign(withPrefix(returnTo));
    setProblem(failure);
    setBusy(false);
  };
  const attributes = {
    method: "post",
    action: withPrefix(path),
    onSubmit: (event: SubmitEvent<HTMLFormElement>): void => void submit(event),
  } as const;
  return { attributes, problem, busy };
}

/** A password may begin and end with spaces; nothing else does. */
function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  if (typeof value !== "string") return "";
  return name === "password" ? value : value.trim();
}

/** Sends a credential; gives back why it failed, or nothing. */
async function send(path: string, body: Readonly<Record<string, string>>, refused: string): Promise<string | undefined> {
  try {
    const response = await fetch(withPrefix(path), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
      redirect: "manual",
    });
    if (response.ok || response.type === "opaqueredirect") return undefined;
    if (response.status === 401 || response.status === 403) return refused;
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
