"use client";
import type { Problem } from "@binnacle/proto/dashboard";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import type { PageWordsId } from "@binnacle/words/en/page";
import Link from "next/link";
import { Suspense, type ReactNode } from "react";
import { CopyRequest } from "../../ui/copy-request.tsx";
import type { BoundaryFailure } from "../../ui/error-boundary.tsx";
import { FailurePanel } from "../../ui/failure-panel.tsx";
import type { IconName } from "../../ui/icon.tsx";
import { messageText, t, tLater } from "../../ui/messages.ts";
import { StatePanel } from "../../ui/state-panel.tsx";
import type { UrlState } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";

const ICONS: Readonly<Record<number, IconName | "locked">> = {
  [ProblemKind.AGENT_FORBIDDEN]: "locked",
  [ProblemKind.NO_AGENT]: "link",
  [ProblemKind.UNAVAILABLE]: "off",
};

/** The one problem that the viewer solves on a page of ours. */
const NO_CLUSTER_TOKEN = "problem/no-cluster-token";

const WORDS: Readonly<Record<UrlState["view"], PageWordsId>> = {
  events: "environment/the-events",
  graph: "environment/the-graph",
  list: "environment/the-list",
  logs: "environment/the-logs",
  summary: "environment/the-summary",
};

/**
 * A view that cannot be shown, in the words of the server: nothing is put into the sentence, its link is linked where it stands.
 *
 * @param props.backTo a way on, for who came to what is not there @param props.settings where an agent is chosen
 */
export function ProblemState(props: { readonly problem: Problem; readonly backTo?: string; readonly settings?: string }): ReactNode {
  const { problem, backTo, settings } = props;
  const actions = [
    problem.kind === ProblemKind.NO_AGENT && settings !== undefined && (
      <Link key="settings" className="btn sm primary" href={settings} prefetch={false}>
        {t("settings/choose-agent")}
      </Link>
    ),
    problem.kind === ProblemKind.AGENT_FORBIDDEN && (
      <CopyRequest
        key="request"
        text={() => t("environment/access-request-text", { said: messageText(problem.details), href: location.href })}
      />
    ),
    problem.words?.id === NO_CLUSTER_TOKEN && problem.link !== "" && (
      <Suspense key="token">
        <a className="btn sm primary" href={problem.link}>
          {tLater("sign-in/cluster-token/add")}
        </a>
      </Suspense>
    ),
    backTo !== undefined && (
      <Link key="back" className="btn sm" href={backTo}>
        {t("environment/environments-of-project")}
      </Link>
    ),
  ].filter((action) => action !== false);
  return (
    <StatePanel
      icon={ICONS[problem.kind] ?? "search"}
      message={<LinkedSentence sentence={messageText(problem.words)} link={problem.link} />}
      {...(problem.details === undefined ? {} : { more: <p>{messageText(problem.details)}</p> })}
      {...(actions.length === 0 ? {} : { actions })}
    />
  );
}

/** The sentence with the part that is the address of the link made a link. */
export function LinkedSentence({ sentence, link }: { readonly sentence: string; readonly link: string }): ReactNode {
  const at = link === "" ? -1 : sentence.indexOf(link);
  if (at < 0 || !/^https?:\/\//.test(link)) return sentence;
  return (
    <>
      {sentence.slice(0, at)}
      <a href={link} rel="noreferrer noopener" target="_blank">
        {link}
      </a>
      {sentence.slice(at + link.length)}
    </>
  );
}

/** In place of a view that failed: the environment stays live, and another view shows it. */
export function ViewFailure({ error, retry }: BoundaryFailure): ReactNode {
  const [{ view }, setUrl] = useUrlState();
  const other = view === "list" ? "summary" : "list";
  const actions = (
    <button type="button" className="btn sm" onClick={() => setUrl({ view: other })}>
      {t("environment/show-other", { other })}
    </button>
  );
  return <FailurePanel error={error} what={t(WORDS[view])} retry={retry} actions={actions} />;
}
