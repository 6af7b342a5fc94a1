import { z } from "zod";

import { lineOf, linkInto } from "../main-application/foreign-text.ts";
import type { DeploymentRecord } from "../main-application/records.ts";

/** Fields of a deployment in GraphQL (docs.gitlab.com, GraphQL reference, `Deployment`). */
export const deploymentFields = (isWithTag: boolean): string => `lastDeployment(status: SUCCESS) {
    iid ref ${isWithTag ? "tag " : ""}sha status createdAt finishedAt
    commit { title webUrl authorName } triggerer { username name } job { name webPath }
  }`;

const text = z.string().nullish();
const deploymentSchema = z.object({
  sha: z.string().regex(/^[0-9a-f]{7,64}$/),
  ref: text,
  tag: z.boolean().nullish(),
  status: z.literal("SUCCESS").nullish(),
  createdAt: text,
  finishedAt: text,
  commit: z.object({ title: text, webUrl: text, authorName: text }).nullish(),
  triggerer: z.object({ username: text, name: text }).nullish(),
  job: z.object({ name: text, webPath: text }).nullish(),
});

/**
 * The deployment out of GraphQL's answer.
 *
 * @param found what stands in the field; null where there is none
 * @param mainApplicationUrl where people find the main application: links lead there, or nowhere
 */
export function deploymentOf(found: unknown, mainApplicationUrl: string): DeploymentRecord {
  if (found === null || found === undefined) return { kind: "none" };
  const parsed = deploymentSchema.safeParse(found);
  if (!parsed.success) return { kind: "not-readable" };
  const { sha, ref, tag, createdAt, finishedAt, commit, triggerer, job } = parsed.data;
  const atMs = Date.parse(finishedAt ?? createdAt ?? "");
  return {
    kind: "deployed",
    source: "ci",
    sha,
    ref: lineOf(ref),
    isTag: tag === true && lineOf(ref) !== "",
    title: lineOf(commit?.title),
    commitUrl: linkInto(mainApplicationUrl, commit?.webUrl),
    author: lineOf(commit?.authorName),
    byUsername: lineOf(triggerer?.username),
    byName: lineOf(triggerer?.name),
    job: lineOf(job?.name),
    jobUrl: linkInto(mainApplicationUrl, job?.webPath),
    atMs: Number.isNaN(atMs) ? undefined : atMs,
  };
}
