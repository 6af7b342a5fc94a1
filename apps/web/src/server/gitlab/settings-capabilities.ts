import type { Clock } from "@binnacle/rpc";
import { z } from "zod";

import type { CapabilityVersions, SettingsCapabilities } from "../main-application/settings-access.ts";
import type { GraphqlAccess } from "./graphql-access.ts";

/** What an instance has is not requested again for this time; then it may run a newer version. */
const REMEMBERED_MS = 60 * 60_000;

const QUERY = `query SettingsCapabilities {
  environment: __type(name: "Environment") { fields { name } }
  project: __type(name: "Project") { fields { name } }
  update: __type(name: "EnvironmentUpdateInput") { inputFields { name } }
  create: __type(name: "EnvironmentCreateInput") { inputFields { name } }
  action: __type(name: "CommitAction") { inputFields { name } }
  mutation: __type(name: "Mutation") { fields { name } }
}`;

const names = z.array(z.object({ name: z.string() }));
const fields = z.object({ fields: names.nullish() }).nullish();
const inputs = z.object({ inputFields: names.nullish() }).nullish();
const answerSchema = z.object({ environment: fields, project: fields, mutation: fields, update: inputs, create: inputs, action: inputs });

/** Fields and mutations of an instance that settings need. */
export interface InstanceFields extends SettingsCapabilities {
  /** `userPermissions` of an environment. */
  readonly environmentPermissions: boolean;
  readonly autoStopAt: boolean;
  readonly ciAgents: boolean;
  /** Fields that an environment can be read with. */
  readonly readable: { readonly agent: boolean; readonly namespace: boolean; readonly flux: boolean };
}

/** Versions that bring what an early 16.x lacks (docs.gitlab.com, GraphQL reference and release posts). */
export const GITLAB_VERSIONS: CapabilityVersions = {
  agent: "GitLab 16.1",
  namespace: "GitLab 16.2",
  flux: "GitLab 16.3",
  sharedAgents: "GitLab 16.1",
  create: "GitLab 16.1",
  stop: "GitLab 16.1",
  remove: "GitLab 16.1",
  commit: "GitLab 13.2",
  commitPrecondition: "GitLab 13.2",
};

/** What the instance has, found out by introspection: once an hour for all viewers, and again after a failure. */
export class InstanceCapabilities {
  readonly #clock: Clock;
  #known: { readonly fields: Promise<InstanceFields>; readonly atMs: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws Fault `session_ended`, `main_application_unavailable` */
  of(access: GraphqlAccess): Promise<InstanceFields> {
    const nowMs = this.#clock.now();
    const ageMs = this.#known === undefined ? Number.POSITIVE_INFINITY : nowMs - this.#known.atMs;
    if (this.#known !== undefined && ageMs >= 0 && ageMs < REMEMBERED_MS) return this.#known.fields;
    // Shared by all waiting callers: no caller's cancellation may abort it; the request has its own time limit.
    const reading = access.graphql(QUERY, {}, { projectPath: "", signal: new AbortController().signal }).then(fieldsOf);
    const known = { fields: reading, atMs: nowMs };
    this.#known = known;
    reading.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return reading;
  }
}

function fieldsOf(data: unknown): InstanceFields {
  const answer = answerSchema.safeParse(data).data;
  const has = (list: z.infer<typeof names> | null | undefined, name: string): boolean => list?.some((each) => each.name === name) === true;
  const { environment, project, mutation, update, create, action } = answer ?? {};
  const settable = (name: string): boolean => has(update?.inputFields, name);
  return {
    agent: settable("clusterAgentId"),
    namespace: settable("kubernetesNamespace"),
    flux: settable("fluxResourcePath"),
    sharedAgents: has(project?.fields, "userAccessAuthorizedAgents"),
    ciAgents: has(project?.fields, "ciAccessAuthorizedAgents"),
    create: has(mutation?.fields, "environmentCreate") && has(create?.inputFields, "name"),
    stop: has(mutation?.fields, "environmentStop"),
    remove: has(mutation?.fields, "environmentDelete"),
    commit: has(mutation?.fields, "commitCreate"),
    commitPrecondition: has(action?.inputFields, "lastCommitId"),
    environmentPermissions: has(environment?.fields, "userPermissions"),
    autoStopAt: has(environment?.fields, "autoStopAt"),
    readable: {
      agent: has(environment?.fields, "clusterAgent"),
      namespace: has(environment?.fields, "kubernetesNamespace"),
      flux: has(environment?.fields, "fluxResourcePath"),
    },
  };
}
