import type { Project } from "@binnacle/proto/dashboard";

/** What an address names that says no more than a path: a project of the viewer, a group with some, or nothing that he may see. */
export type Place =
  | { readonly kind: "project"; readonly fullPath: string }
  | { readonly kind: "group"; readonly projects: readonly Project[] }
  | { readonly kind: "nothing" };

/** Looks a path up among the viewer's projects; great and small letters are the same, as in the main application. */
export function placeOf(path: string, projects: readonly Project[]): Place {
  const wanted = path.toLowerCase();
  const project = projects.find(({ fullPath }) => fullPath.toLowerCase() === wanted);
  if (project !== undefined) return { kind: "project", fullPath: project.fullPath };
  const within = projects.filter(({ fullPath }) => fullPath.toLowerCase().startsWith(`${wanted}/`));
  return within.length === 0 ? { kind: "nothing" } : { kind: "group", projects: within };
}
