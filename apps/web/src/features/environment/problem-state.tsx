"use client";
import type { Problem } from "@binnacle/proto/dashboard";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import Link from "next/link";
import type { ReactNode } from "react";
import { CopyRequest } from "../../ui/copy-request.tsx";
import type { IconName } from "../../ui/icon.tsx";
import { said, say } from "../../ui/said.ts";
import { StatePanel } from "../../ui/state-panel.tsx";

const ICONS: Readonly<Record<number, IconName | "locked">> = {
  [ProblemKind.AGENT_FORBIDDEN]: "locked",
  [ProblemKind.NO_AGENT]: "link",
  [ProblemKind.UNAVAILABLE]: "off",
};

/**
 * A view that cannot be shown, in the words of the server: nothing is put into the sentence, its link is linked where it stands.
 *
 * @param props.backTo a way on, for who came to what is not there
 */
export function ProblemState({ problem, backTo }: { readonly problem: Problem; readonly backTo?: string }): ReactNode {
  const actions = [
    problem.kind === ProblemKind.AGENT_FORBIDDEN && (
      <CopyRequest key="request" text={() => say("environment/please-give-me", { said: said(problem.details), href: location.href })} />
    ),
    backTo !== undefined && (
      <Link key="back" className="btn sm" href={backTo}>
        {say("environment/environments-project")}
      </Link>
    ),
  ].filter((action) => action !== false);
  return (
    <StatePanel
      icon={ICONS[problem.kind] ?? "search"}
      say={<LinkedSentence sentence={said(problem.words)} link={problem.link} />}
      {...(problem.details === undefined ? {} : { more: <p>{said(problem.details)}</p> })}
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
