"use client";
import { useRouter } from "next/navigation";
import { useEffect, type ReactNode } from "react";
import { AppBar, type Crumb } from "../../ui/app-bar.tsx";
import { isChunkFailure } from "../../ui/chunk-failure.ts";
import { LazyCode, useLazyCode } from "../../ui/lazy-code.ts";
import { t } from "../../ui/messages.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { environmentPath, indexPath, newEnvironmentPath, settingsPath } from "../address/route-path.ts";
import { projectCrumbs } from "../address/project-crumbs.ts";
import { QueryProvider } from "../queries/query-provider.tsx";
import { isPassing, isSessionEnd, sentenceOfError } from "../queries/request-error.ts";
import { signInPath } from "../session/sign-in-path.ts";
import { UserMenu } from "../session/user-menu.tsx";
import styles from "./settings.module.css";
import { useSettings, type SettingsNames } from "./use-settings.ts";

/** The form, which comes with the language that it speaks. */
const LAZY_FORM = new LazyCode(async () => (await import("./settings-form.tsx")).SettingsForm);

/** Settings of an environment; without a name the page on which one is created. */
export function SettingsPage(names: SettingsNames): ReactNode {
  return (
    <QueryProvider answers={undefined}>
      <Page {...names} />
    </QueryProvider>
  );
}

function Page(names: SettingsNames): ReactNode {
  const { projectPath, environment } = names;
  const { data, error, failureReason, refetch } = useSettings(names);
  const { code: Form, failure, retry } = useLazyCode(LAZY_FORM, true);
  if (isChunkFailure(failureReason)) throw failureReason;
  const router = useRouter();
  const isEnded = isSessionEnd(error);
  const here = environment === "" ? newEnvironmentPath(projectPath) : settingsPath(projectPath, environment);
  useEffect(() => {
    if (isEnded) router.replace(signInPath(here));
  }, [isEnded, router, here]);
  const again = (): void => {
    if (failure !== undefined) retry();
    void refetch();
  };
  const isFailed = (error !== null && data === undefined && !isEnded) || failure !== undefined;
  return (
    <div className="page">
      <AppBar crumbs={crumbsOf(names)}>
        <UserMenu viewer={data?.viewer} />
      </AppBar>
      <main id="content" className={styles["main"]}>
        <h1>{environment === "" ? t("settings/new") : t("settings/title", { environment })}</h1>
        {isFailed ? (
          <StatePanel
            icon={error !== null && !isPassing(error) ? "search" : "off"}
            role="alert"
            message={t("settings/not-loaded")}
            more={sentenceOfError(error)}
            actions={
              <button type="button" className="btn sm" onClick={again}>
                {t("ui/try-again")}
              </button>
            }
          />
        ) : data === undefined || Form === undefined ? (
          <Skeleton rows={6} label={t("settings/loading")} />
        ) : (
          <Form names={names} settings={data} reload={() => refetch().then((now) => now.data)} />
        )}
      </main>
    </div>
  );
}

function crumbsOf({ projectPath, environment }: SettingsNames): readonly Crumb[] {
  const way: readonly Crumb[] = [...projectCrumbs(projectPath), { text: t("ui/environments"), href: indexPath(projectPath) }];
  if (environment === "") return [...way, { text: t("settings/new") }];
  return [...way, { text: environment, href: environmentPath(projectPath, environment), isName: true }, { text: t("settings/heading") }];
}
