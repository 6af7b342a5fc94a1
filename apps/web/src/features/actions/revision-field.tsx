"use client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, type ReactNode } from "react";
import { formatAge, millisOf } from "../../ui/format-time.ts";
import { tLater } from "../../ui/messages.ts";
import { serverTime } from "../../ui/server-time.ts";
import { sentenceOfError } from "../queries/request-error.ts";
import { detailKeys } from "../queries/detail-keys.ts";
import { loadDashboard } from "../live/load-dashboard.ts";
import styles from "./action-dialog.module.css";
import { sentenceOf } from "./attempt-words.ts";
import type { ReviewedResource } from "./use-action-review.ts";

const LIMIT_MS = 35_000;

/**
 * Revisions by number, age and what tells them apart: the cause of the change, or the images. The cluster lists them when the field is shown; the
 * newest earlier one is chosen first.
 */
export function RevisionField(props: {
  readonly resource: ReviewedResource;
  readonly revision: bigint | undefined;
  readonly disabled: boolean;
  readonly onRevision: (revision: bigint) => void;
}): ReactNode {
  const { resource, revision, disabled, onRevision } = props;
  const { data, error } = useRevisions(resource);
  const earlier = data?.revisions.filter(({ isPresent }) => !isPresent);
  const first = revision === undefined ? earlier?.[0]?.revision : undefined;
  const choose = useEffectEvent(onRevision);
  useEffect(() => {
    if (first !== undefined) choose(first);
  }, [first]);
  if (error !== null)
    return <p data-revisions="not-known">{tLater("actions/revisions-unknown", { sentence: sentenceOf(sentenceOfError(error) ?? "") })}</p>;
  if (earlier === undefined) return <p className="muted">{tLater("actions/revisions-loading")}</p>;
  if (earlier.length === 0) return <p data-revisions="none">{tLater("actions/no-revisions")}</p>;
  const nowMs = serverTime.now();
  return (
    <label className={`${styles["field"]} ${styles["wide"]}`}>
      <span>{tLater("actions/revision")}</span>
      <select disabled={disabled} value={String(revision ?? "")} onChange={({ target: { value } }) => onRevision(BigInt(value))}>
        {earlier.map(({ revision: each, created, images, changeCause }) => (
          <option key={String(each)} value={String(each)}>
            {tLater("actions/revision-option", {
              revision: String(each),
              age: created === undefined ? undefined : formatAge(millisOf(created), nowMs),
              what: changeCause === "" ? images.join(", ") : changeCause,
            })}
          </option>
        ))}
      </select>
    </label>
  );
}

function useRevisions({ projectPath, environment, node }: ReviewedResource) {
  const { ref, id, life } = node;
  return useQuery({
    queryKey: detailKeys.revisions({ projectPath, environment, id, life }),
    refetchOnMount: "always",
    // A browser that thinks it is offline still reaches a server on its own machine.
    networkMode: "always",
    retry: false,
    queryFn: async ({ signal }) => {
      const target = { projectPath, environment, ...(ref && { ref }) };
      return (await loadDashboard()).listRevisions({ target }, { signal, timeoutMs: LIMIT_MS });
    },
  });
}
