/** What a path below `/p/` names. */
export type ProjectRoute =
  | { readonly kind: "index"; readonly projectPath: string }
  | { readonly kind: "environment"; readonly projectPath: string; readonly environment: string }
  /** No more than a path: a project, or a group of them. */
  | { readonly kind: "place"; readonly path: string };

const MARKER = "environments";

/**
 * Reads the segments after `/p/`. Project paths have slashes, so the word "environments" divides them from the name of the environment,
 * which is one encoded segment in our own links; a name typed with bare slashes is understood too.
 *
 * @param segments still percent-encoded, as Next hands them over
 */
export function parseProjectRoute(segments: readonly string[]): ProjectRoute {
  const plain = segments.map(decode);
  const last = plain.length - 1;
  if (plain[last - 1] === MARKER && last >= 2) return environmentAt(plain, last - 1);
  if (plain[last] === MARKER && last >= 1) return { kind: "index", projectPath: plain.slice(0, last).join("/") };
  const marker = plain.indexOf(MARKER, 1);
  return marker > 0 ? environmentAt(plain, marker) : { kind: "place", path: plain.join("/") };
}

/** Address of a group's projects. */
export function placePath(path: string): string {
  return `/p/${encodePath(path)}`;
}

/** A path out of its segments, still percent-encoded. */
export function decodePath(segments: readonly string[]): string {
  return segments.map(decode).join("/");
}

/** Address of the overview of a group, or of all projects for an empty path. */
export function overviewPath(group: string): string {
  return group === "" ? "/" : `/g/${encodePath(group)}`;
}

/** Address of a project's environments. */
export function indexPath(projectPath: string): string {
  return `/p/${encodePath(projectPath)}/${MARKER}`;
}

/** Address of an environment. */
export function environmentPath(projectPath: string, environment: string): string {
  return `${indexPath(projectPath)}/${encodeURIComponent(environment)}`;
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
