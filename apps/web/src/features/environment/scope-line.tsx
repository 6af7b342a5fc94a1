"use client";
import type { ReactNode } from "react";
import { said } from "../../ui/said.ts";
import { useView } from "../live/environment-context.tsx";
import styles from "./environment.module.css";
import { isHealthKnown } from "../why/summary-words.ts";

/** Which part of the cluster the environment is, when the team's file says so, and how much of its namespaces that is. */
export function ScopeLine(): ReactNode {
  const view = useView();
  const scope = said(view.environment?.scope);
  if (scope === "") return null;
  const covers = isHealthKnown(view) ? said(view.health?.covers) : "";
  return (
    <p className={styles["scope"]} data-scope>
      {scope}
      {covers !== "" && <span>{covers}</span>}
    </p>
  );
}
