import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Suspense, type ReactNode } from "react";
import { EnvironmentPage } from "../../../src/features/environment/environment-page.tsx";
import { EnvironmentsPage } from "../../../src/features/environments/environments-page.tsx";
import { parseProjectRoute } from "../../../src/features/environments/route-path.ts";

interface Props {
  readonly params: Promise<{ readonly path: string[] }>;
}

/** Title: the environment's name, or "Environments". */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const route = parseProjectRoute((await params).path);
  if (route === undefined) return {};
  return { title: route.kind === "index" ? `Environments of ${route.projectPath}` : `${route.environment}, ${route.projectPath}` };
}

/** `/p/{project…}/environments` and `/p/{project…}/environments/{env}`. */
export default async function Page({ params }: Props): Promise<ReactNode> {
  const route = parseProjectRoute((await params).path);
  if (route === undefined) notFound();
  return (
    <Suspense>
      {route.kind === "index" ? (
        <EnvironmentsPage key={route.projectPath} projectPath={route.projectPath} />
      ) : (
        <EnvironmentPage
          key={`${route.projectPath}\n${route.environment}`}
          projectPath={route.projectPath}
          environment={route.environment}
        />
      )}
    </Suspense>
  );
}
