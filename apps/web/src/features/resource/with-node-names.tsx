"use client";
import type { ResourceRef } from "@binnacle/proto/dashboard";
import { Fragment, type ReactNode } from "react";
import { useEnvironmentStore } from "../live/environment-context.tsx";
import { ClusterNodeLink, isClusterNode } from "./cluster-node-link.tsx";

/** What a name may have beside its beginning and its end: there it is a part of another name. */
const PART_OF_NAME = /[\p{L}\p{N}_.-]/u;
/** A full stop at its end ends the sentence when nothing follows it. */
const END_OF_SENTENCE = /^\.(?:$|\s)/;

/**
 * A sentence with the names of Nodes in it as links to their pages. A name inside of a longer name is left alone.
 *
 * @param props.names those that the sentence may name; what it does not name is passed over
 * @param props.link draws the link; absent: within the page of the environment
 */
export function WithNodeNames(props: {
  readonly text: string;
  readonly names: readonly string[];
  readonly link?: (name: string) => ReactNode;
}): ReactNode {
  const { text, names, link = ownLink } = props;
  const [name, ...others] = names;
  if (name === undefined) return text;
  const parts = partsOf(text, name);
  return parts.map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts of one text have no other name
    <Fragment key={index}>
      {index > 0 && link(name)}
      <WithNodeNames text={part} names={others} link={link} />
    </Fragment>
  ));
}

/** Draws sentences with the names of Nodes in them as links; names that are empty are passed over. */
export function linkingNodes(names: readonly string[], link?: (name: string) => ReactNode): (text: string) => ReactNode {
  return (text) => <WithNodeNames text={text} names={names} {...(link && { link })} />;
}

/** Draws what was reported of a resource, with a link where it names the Node that this is, or that this pod is on. */
export function linkingNodeOf(about: ResourceRef | undefined): (text: string) => ReactNode {
  return (text) => <ReportedText text={text} about={about} />;
}

/** What was reported of a resource, likewise. */
export function ReportedText({ text, about }: { readonly text: string; readonly about: ResourceRef | undefined }): ReactNode {
  const on = useEnvironmentStore().nodeOf(about)?.nodeName ?? "";
  const names = about !== undefined && isClusterNode(about) ? [about.name] : on === "" ? [] : [on];
  return <WithNodeNames text={text} names={names} />;
}

function ownLink(name: string): ReactNode {
  return <ClusterNodeLink name={name} />;
}

/** The text around each place at which it names the node. */
function partsOf(text: string, name: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  if (name === "") return [text];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const [before, after] = [text.slice(Math.max(0, at - 1), at), text.slice(at + name.length, at + name.length + 2)];
    if (PART_OF_NAME.test(before) || (PART_OF_NAME.test(after.slice(0, 1)) && !END_OF_SENTENCE.test(after))) continue;
    parts.push(text.slice(from, at));
    from = at + name.length;
  }
  return [...parts, text.slice(from)];
}
