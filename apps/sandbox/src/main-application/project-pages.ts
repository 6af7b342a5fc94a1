import { isAgentVisible } from "./agent-access.ts";
import type { Application } from "./application.ts";
import { html, type Html } from "./html.ts";
import type { HttpReply } from "./http-exchange.ts";
import { kasCookie, pageReply } from "./page-layout.ts";
import type { Session } from "./sessions.ts";
import type { Environment, Project, User } from "./world.ts";

/** A signed-in viewer. */
export interface Viewer {
  readonly session: Session;
  readonly user: User;
}

/** `/`: the projects of the viewer. */
export function projectsPage(app: Application, viewer: Viewer): HttpReply {
  const projects = app.world.projects.filter((project) => project.members.has(viewer.user.id));
  const content = html`<main>
    <h1>Projects</h1>
    <ul>
      ${projects.map((project) => html`<li><a href="/${project.fullPath}">${project.fullPath}</a></li>`)}
    </ul>
  </main>`;
  return pageReply(app, { ...viewer, title: "Projects", content });
}

/**
 * The pages of a project: `/<path>`, `/<path>/-/environments` and `/<path>/-/environments/<number>[/edit|/k8s]`, `…/new`.
 *
 * @returns `undefined` when there is no such page, or the viewer may not know of it
 */
export function projectPage(app: Application, viewer: Viewer, path: string): HttpReply | undefined {
  const [projectPath = "", rest] = path.replace(/^\/|\/$/g, "").split("/-/");
  const project = app.world.projectByPath(projectPath);
  if (!project?.members.has(viewer.user.id)) return undefined;
  if (rest === undefined) return pageReply(app, { ...viewer, title: project.fullPath, content: projectContent(app, project) });
  const found = /^environments(?:\/(new|\d+)(?:\/(edit|k8s))?)?$/.exec(rest);
  if (!found) return undefined;
  const [, number, verb] = found;
  if (number === undefined) return pageReply(app, { ...viewer, title: "Environments", content: environmentsContent(app, project) });
  if (number === "new") return verb === undefined ? withKasCookie(app, viewer, settingsContent("New environment")) : undefined;
  const environment = app.world.environments.find((candidate) => candidate.id === Number(number) && candidate.projectId === project.id);
  if (!environment) return undefined;
  return withKasCookie(
    app,
    viewer,
    verb === "edit" ? settingsContent(`Edit ${environment.name}`) : environmentContent(app, { project, environment, user: viewer.user }),
  );
}

/** Address of an environment in the dashboard. */
export function dashboardUrlOf(dashboardUrl: string, project: Pick<Project, "fullPath">, environment: Pick<Environment, "name">): string {
  return `${dashboardUrl}/p/${project.fullPath}/environments/${encodeURIComponent(environment.name)}`;
}

/** The cookie for kas is set on the pages of one environment only, as GitLab does. */
function withKasCookie(app: Application, viewer: Viewer, { title, content }: { title: string; content: Html }): HttpReply {
  const reply = pageReply(app, { ...viewer, title, content });
  return { ...reply, headers: { ...reply.headers, "set-cookie": [kasCookie(app, app.sessions.kasCookie(viewer.session))] } };
}

function projectContent(app: Application, project: Project): Html {
  return html`<main>
    <h1>${project.fullPath}</h1>
    <ul>
      <li><a href="/${project.fullPath}/-/environments">Environments</a></li>
      <li><a href="${app.dashboardUrl}/p/${project.fullPath}/environments">Environments in the dashboard</a></li>
    </ul>
  </main>`;
}

function environmentsContent(app: Application, project: Project): Html {
  const rows = app.world.environments
    .filter((environment) => environment.projectId === project.id)
    .map(
      (environment) =>
        html`<tr>
          <td><a href="/${project.fullPath}/-/environments/${environment.id}">${environment.name}</a></td>
          <td>${environment.tier.toLowerCase()}</td>
          <td><a href="${dashboardUrlOf(app.dashboardUrl, project, environment)}">dashboard</a></td>
        </tr>`,
    );
  return html`<main>
    <h1>Environments of ${project.fullPath}</h1>
    <table>
      <thead>
        <tr>
          <th>Name</th>
          <th>Tier</th>
          <th>Live view</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </main>`;
}

function environmentContent(
  app: Application,
  { project, environment, user }: { readonly project: Project; readonly environment: Environment; readonly user: User },
): { title: string; content: Html } {
  const known = app.world.agent(environment.agentId);
  const agent = known && isAgentVisible(app.world, known, user) ? known : undefined;
  const content = html`<main>
    <h1>${environment.name}</h1>
    <table>
      <tbody>
        <tr>
          <th>Namespace</th>
          <td>${environment.namespace}</td>
        </tr>
        <tr>
          <th>Agent</th>
          <td>${agent?.name ?? "none"}</td>
        </tr>
        <tr>
          <th>Tier</th>
          <td>${environment.tier.toLowerCase()}</td>
        </tr>
      </tbody>
    </table>
    <p><a href="${dashboardUrlOf(app.dashboardUrl, project, environment)}">Open in the dashboard</a></p>
  </main>`;
  return { title: environment.name, content };
}

function settingsContent(title: string): { title: string; content: Html } {
  return {
    title,
    content: html`<main>
      <h1>${title}</h1>
      <p class="note">Environments are changed in the dashboard.</p>
    </main>`,
  };
}
