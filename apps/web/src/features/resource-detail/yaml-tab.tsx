"use client";
import { Presence, type Node } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import styles from "./drawer.module.css";
import type { ResourceState } from "./use-resource.ts";

/** The object as the cluster has it, without managed fields. */
export function YamlTab({ node, resource }: { readonly node: Node; readonly resource: ResourceState }): ReactNode {
  if (resource.answer !== undefined) return <pre className={styles["yaml"]}>{resource.answer.yaml}</pre>;
  if (resource.problem !== undefined) return <p className={styles["problem"]}>The object could not be loaded: {resource.problem}</p>;
  if (node.presence !== Presence.PRESENT) return <p className="muted">There is no object to show.</p>;
  return resource.loading ? <output>Loading</output> : <p className="muted">There is no object to show.</p>;
}
