import { parseArgs, type ParseArgsConfig } from "node:util";

/** Flags of `npm start`. */
export interface Flags {
  /** A foreign cluster's kubeconfig; then no world is made. */
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** Namespaces of a foreign cluster that become environments; empty: all but `kube-*`. */
  readonly namespaces: readonly string[];
  readonly cluster: "embedded" | "real";
  /** Writes the API server's audit log. */
  readonly audit: boolean;
  /** So many more developers, `colleague-1` and so on. */
  readonly colleagues: number;
  /** Names of further environments that the first agent deploys, each from a project of its own. */
  readonly manifestProjects: readonly string[];
  /** Agents of the demo; the second one is of a deployment project. */
  readonly agents: number;
  /** Level of `features.actions` of the dashboard. */
  readonly actions: "off" | "safe" | "all";
  /** `features.terminal` of the dashboard. */
  readonly terminal: boolean;
  readonly redis: string | undefined;
  /** Number of kas instances. */
  readonly kas: number;
  /** Port of the dashboard; 0 is any free one. */
  readonly port: number;
  readonly dir: string;
  /** Starts a real Prometheus in front of made-up figures, behind the first agent. */
  readonly prometheus: boolean;
  /** No main application and no Git: the organization stands in a file. */
  readonly standalone: boolean;
  readonly open: boolean;
  readonly tls: boolean;
  /** Use app.localhost and kas.app.localhost instead of 127.0.0.1. */
  readonly hostNames: boolean;
  /** Delay before a died process is started again; `undefined` leaves it dead. */
  readonly restartMs: number | undefined;
  readonly help: boolean;
}

/** Flags, or every problem of the command line at once. */
export type FlagsResult =
  { readonly kind: "flags"; readonly flags: Flags } | { readonly kind: "problems"; readonly problems: readonly string[] };

/** Text of `--help`. */
export const USAGE = `npm start -- [flags]

Runs kas, agentk and the dashboard with a main application, a Git store and a cluster around them, on this machine only.

  --port N                 port of the dashboard (default 3000; 0: any free one)
  --cluster embedded|real  the small built-in cluster (default), or a real control plane from KUBEBUILDER_ASSETS
  --kubeconfig FILE        serve that cluster instead; it is only read, except for actions of users
    --context NAME         which of its contexts
    --namespace a,b        which namespaces become environments (default: all but kube-*)
  --actions off|safe|all   what viewers can do to resources (default all; off with --kubeconfig, where all act with its rights)
  --standalone             without GitLab: users, projects and agents stand in organization.yaml of --dir, and nothing is deployed from Git
  --terminal               shells in containers, with --kubeconfig (where all act with its rights); the demo has them
  --audit                  keep a log of every request to the cluster (not with --kubeconfig)
  --colleagues N           so many more developers, colleague-1 and so on, 0 to 99 (default 0)
  --manifest-projects a,b  environments a and b, which the first agent deploys from the empty projects group/a and group/b (not with --kubeconfig)
  --agents 1|2             agents of the demo (default 2: the second one of a deployment project); 1 with --kubeconfig
  --kas N                  number of kas instances, 1 to 9 (default 1; more need Redis)
  --redis URL              shared Redis, redis://host:port
  --prometheus             a real Prometheus behind the first agent, in front of made-up figures of the pods (not with --kubeconfig)
  --host-names             app.localhost and kas.app.localhost instead of 127.0.0.1
  --tls                    https for dashboard and main application too; implies --host-names
  --restart SECONDS|never  when a died process is started again (default 5)
  --dir DIR                where files are kept (default .sandbox)
  --no-open                do not open a browser
  --help                   this text
`;

const SWITCHES = ["open", "no-open", "tls", "host-names", "audit", "prometheus", "standalone", "terminal", "help"];
const VALUES = [
  "actions",
  "manifest-projects",
  "kubeconfig",
  "context",
  "namespace",
  "cluster",
  "redis",
  "colleagues",
  "agents",
  "kas",
  "port",
  "dir",
  "restart",
];
const OPTIONS: NonNullable<ParseArgsConfig["options"]> = Object.fromEntries([
  ...SWITCHES.map((name) => [name, { type: "boolean" }] as const),
  ...VALUES.map((name) => [name, { type: "string" }] as const),
]);

const MAX_AGENTS = 2;
const NAMESPACE = /^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/;

