"use client";
import type { GetResourceResponse } from "@binnacle/proto/dashboard";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sentenceOfError } from "../asked/asked-error.ts";
import { browserClock } from "../live/browser-clock.ts";
import { dashboardClient } from "../live/dashboard-client.ts";
import type { LiveNode } from "../live/live-node.ts";
import { resourceQuery, type AskedResource } from "./resource-query.ts";

/** What is known of a resource. The last answer stays while the next is under way, and when that fails. */
export interface ResourceState {
  readonly answer?: GetResourceResponse | undefined;
  /** When the answer came, milliseconds since the epoch. */
  readonly answeredMs?: number | undefined;
  /** Why the last load failed; it is tried again. */
  readonly problem?: string | undefined;
  /** Nothing has come yet. */
  readonly loading: boolean;
}

/** Which resource, and whether it is there to be asked for. */
export interface ShownResource {
  readonly projectPath: string;
  readonly environment: string;
  readonly node: LiveNode | undefined;
  /** It has not left: of what has, the last answer stays. */
  readonly present: boolean;
}

/** Loads a resource, and again whenever its node has changed: with everything that the details show, its `revision` does. */
export function useResource({ projectPath, environment, node, present }: ShownResource): ResourceState {
  const of = { projectPath, environment, id: node?.id ?? "", life: node?.life ?? 0 };
  const question = { ...of, ref: node?.ref, revision: node?.revision ?? 0 };
  const asked = useQuery({ ...resourceQuery(question, { dashboard: dashboardClient, clock: browserClock }), enabled: present });
  const { answer, answeredMs } = useLastAnswer([projectPath, environment, of.id, of.life].join("\n"), asked.data) ?? {};
  const problem = sentenceOfError(asked.failureReason ?? asked.error);
  return { answer, answeredMs, problem, loading: present && answer === undefined && problem === undefined };
}

/**
 * What was answered about the resource of this key. Of one that has left it is the last, also when something else stood for it meanwhile:
 * those that refer to it do, until they have left as well. An answer about another one is never given.
 */
function useLastAnswer(key: string, data: AskedResource | undefined): AskedResource | undefined {
  const [last, setLast] = useState<{ readonly key: string; readonly data: AskedResource }>();
  if (data !== undefined && last?.data !== data) setLast({ key, data });
  return data ?? (last?.key === key ? last.data : undefined);
}
