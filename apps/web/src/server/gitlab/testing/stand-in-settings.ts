import type { StandInEnvironment } from "./stand-in-main-application.ts";

/** An agent that the stand-in shares with its project. */
export interface StandInAgent {
  readonly id: number;
  readonly name: string;
  /** Empty: the viewer may not see it. */
  readonly project: string;
  /** Shared for users; otherwise for jobs only. */
  readonly forUsers: boolean;
}

/** What settings read and change of the stand-in. */
interface Changed {
  environments: StandInEnvironment[];
  teamFile: string | undefined;
  readonly withoutCode: ReadonlySet<string>;
}

const NO_PERMISSION = "The resource that you are attempting to access does not exist or you don't have permission to perform this action";

type Input = Readonly<Record<string, unknown>>;

/** Settings in the stand-in for the main application: its maintainers change environments and push to the default branch, all others do not. */
export class StandInSettings {
  agents: StandInAgent[] = [{ id: 3, name: "demo", project: "group/app", forUsers: true }];
  readonly maintainers = new Set(["maintainer"]);
  /** Fields, mutations and inputs that this version lacks, "EnvironmentUpdateInput.fluxResourcePath". */
  readonly lacks = new Set<string>();
  /** Inputs of mutations, in order. */
  readonly writes: { readonly mutation: string; readonly user: string; readonly input: Input }[] = [];
  /** Introspections. */
  introspected = 0;
  /** Commits to branches other than the default one: text by branch. */
  readonly proposals = new Map<string, string>();
  /** Names the last change of the file. */
  lastCommit = 1;
  /** Called before a mutation is answered. */
  beforeWrite: (mutation: string) => void = () => undefined;
  /** Mutations that are done and not answered. */
  readonly silent = new Set<string>();
  /** By number of the environment. */
  readonly flux = new Map<number, string>();
  readonly #of: Changed;

  constructor(of: Changed) {
    this.#of = of;
  }

  /** @returns `undefined` when it is not about settings; "silent" when there is no answer */
  answer(query: string, username: string, variables: Input): object | "silent" | undefined {
    const operation = /^\s*(?:query|mutation)\s+(\w+)/.exec(query)?.[1];
    if (operation === "SettingsCapabilities") return this.#introspection();
    if (operation === "EnvironmentSettings") return this.#settings(query, username, variables);
    if (operation === "EditableFile") return this.#file(username);
    if (!query.trimStart().startsWith("mutation")) return undefined;
    // A variable of a mutation is its input.
    const input = variables["input"] as Input;
    const mutation = /result: (\w+)\(/.exec(query)?.[1] ?? "";
    this.beforeWrite(mutation);
    this.writes.push({ mutation, user: username, input });
    const answer = this.#write(mutation, username, input);
    return this.silent.has(mutation) ? "silent" : answer;
  }

  #introspection(): object {
    this.introspected += 1;
    const names = (type: string, ...all: string[]) => all.filter((name) => !this.lacks.has(`${type}.${name}`)).map((name) => ({ name }));
    const inputs = ["clusterAgentId", "kubernetesNamespace", "fluxResourcePath"];
    const data = {
      environment: {
        fields: names("Environment", "clusterAgent", "kubernetesNamespace", "fluxResourcePath", "autoStopAt", "userPermissions"),
      },
      project: { fields: names("Project", "userAccessAuthorizedAgents", "ciAccessAuthorizedAgents") },
      update: { inputFields: names("EnvironmentUpdateInput", "id", ...inputs) },
      create: { inputFields: names("EnvironmentCreateInput", "name", ...inputs) },
      action: { inputFields: names("CommitAction", "action", "content", "filePath", "lastCommitId") },
      mutation: {
        fields: names("Mutation", "environmentUpdate", "environmentCreate", "environmentStop", "environmentDelete", "commitCreate"),
      },
    };
    return { data };
  }

