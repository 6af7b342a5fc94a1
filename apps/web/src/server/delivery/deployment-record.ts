import type { DeployingTool } from "@binnacle/environment-view";
import { maskCredentials } from "@binnacle/health";
import { z } from "zod";

/** Longest text of a deployment that a page is sent, in characters. */
const MOST_CHARS = 200;
const MOST_URL_CHARS = 2_000;
/** Text is read no further than this. */
const MOST_READ_CHARS = 2_000;
/** Characters that draw nothing, break a line, or turn the direction of what stands beside them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** What was deployed to an environment last, or why nobody can say it. */
export type DeploymentRecord =
  /** There was none yet; the viewer is not told; the main application does not know such a question; a tool does not say which commit. */
  { readonly kind: "none" | "not-readable" | "not-told" | "not-known" } | ({ readonly kind: "deployed" } & DeployedCommit);

/** A commit that was deployed. Texts are empty where nothing is known; they are short, of one line, and hold no credential. */
interface DeployedCommit {
  readonly source: "ci" | "gitops";
  /** Hexadecimal, whole. */
  readonly sha: string;
  readonly ref: string;
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

/** GraphQL's words for it (docs.gitlab.com, GraphQL reference, `Deployment`). */
export const DEPLOYMENT_FIELDS = `lastDeployment(status: SUCCESS) {
    iid ref sha status createdAt finishedAt
    commit { title webUrl authorName } triggerer { username name } job { name webPath }
  }`;

const text = z.string().nullish();
const deploymentSchema = z.object({
  sha: z.string().regex(/^[0-9a-f]{7,64}$/),
  ref: text,
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
  const { sha, ref, createdAt, finishedAt, commit, triggerer, job } = parsed.data;
  const atMs = Date.parse(finishedAt ?? createdAt ?? "");
  return {
    kind: "deployed",
    source: "ci",
    sha,
    ref: lineOf(ref),
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

/** A text of somebody else as one short line. */
export function lineOf(written: string | null | undefined): string {
  const line = maskCredentials((written ?? "").slice(0, MOST_READ_CHARS))
    .replaceAll(UNSEEN, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length <= MOST_CHARS ? line : `${line.slice(0, MOST_CHARS - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** An address inside the main application, absolute; empty for any other. */
export function linkInto(mainApplicationUrl: string, written: string | null | undefined): string {
  if (written === null || written === undefined || written === "" || written.length > MOST_URL_CHARS) return "";
  const url = URL.parse(written, mainApplicationUrl);
  const isInside = url !== null && /^https?:$/.test(url.protocol) && url.origin === new URL(mainApplicationUrl).origin;
  return isInside && `${url.username}${url.password}` === "" && url.href.length <= MOST_URL_CHARS ? url.href : "";
}
