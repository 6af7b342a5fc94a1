import type { Metadata } from "next";
import type { ReactNode } from "react";
import { parseProjectRoute } from "../../../src/features/address/route-path.ts";
import { LazyAgentPage, LazyAgentsPage } from "../../../src/features/agents/lazy-agents-pages.tsx";
import { documentCalls } from "../../../src/first-html/document-calls.ts";
import { terminalTitle } from "../../../src/features/address/terminal-title.ts";
import { parseUrlState } from "../../../src/features/address/url-state.ts";
import { LazySettingsPage } from "../../../src/features/settings/lazy-settings-page.tsx";
import { environmentDocument, withQuery } from "../../../src/first-html/environment-document.tsx";
import { indexDocument } from "../../../src/first-html/index-document.tsx";
import { projectsDocument } from "../../../src/first-html/projects-document.tsx";
import { t } from "../../../src/ui/messages.ts";

interface Props {
  readonly params: Promise<{ readonly path: string[] }>;
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** Title: the environment's name, behind that of a pod whose terminal fills the page; or "Environments". */
export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const route = parseProjectRoute((await params).path);
  if (route.kind === "place") return { title: t("projects/projects-in", { path: route.path }) };
  if (route.kind === "index") return { title: t("frame/environments-of", { projectPath: route.projectPath }) };
  if (route.kind === "new-environment") return { title: t("settings/new") };
  if (route.kind === "settings") return { title: t("settings/title", { environment: route.environment }) };
  if (route.kind === "agents") return { title: t("agents/agents-of", { project: route.projectPath }) };
  if (route.kind === "agent") return { title: t("agents/agent-of", { agent: route.agent, project: route.projectPath }) };
  const terminal = terminalTitle(parseUrlState(new URLSearchParams(withQuery("", await searchParams))));
  return { title: `${terminal}${t("frame/environment", { environment: route.environment, project: route.projectPath })}` };
}

/**
 * `/p/{group…}`, `/p/{project…}`, which leads on, `/p/{project…}/environments`, `/p/{project…}/environments/{env}`, its `/-/settings`,
 * `/p/{project…}/environments/-/new` and `/p/{project…}/-/agents[/{agent}]`.
 */
export default async function Page({ params, searchParams }: Props): Promise<ReactNode> {
  const route = parseProjectRoute((await params).path);
  // A form is of no use without a script, and what it shows must be read when it is opened.
  if (route.kind === "settings" || route.kind === "new-environment") {
    const environment = route.kind === "settings" ? route.environment : "";
    return <LazySettingsPage key={`${route.projectPath}\n${environment}`} projectPath={route.projectPath} environment={environment} />;
  }
  if (route.kind === "agents") return <LazyAgentsPage key={route.projectPath} projectPath={route.projectPath} />;
  if (route.kind === "agent")
    return <LazyAgentPage key={`${route.projectPath} ${route.agent}`} projectPath={route.projectPath} name={route.agent} />;
  const calls = await documentCalls();
  // Nothing here stands below a `Suspense`, nor may it: what does may be sent as something that only a script makes visible.
  if (route.kind === "place") return projectsDocument(route.path, calls);
  return route.kind === "index"
    ? indexDocument(route.projectPath, calls)
    : environmentDocument({ ...route, query: await searchParams }, calls);
}