  #settings(query: string, username: string, { project: fullPath, environment: name }: Input): object {
    const isMaintainer = this.maintainers.has(username);
    const found = this.#of.environments.find((each) => each.name === name);
    const agents = (forUsers: boolean) => ({
      nodes: this.agents.filter((each) => each.forUsers === forUsers).map((each) => ({ agent: this.#agent(each) })),
      pageInfo: { hasNextPage: false, endCursor: null },
    });
    const environment = found && {
      id: `gid://gitlab/Environment/${found.id}`,
      name: found.name,
      state: found.state ?? "available",
      kubernetesNamespace: found.namespace,
      fluxResourcePath: this.flux.get(found.id) ?? null,
      autoStopAt: null,
      clusterAgent: found.agentId === 0 ? null : this.#agent(this.#agentOf(found.agentId)),
      userPermissions: { updateEnvironment: isMaintainer, stopEnvironment: isMaintainer, destroyEnvironment: isMaintainer },
    };
    const project = {
      fullPath: "group/app",
      userPermissions: { pushCode: !this.#of.withoutCode.has(username), createDeployment: isMaintainer },
      ...(query.includes("userAccessAuthorizedAgents") && { userAccessAuthorizedAgents: agents(true) }),
      ...(query.includes("ciAccessAuthorizedAgents") && { ciAccessAuthorizedAgents: agents(false) }),
      environment: environment ?? null,
    };
    const currentUser = { id: "gid://gitlab/User/1", username, name: username };
    return { data: { currentUser, project: fullPath === "group/app" ? project : null } };
  }

  #agentOf(id: number): StandInAgent {
    return this.agents.find((each) => each.id === id) ?? { id, name: "demo", project: "", forUsers: false };
  }

  #agent({ id, name, project }: StandInAgent): object {
    return { id: `gid://gitlab/Clusters::Agent/${id}`, name, project: project === "" ? null : { name: "app", fullPath: project } };
  }

  #file(username: string): object {
    const { teamFile: text, withoutCode } = this.#of;
    const path = ".gitlab/binnacle.yaml";
    const nodes = text === undefined ? [] : [{ path, size: String(Buffer.byteLength(text)), rawTextBlob: text }];
    const tree = text === undefined ? null : { lastCommit: { sha: String(this.lastCommit) } };
    return { data: { project: { repository: withoutCode.has(username) ? null : { rootRef: "main", blobs: { nodes }, tree } } } };
  }

  #write(mutation: string, username: string, input: Input): object {
    const isMaintainer = this.maintainers.has(username);
    if (mutation === "commitCreate") return this.#commit(isMaintainer, input);
    if (!isMaintainer) return { data: { result: null }, errors: [{ message: NO_PERMISSION, path: ["result"] }] };
    const of = this.#of;
    const id = Number(/\d+$/.exec(String(input["id"]))?.[0]);
    const found = of.environments.find((each) => each.id === id);
    const change = {
      ...("clusterAgentId" in input && { agentId: Number(/\d+$/.exec(String(input["clusterAgentId"]))?.[0] ?? 0) }),
      ...("kubernetesNamespace" in input && { namespace: textOf(input["kubernetesNamespace"]) }),
    };
    if ("fluxResourcePath" in input) this.flux.set(id, textOf(input["fluxResourcePath"]));
    const put = (environment: StandInEnvironment): void => {
      of.environments = [...of.environments.filter((each) => each.id !== environment.id), environment];
    };
    if (mutation === "environmentCreate")
      put({
        id: Math.max(0, ...of.environments.map((each) => each.id)) + 1,
        name: String(input["name"]),
        namespace: "",
        agentId: 0,
        ...change,
      });
    else if (found === undefined) return { data: { result: null }, errors: [{ message: NO_PERMISSION, path: ["result"] }] };
    else if (mutation === "environmentDelete") of.environments = of.environments.filter((each) => each.id !== id);
    else put({ ...found, ...change, ...(mutation === "environmentStop" && { state: "stopped" }) });
    return { data: { result: { errors: [] } } };
  }

  #commit(isMaintainer: boolean, input: Input): object {
    const refused = (error: string): object => ({ data: { result: { commit: null, errors: [error] } } });
    // The dashboard commits one file at a time.
    const [action] = input["actions"] as [Input];
    if (input["branch"] === "main" && !isMaintainer) return refused("You are not allowed to push into this branch");
    if (action["lastCommitId"] !== undefined && action["lastCommitId"] !== String(this.lastCommit))
      return refused("You are attempting to update a file that has changed since you started editing it.");
    if (action["action"] === "CREATE" && this.#of.teamFile !== undefined) return refused("A file with this name already exists");
    if (input["branch"] === "main") {
      this.#of.teamFile = String(action["content"]);
      this.lastCommit += 1;
    } else this.proposals.set(String(input["branch"]), String(action["content"]));
    return { data: { result: { commit: { webUrl: "http://app.localhost:8080/group/app/-/commit/1" }, errors: [] } } };
  }
}

/** null takes a value away. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
