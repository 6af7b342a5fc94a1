import { KubeClientError, type ViewScope } from "@binnacle/environment-view";
import {
  MatchedKindSchema,
  PreviewEnvironmentSettingsResponseSchema,
  PreviewState,
  ReviewedAccessSchema,
  SharedWithEnvironmentSchema,
  type PreviewEnvironmentSettingsRequest,
  type PreviewEnvironmentSettingsResponse,
  type MatchedKind,
  type ReviewedAccess,
  type SharedWithEnvironment,
} from "@binnacle/proto/dashboard-settings";
import { Fault } from "@binnacle/rpc";
import { words } from "@binnacle/words";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

import { toSentWords } from "../base/sent-words.ts";
import { sessionEnded } from "../base/session-ended.ts";
import { hasAgent, openKasAccess, type ConnectedEnvironment, type KasAccessContext } from "../environment/connected-environment.ts";
import type { Wording } from "../environment/problem.ts";
import { reviewAccess } from "../kas/access-review.ts";
import { reviewIdentity } from "../kas/cluster-identity.ts";
import type { KasAccess } from "../kas/kas-access.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import type { EnvironmentRecord, MainViewer } from "../main-application/records.ts";
import { scopeOf } from "../main-application/scope-of.ts";
import type { SettingsRecord } from "../main-application/settings-access.ts";
import type { TeamFiles } from "../team-file/team-files.ts";
import { withTeam } from "../team-file/team-view-of.ts";
import { countScope, type CountContext, type CountedScope, type CountingViewer } from "./count-scope.ts";
import { readSettings, scopeOfValues, type SettingsValues } from "./settings-values.ts";

/** What settings are tried with. */
export interface PreviewSettingsContext extends CountContext, KasAccessContext {
  readonly teamFiles: TeamFiles;
  readonly wording: Wording;
}

/** What is not known then is not waited for. */
const LIMIT_MS = 8_000;
/** kas answers within that that the agent is not there. */
const IDENTITY_LIMIT_MS = 10_000;
/** Other environments whose labels or inventory have to be looked at, each as a scope of its own. */
const MAX_COMPARED = 5;
const MAX_SHARED = 20;
const MAX_REVIEWED_NAMESPACES = 5;
/** Previews of one credential that run at once. */
const MAX_RUNNING = 3;

const REVIEWED = [
  { group: "", version: "v1", resource: "pods" },
  { group: "apps", version: "v1", resource: "deployments" },
  { group: "", version: "v1", resource: "events" },
] as const;

const running = new WeakMap<object, Map<string, number>>();

type Answer = MessageInitShape<typeof PreviewEnvironmentSettingsResponseSchema>;

/**
 * What an environment of these settings would show, as the viewer would see it: everything is read with the viewer's own rights, and only names of
 * environments that the viewer may see are compared.
 *
 * @throws Fault `session_ended`, `not_found`, `main_application_unavailable`; `rate_limited` for the fourth at once
 */
export async function previewSettings(
  context: PreviewSettingsContext,
  call: {
    readonly viewerAccess: ViewerAccess | undefined;
    readonly request: PreviewEnvironmentSettingsRequest;
    readonly signal: AbortSignal;
  },
): Promise<PreviewEnvironmentSettingsResponse> {
  const { viewerAccess, request, signal } = call;
  if (viewerAccess === undefined) throw sessionEnded();
  const values = readSettings(request.settings);
  if ("problem" in values) return answered({ state: PreviewState.INVALID, words: toSentWords(values.problem) });
  const { agentId } = values;
  if (agentId === undefined) return answered({ state: PreviewState.NO_AGENT, words: toSentWords(words("settings/no-agent-chosen")) });
  const leave = enter(context, viewerAccess.key);
  try {
    const names = { projectPath: request.projectPath, environment: request.environment === "" ? undefined : request.environment };
    const record = await viewerAccess.settings(names, signal);
    const environment = environmentFor(record, values);
    const access = openKasAccess(context, viewerAccess, environment);
    return answered(await tryScope(context, { viewerAccess, record, values, environment, access }, signal));
  } finally {
    leave();
  }
}

