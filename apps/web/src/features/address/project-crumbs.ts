import { indexPath, placePath } from "./route-path.ts";

/** A step of the way to a page; the words of its link. */
interface Step {
  readonly text: string;
  readonly href: string;
  readonly isName: true;
}

/** The way to a project: its groups lead to the projects in them, itself to its environments. */
export function projectCrumbs(projectPath: string): readonly Step[] {
  const segments = projectPath.split("/");
  return segments.map((text, index) => {
    const path = segments.slice(0, index + 1).join("/");
    return { text, href: index === segments.length - 1 ? indexPath(projectPath) : placePath(path), isName: true };
  });
}
