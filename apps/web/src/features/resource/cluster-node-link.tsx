"use client";
import type { ResourceRef } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { Name } from "../../ui/name.tsx";
import { StateLink } from "../address/state-link.tsx";
import { selectionOf } from "../address/url-state.ts";
import { useEnvironmentStore } from "../live/environment-context.tsx";
import styles from "./node-link.module.css";
import { NodeLink } from "./node-link.tsx";

/** It wraps where there is less room. */
const MAX_CHARS = 34;

/** A Node of the cluster by name. */
export function clusterNodeRef(name: string): ResourceRef {
  const resource = { group: "", version: "v1", kind: "Node", resource: "nodes" };
  return { $typeName: "dashboard.v1.ResourceRef", ...resource, namespace: "", name };
}

/** Selection of a Node of the cluster. Its page is below every environment, whether or not the view has it. */
export function clusterNodeSelection(name: string): string {
  return selectionOf(clusterNodeRef(name));
}

const PREFIX = clusterNodeSelection("");

/** Name of the Node of the cluster that a selection names; `undefined` for any other resource. */
export function clusterNodeOf(selection: string): string | undefined {
  const name = selection.startsWith(PREFIX) ? selection.slice(PREFIX.length) : "";
  return name === "" || name.includes("/") ? undefined : name;
}

/** Whether a resource is a Node of the cluster. */
export function isClusterNode(ref: Pick<ResourceRef, "group" | "kind"> | undefined): boolean {
  return ref?.group === "" && ref.kind === "Node";
}

/** The name of a Node of the cluster, which opens its page. */
export function ClusterNodeLink({ name }: { readonly name: string }): ReactNode {
  return (
    <StateLink change={{ sel: clusterNodeSelection(name) }} className={styles["link"]} translate="no" title={drawnName(name)}>
      <Name name={name} room={MAX_CHARS} />
    </StateLink>
  );
}

/** The name of a resource: a link where the view has it, or where it is a Node; `undefined` where it leads nowhere. */
export function useRefLink(ref: ResourceRef | undefined): ReactNode {
  const node = useEnvironmentStore().nodeOf(ref);
  if (node !== undefined) return <NodeLink node={node} />;
  return ref !== undefined && isClusterNode(ref) && ref.name !== "" ? <ClusterNodeLink name={ref.name} /> : undefined;
}