interface Trial {
  readonly viewerAccess: ViewerAccess;
  readonly record: SettingsRecord;
  readonly values: SettingsValues;
  readonly environment: ConnectedEnvironment;
  readonly access: KasAccess;
}

async function tryScope(context: PreviewSettingsContext, trial: Trial, signal: AbortSignal): Promise<Answer> {
  const { record, values, environment, access } = trial;
  let identity: Awaited<ReturnType<typeof reviewIdentity>>;
  try {
    identity = await reviewIdentity(access.client, AbortSignal.any([signal, AbortSignal.timeout(IDENTITY_LIMIT_MS)]));
  } catch (error) {
    if (!(error instanceof KubeClientError)) throw error;
    if (error.failure !== "unauthorized") return { state: PreviewState.UNREACHABLE, words: toSentWords(error.words) };
    return forbidden(context.wording, environment, record.viewer);
  }
  const scope = scopeOfValues(values);
  const counting = { access, identity };
  const [counted, rights, others] = await Promise.all([
    countScope(context, { ...counting, scope }, { limitMs: LIMIT_MS, signal }),
    reviewed(access, scope, signal),
    otherEnvironments(context, trial, signal),
  ]);
  const shared = await sharedWith(context, { counting, counted, others, scope }, signal);
  const total = counted.resources.size;
  const isEmpty = total === 0 && counted.isComplete;
  const { product, troubleshootingUrl } = context.wording;
  const sentence = isEmpty
    ? words("problem/no-resources", { product, address: troubleshootingUrl })
    : counted.isComplete
      ? undefined
      : words("settings/preview-partial");
  return {
    state: counted.isComplete ? PreviewState.COMPLETE : PreviewState.PARTIAL,
    total,
    kinds: kindsOf(counted),
    ...shared,
    access: rights,
    clusterUsername: identity?.username ?? "",
    ...(sentence && { words: toSentWords(sentence) }),
    ...(isEmpty && { link: troubleshootingUrl }),
  };
}

function forbidden({ troubleshootingUrl }: Wording, environment: ConnectedEnvironment, viewer: MainViewer): Answer {
  const { agent, projectPath: project } = environment;
  const facts = {
    agent: agent.name,
    configuration: agent.projectPath === "" ? undefined : agent.projectPath,
    project,
    user: viewer.username,
  };
  return { state: PreviewState.FORBIDDEN, words: toSentWords(words("settings/agent-forbidden", facts)), link: troubleshootingUrl };
}

/** The environment as it would be; a new one has the page of GitLab on which new ones are made. */
function environmentFor(
  { environment, projectPath, agents }: SettingsRecord,
  { agentId = 0n, namespaces }: SettingsValues,
): ConnectedEnvironment {
  const known = agents.find(({ id }) => id === agentId) ?? (environment?.agent?.id === agentId ? environment.agent : undefined);
  return {
    projectPath,
    number: environment?.number ?? "new",
    name: environment?.name ?? "",
    slug: "",
    tier: "",
    state: environment?.state ?? "",
    externalUrl: "",
    namespace: namespaces[0] ?? "",
    agent: {
      id: agentId,
      name: known?.name ?? String(agentId),
      projectPath: known?.projectPath ?? "",
      connectedAt: undefined,
      lastSeenAt: undefined,
    },
  };
}

/** Other environments of the project that have the same agent. */
async function otherEnvironments(
  { teamFiles }: PreviewSettingsContext,
  { viewerAccess, record, values }: Trial,
  signal: AbortSignal,
): Promise<readonly EnvironmentRecord[]> {
  const { environments } = await viewerAccess.environments(record.projectPath, signal);
  const reading = await teamFiles.read(viewerAccess, record.projectPath);
  return environments
    .filter((each) => each.name !== record.environment?.name && hasAgent(each) && each.agent.id === values.agentId)
    .map((each) => withTeam(each, reading));
}

