"use client";
import type { ReactNode } from "react";
import styles from "./drawer.module.css";
import { LoadProblem } from "./load-problem.tsx";
import type { ResourceState } from "./use-resource.ts";

/** The object as the cluster has it, without managed fields. */
export function YamlTab({ resource, kept }: { readonly resource: ResourceState; readonly kept: boolean }): ReactNode {
  const { answer, problem, loading } = resource;
  return (
    <>
      <LoadProblem resource={resource} what="object" />
      {answer !== undefined && <pre className={styles["yaml"]}>{answer.yaml}</pre>}
      {answer === undefined && loading && <output>Loading</output>}
      {answer === undefined && !loading && problem === undefined && (
        <p className="muted">{kept ? "YAML is not available." : "There is no object to show."}</p>
      )}
    </>
  );
}
