import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ProjectsPage } from "../src/features/projects/projects-page.tsx";

export const metadata: Metadata = { title: "Projects" };

/** Projects of the viewer; with only one it leads straight to that one. */
export default function Page(): ReactNode {
  return <ProjectsPage />;
}
