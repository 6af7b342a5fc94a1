import type { Application } from "./application.ts";
import { bearerOf, jsonReply, type HttpReply, type HttpRequest } from "./http-exchange.ts";
import { signedInUser } from "./signed-in-user.ts";
import type { User } from "./world.ts";

const PATH = /^\/api\/v4\/projects\/(.+)\/repository\/compare$/;

/**
 * `GET /api/v4/projects/:id/repository/compare?from=&to=`, as the user of the token (`Authorization: Bearer` or `PRIVATE-TOKEN`) or of the session:
 * the commits that `to` has and `from` lacks, without the differences of files.
 *
 * @see docs.gitlab.com, "Repositories API", "Compare branches, tags, or commits"
 * @returns `undefined` when the path is another
 */
export async function compareApi(app: Application, request: HttpRequest): Promise<HttpReply | undefined> {
  const [, id] = PATH.exec(request.path) ?? [];
  if (id === undefined || request.method !== "GET") return undefined;
  const user = userOf(app, request);
  if (!user) return jsonReply(401, { message: "401 Unauthorized" });
  const project = /^\d+$/.test(id) ? app.world.project(Number(id)) : app.world.projectByPath(id);
  const role = project?.members.get(user.id);
  if (!project || role === undefined) return jsonReply(404, { message: "404 Project Not Found" });
  if (role === "guest") return jsonReply(403, { message: "403 Forbidden" });
  const [from, to] = [request.query.get("from") ?? "", request.query.get("to") ?? ""];
  const found = await app.compareCommits(project.fullPath, { from, to });
  if (found === undefined) return jsonReply(404, { message: "404 Ref Not Found" });
  const commits = found.map(({ sha, title, authorName, committedAt }) => ({
    id: sha,
    short_id: sha.slice(0, 8),
    title,
    author_name: authorName,
    committed_date: committedAt,
    web_url: `${app.externalUrl}/${project.fullPath}/-/commit/${sha}`,
  }));
  return jsonReply(200, { commit: commits.at(-1) ?? null, commits, compare_timeout: false, compare_same_ref: from === to });
}

function userOf(app: Application, request: HttpRequest): User | undefined {
  const token = bearerOf(request) ?? request.headers.get("private-token");
  if (token !== undefined) return app.world.userByToken(token);
  // Of a GET no CSRF token is wanted.
  return signedInUser(app, app.sessions.find(request.cookies.get("_gitlab_session")));
}
