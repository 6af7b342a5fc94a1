/** What a path below `/p/` names. */
export type ProjectRoute =
  | { readonly kind: "index"; readonly projectPath: string }
  | { readonly kind: "environment"; readonly projectPath: string; readonly environment: string }
  | { readonly kind: "settings"; readonly projectPath: string; readonly environment: string }
  | { readonly kind: "new-environment"; readonly projectPath: string }
  /** The agents of a project. */
  | { readonly kind: "agents"; readonly projectPath: string }
  | { readonly kind: "agent"; readonly projectPath: string; readonly agent: string }
  /** No more than a path: a project, or a group of them. */
  | { readonly kind: "place"; readonly path: string };

const MARKER = "environments";
/** Divides the path of a project, or the name of an environment, from a page below it, as in GitLab; no part of a path is called so. */
const DIVIDER = "-";
const AGENTS = "agents";

/**
 * Reads the segments after `/p/`. Project paths have slashes, so the word "environments" divides them from the name of the environment,
 * which is one encoded segment in our own links; a name typed with bare slashes is understood too.
 *
 * @param segments still percent-encoded, as Next hands them over
 */
export function parseProjectRoute(segments: readonly string[]): ProjectRoute {
  const plain = segments.map(decode);
  const last = plain.length - 1;
  if (plain[last - 1] === DIVIDER) {
    const above = parseProjectRoute(segments.slice(0, -2));
    if (above.kind === "environment" && plain[last] === "settings") return { ...above, kind: "settings" };
    if (above.kind === "index" && plain[last] === "new") return { ...above, kind: "new-environment" };
  }
  const agents = agentsAt(plain);
  if (agents !== undefined) return agents;
  if (plain[last - 1] === MARKER && last >= 2) return environmentAt(plain, last - 1);
  if (plain[last] === MARKER && last >= 1) return { kind: "index", projectPath: plain.slice(0, last).join("/") };
  const marker = plain.indexOf(MARKER, 1);
  return marker > 0 ? environmentAt(plain, marker) : { kind: "place", path: plain.join("/") };
}

/** Address of a group's projects. */
export function placePath(path: string): string {
  return `/p/${encodePath(path)}`;
}

/** Address of a project's environments. */
export function indexPath(projectPath: string): string {
  return `/p/${encodePath(projectPath)}/${MARKER}`;
}

/** Address of an environment. */
export function environmentPath(projectPath: string, environment: string): string {
  return `${indexPath(projectPath)}/${encodeURIComponent(environment)}`;
}

/** Address of the settings of an environment. */
export function settingsPath(projectPath: string, environment: string): string {
  return `${environmentPath(projectPath, environment)}/${DIVIDER}/settings`;
}

/** Address of the page on which an environment is created. @param of what is chosen there already */
export function newEnvironmentPath(projectPath: string, of?: { readonly agent: string; readonly namespace: string }): string {
  const query = of && new URLSearchParams({ agent: of.agent, ...(of.namespace !== "" && { namespace: of.namespace }) }).toString();
  return `${indexPath(projectPath)}/${DIVIDER}/new${query === undefined ? "" : `?${query}`}`;
}

/** Address of a project's agents. */
export function agentsPath(projectPath: string): string {
  return `/p/${encodePath(projectPath)}/${DIVIDER}/${AGENTS}`;
}

/** Address of an agent. */
export function agentPath(projectPath: string, agent: string): string {
  return `${agentsPath(projectPath)}/${encodeURIComponent(agent)}`;
}

/** Environments may have a divider in their names: what is behind "environments" is one. */
function agentsAt(plain: readonly string[]): ProjectRoute | undefined {
  const divider = plain.indexOf(DIVIDER, 1);
  if (divider < 1 || plain[divider + 1] !== AGENTS || plain.slice(1, divider).includes(MARKER)) return undefined;
  const projectPath = plain.slice(0, divider).join("/");
  const [agent, ...more] = plain.slice(divider + 2);
  if (more.length > 0) return undefined;
  return agent === undefined || agent === "" ? { kind: "agents", projectPath } : { kind: "agent", projectPath, agent };
}

function environmentAt(plain: readonly string[], marker: number): ProjectRoute {
  return {
    kind: "environment",
    projectPath: plain.slice(0, marker).join("/"),
    environment: plain.slice(marker + 1).join("/"),
  };
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
