"use client";
import { useMemo, type ReactNode } from "react";
import type { LiveNode } from "../live/live-node.ts";
import { LogBoard } from "./board/log-board.tsx";
import type { LogsOf } from "./read/log-request.ts";

/** Whose logs. */
export interface LogsTabProps {
  readonly projectPath: string;
  readonly environment: string;
  readonly node: LiveNode;
}

/** The logs of a pod, or of the pods of a workload, beside the view. */
export function LogsTab({ projectPath, environment, node }: LogsTabProps): ReactNode {
  const { ref } = node;
  // By its name: a node of which only the look has changed is the same resource.
  const of = useMemo<LogsOf>(
    () => ({ projectPath, environment, refs: ref === undefined ? [] : [ref] }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the id of a node is its name
    [projectPath, environment, node.id],
  );
  return <LogBoard of={of} name={`${ref?.namespace}-${ref?.name}`} />;
}