async function sharedWith(
  context: CountContext,
  of: {
    readonly counting: CountingViewer;
    readonly counted: CountedScope;
    readonly others: readonly EnvironmentRecord[];
    readonly scope: ViewScope;
  },
  signal: AbortSignal,
): Promise<{ readonly shared: SharedWithEnvironment[]; readonly notCompared: number }> {
  const { counting, counted, others, scope } = of;
  const meeting = others
    .map((each) => ({ name: each.name, other: scopeOf(each) }))
    .filter(({ other }) => counted.resources.size > 0 && isMeeting(scope, other));
  const plain = meeting.filter(({ other }) => isPlain(other));
  const narrow = meeting.filter(({ other }) => !isPlain(other));
  const inNamespaces = plain.map(({ name, other }) => ({
    environment: name,
    count: [...counted.resources.values()].filter(({ namespace }) => other.namespaces.length === 0 || other.namespaces.includes(namespace))
      .length,
  }));
  const compared = await Promise.all(
    narrow.slice(0, MAX_COMPARED).map(async ({ name, other }) => {
      const theirs = await countScope(context, { ...counting, scope: other }, { limitMs: LIMIT_MS, signal });
      const count = [...counted.resources.keys()].filter((key) => theirs.resources.has(key)).length;
      return { environment: name, count, isComplete: theirs.isComplete };
    }),
  );
  const shared = [...inNamespaces, ...compared].filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count);
  const more = Math.max(0, shared.length - MAX_SHARED);
  return {
    shared: shared.slice(0, MAX_SHARED).map(({ environment, count }) => create(SharedWithEnvironmentSchema, { environment, count })),
    notCompared:
      more + Math.max(0, narrow.length - MAX_COMPARED) + compared.filter(({ isComplete, count }) => !isComplete && count === 0).length,
  };
}

function isMeeting({ namespaces: ours }: ViewScope, { namespaces: theirs }: ViewScope): boolean {
  return ours.length === 0 || theirs.length === 0 || ours.some((each) => theirs.includes(each));
}

/** It is all of its namespaces. */
function isPlain({ labels, inventory }: ViewScope): boolean {
  return labels === undefined && inventory === undefined;
}

function kindsOf({ resources }: CountedScope): MatchedKind[] {
  const counts = new Map<string, { readonly group: string; readonly kind: string; count: number }>();
  for (const { group, kind } of resources.values()) {
    const known = counts.get(`${group}/${kind}`) ?? { group, kind, count: 0 };
    known.count += 1;
    counts.set(`${group}/${kind}`, known);
  }
  return [...counts.values()]
    .toSorted((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1))
    .map((each) => create(MatchedKindSchema, each));
}

/** What the viewer may list; what is not known is left out. */
async function reviewed(access: KasAccess, { namespaces }: ViewScope, signal: AbortSignal): Promise<ReviewedAccess[]> {
  const where = namespaces.length === 0 ? [""] : namespaces.slice(0, MAX_REVIEWED_NAMESPACES);
  const rights = where.flatMap((namespace) => REVIEWED.map((kind) => ({ ...kind, namespace })));
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  const reviews = await Promise.all(
    rights.map(async ({ group, version, resource, namespace }) => {
      const { right } = await reviewAccess(access.client, { verb: "list", group, version, resource, namespace, name: "" }, limit);
      return right === "not-known" ? [] : [create(ReviewedAccessSchema, { resource, group, namespace, isAllowed: right === "allowed" })];
    }),
  );
  return reviews.flat();
}

function answered(answer: Answer): PreviewEnvironmentSettingsResponse {
  return create(PreviewEnvironmentSettingsResponseSchema, answer);
}

/** @throws Fault `rate_limited` when too many of one credential run */
function enter(context: object, key: string): () => void {
  const counts = running.get(context) ?? new Map<string, number>();
  running.set(context, counts);
  const now = counts.get(key) ?? 0;
  if (now >= MAX_RUNNING) throw new Fault("rate_limited", "Too many previews run at once. Wait for one.", { retryAfterSeconds: 1 });
  counts.set(key, now + 1);
  return () => {
    const left = (counts.get(key) ?? 1) - 1;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
  };
}
