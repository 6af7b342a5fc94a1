"use client";
import type { Deployment } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { OutwardLink } from "../../ui/outward-link.tsx";
import { shortSha } from "../../ui/short-sha.ts";
import { sayLater } from "../../ui/said.ts";

/** A deployment among what has happened to a resource: which commit, and by whom. */
export function DeploymentLine({ deployment }: { readonly deployment: Deployment }): ReactNode {
  const { sha, title, commitUrl, ref, author, byName, byUsername, job, toolObject } = deployment;
  const by = byName || byUsername || author;
  const words = [
    ...(ref === "" ? [] : [ref]),
    ...(by === "" ? [] : [sayLater("resource-detail/changed-by", { by })]),
    ...(job === "" ? [] : [job]),
    ...(toolObject === "" ? [] : [toolObject]),
  ];
  return (
    <div>
      <b>{sayLater("resource-detail/deployed")}</b>{" "}
      <OutwardLink url={commitUrl} title={title}>
        <code>{shortSha(sha)}</code>
      </OutwardLink>{" "}
      <span className="muted">{words.join(", ")}</span>
      {title !== "" && <div>{title}</div>}
    </div>
  );
}
