"use client";
import { ProblemKind, type Problem } from "@binnacle/proto/dashboard";
import { useState, type ReactNode } from "react";
import type { IconName } from "../../ui/icon.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";

const ICONS: Readonly<Record<number, IconName | "locked">> = {
  [ProblemKind.AGENT_FORBIDDEN]: "locked",
  [ProblemKind.NO_AGENT]: "link",
  [ProblemKind.UNAVAILABLE]: "off",
};

/** A view that cannot be shown, in the words of the server: nothing is put into the sentence, its link is linked where it stands. */
export function ProblemState({ problem }: { readonly problem: Problem }): ReactNode {
  return (
    <StatePanel
      icon={ICONS[problem.kind] ?? "search"}
      say={<LinkedSentence message={problem.message} link={problem.link} />}
      {...(problem.detail === "" ? {} : { more: <Detail text={problem.detail} /> })}
      {...(problem.kind === ProblemKind.AGENT_FORBIDDEN ? { actions: <CopyRequest problem={problem} /> } : {})}
    />
  );
}

/** The sentence with the part that is the address of the link made a link. */
export function LinkedSentence({ message, link }: { readonly message: string; readonly link: string }): ReactNode {
  const at = link === "" ? -1 : message.indexOf(link);
  if (at < 0 || !/^https?:\/\//.test(link)) return message;
  return (
    <>
      {message.slice(0, at)}
      <a href={link} rel="noreferrer noopener" target="_blank">
        {link}
      </a>
      {message.slice(at + link.length)}
    </>
  );
}

function Detail({ text }: { readonly text: string }): ReactNode {
  return <p>{text}</p>;
}

function CopyRequest({ problem }: { readonly problem: Problem }): ReactNode {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    const text = `Please give me access to this environment.\n${problem.detail}\n${location.href}`;
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <button type="button" className="btn sm" onClick={copy}>
      {copied ? "Copied" : "Copy request"}
    </button>
  );
}