/** Reads the command line. Nothing but the text is looked at: files and ports are checked where they are used. */
export function parseFlags(argv: readonly string[]): FlagsResult {
  const problems: string[] = [];
  const given = collect(argv, problems);
  const number = (name: string, range: { least: number; most: number; otherwise: number }): number => {
    const text = given.get(name);
    if (text === undefined) return range.otherwise;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= range.least && value <= range.most) return value;
    problems.push(`--${name} ${text}: expected a whole number from ${range.least} to ${range.most}`);
    return range.otherwise;
  };
  const cluster = given.get("cluster") ?? "embedded";
  if (cluster !== "embedded" && cluster !== "real") problems.push(`--cluster ${cluster}: expected "embedded" or "real"`);
  const kubeconfig = given.get("kubeconfig");
  if (kubeconfig === undefined) {
    for (const name of ["context", "namespace"]) if (given.has(name)) problems.push(`--${name} needs --kubeconfig`);
  } else if (cluster === "real") problems.push("--kubeconfig and --cluster real exclude each other");
  if (kubeconfig !== undefined && given.has("audit")) problems.push("--audit needs a cluster of the sandbox, not --kubeconfig");
  if (kubeconfig !== undefined && given.has("prometheus")) problems.push("--prometheus needs a cluster of the sandbox, not --kubeconfig");
  const standalone = given.has("standalone");
  for (const name of ["kubeconfig", "manifest-projects", "prometheus", "kas", "redis"])
    if (standalone && given.has(name)) problems.push(`--standalone and --${name} exclude each other`);
  if (standalone && given.get("agents") === "2") problems.push("--standalone has one agent");
  const agents = number("agents", { least: 1, most: MAX_AGENTS, otherwise: kubeconfig === undefined && !standalone ? MAX_AGENTS : 1 });
  if (kubeconfig !== undefined && agents > 1) problems.push(`--agents ${agents} needs a cluster of the sandbox, not --kubeconfig`);
  const manifestProjects = (given.get("manifest-projects") ?? "").split(",").filter((name) => name !== "");
  for (const name of manifestProjects)
    if (!NAMESPACE.test(name)) problems.push(`--manifest-projects ${name}: expected names of namespaces, of at most 40 characters`);
  if (new Set(manifestProjects).size < manifestProjects.length) problems.push("--manifest-projects names one of them twice");
  if (kubeconfig !== undefined && manifestProjects.length > 0)
    problems.push("--manifest-projects needs a cluster of the sandbox, not --kubeconfig");
  const actions = given.get("actions") ?? (kubeconfig === undefined ? "all" : "off");
  if (!isLevel(actions)) problems.push(`--actions ${actions}: expected "off", "safe" or "all"`);
  const redis = given.get("redis");
  if (redis !== undefined && !isRedisUrl(redis)) problems.push(`--redis ${redis}: expected redis://host:port`);
  const flags: Flags = {
    kubeconfig,
    context: given.get("context"),
    namespaces: (given.get("namespace") ?? "").split(",").filter((name) => name !== ""),
    cluster: cluster === "real" ? "real" : "embedded",
    audit: given.has("audit"),
    colleagues: number("colleagues", { least: 0, most: 99, otherwise: 0 }),
    manifestProjects,
    agents,
    actions: isLevel(actions) ? actions : "off",
    terminal: kubeconfig === undefined || given.has("terminal"),
    redis,
    kas: number("kas", { least: 1, most: 9, otherwise: 1 }),
    port: number("port", { least: 0, most: 65_535, otherwise: 3000 }),
    dir: given.get("dir") ?? ".sandbox",
    prometheus: given.has("prometheus"),
    standalone,
    open: !given.has("no-open"),
    tls: given.has("tls"),
    hostNames: given.has("host-names") || given.has("tls"),
    restartMs: given.get("restart") === "never" ? undefined : number("restart", { least: 0, most: 3600, otherwise: 5 }) * 1000,
    help: given.has("help"),
  };
  return problems.length > 0 && !flags.help ? { kind: "problems", problems } : { kind: "flags", flags };
}

/** Name → text of every flag; a switch has the text "". Both `--name value` and `--name=value` are understood. */
function collect(argv: readonly string[], problems: string[]): Map<string, string> {
  const given = new Map<string, string>();
  // Not strict: parseArgs would stop at the first problem.
  for (const token of parseArgs({ args: [...argv], options: OPTIONS, strict: false, tokens: true }).tokens) {
    const option = token.kind === "option" ? OPTIONS[token.name] : undefined;
    if (token.kind !== "option" || option === undefined) problems.push(`${argv[token.index]}: no such flag (--help lists them)`);
    else if (given.has(token.name)) problems.push(`--${token.name} is given twice`);
    else if (option.type === "boolean") {
      if (token.value !== undefined) problems.push(`--${token.name} takes no value`);
      given.set(token.name, "");
    } else if (token.value === undefined || token.value === "" || token.value.startsWith("--"))
      problems.push(`--${token.name} needs a value`);
    else given.set(token.name, token.value);
  }
  return given;
}

function isRedisUrl(text: string): boolean {
  return URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol) && new URL(text).hostname !== "";
}

function isLevel(text: string): text is Flags["actions"] {
  return text === "off" || text === "safe" || text === "all";
}
