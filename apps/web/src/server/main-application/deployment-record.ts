import type { DeployingTool } from "@binnacle/environment-view";
import { maskCredentials } from "@binnacle/health";
import { z } from "zod";

/** Longest text of a deployment that a page is sent, in characters. */
const MAX_CHARS = 200;
const MAX_URL_CHARS = 2_000;
/** Text is read no further than this. */
const MAX_READ_CHARS = 2_000;
/** Characters that draw nothing, break a line, or turn the direction of what stands beside them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** What the main application says was deployed to an environment last, or why that is not known. */
export type DeploymentRecord =
  /** There was none yet; the field failed; the main application does not support the field. */
  | { readonly kind: "none" | "not-readable" | "not-supported" }
  | ({ readonly kind: "deployed"; /** When it was confirmed last, if it is not any more. */ readonly asOfMs?: number } & DeployedCommit);

/** A commit that was deployed. Texts are empty where nothing is known; they are short, of one line, and hold no credential. */
export interface DeployedCommit {
  readonly source: "ci" | "gitops";
  /** Hexadecimal, whole. */
  readonly sha: string;
  readonly ref: string;
  /** `ref` is a tag. */
  readonly isTag: boolean;
  /** Empty for who may not read the commit. */
  readonly title: string;
  /** Of the main application itself, or empty; so is `jobUrl`. */
  readonly commitUrl: string;
  readonly author: string;
  readonly byUsername: string;
  readonly byName: string;
  readonly job: string;
  readonly jobUrl: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number | undefined;
  /** Absent: a job or our own agent brought it. */
  readonly byTool?: DeployedByTool;
}

/** Another tool that brought it. */
interface DeployedByTool {
  readonly tool: DeployingTool;
  /** `namespace/name`. */
  readonly object: string;
  /** Where it says that the commit is; empty when it does not. */
  readonly repository: string;
}

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

/** A text of another program as one short line. */
export function lineOf(written: string | null | undefined): string {
  const line = maskCredentials((written ?? "").slice(0, MAX_READ_CHARS))
    .replaceAll(UNSEEN, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length <= MAX_CHARS ? line : `${line.slice(0, MAX_CHARS - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** An address inside the main application, absolute; empty for any other. */
export function linkInto(mainApplicationUrl: string, written: string | null | undefined): string {
  if (written === null || written === undefined || written === "" || written.length > MAX_URL_CHARS) return "";
  const url = URL.parse(written, mainApplicationUrl);
  const isInside = url !== null && /^https?:$/.test(url.protocol) && url.origin === new URL(mainApplicationUrl).origin;
  return isInside && `${url.username}${url.password}` === "" && url.href.length <= MAX_URL_CHARS ? url.href : "";
}
