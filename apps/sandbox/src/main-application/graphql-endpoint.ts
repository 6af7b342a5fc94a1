import { buildSchema, graphql } from "graphql";

import type { Application } from "./application.ts";
import { GRAPHQL_SCHEMA } from "./graphql-schema.ts";
import { graphqlRoot } from "./graphql-root.ts";
import { bearerOf, jsonBodyOf, jsonReply, type HttpReply, type HttpRequest } from "./http-exchange.ts";
import { signedInUser } from "./signed-in-user.ts";
import type { User } from "./world.ts";

const schema = buildSchema(GRAPHQL_SCHEMA);

/** `POST /api/graphql`, as the user of the token (`Authorization: Bearer`) or of the session (cookie and `X-CSRF-Token`); 401 otherwise. */
export async function graphqlEndpoint(app: Application, request: HttpRequest): Promise<HttpReply> {
  if (request.method !== "POST") return { ...jsonReply(405, { message: "405 Method Not Allowed" }), headers: { allow: "POST" } };
  const user = userOf(app, request);
  if (!user) return jsonReply(401, { errors: [{ message: "Invalid token" }] });
  const body = jsonBodyOf(request);
  const query = stringField(body, "query");
  if (query === undefined) return jsonReply(400, { errors: [{ message: "The query is missing" }] });
  const operationName = stringField(body, "operationName");
  const result = await graphql({
    schema,
    source: query,
    rootValue: graphqlRoot(app, user),
    variableValues: variablesOf(body),
    ...(operationName === undefined ? {} : { operationName }),
  });
  for (const error of result.errors ?? []) app.log.warn({ error: error.message, path: error.path?.join(".") }, "a query had an error");
  return jsonReply(200, result);
}

function userOf(app: Application, request: HttpRequest): User | undefined {
  if (request.headers.has("authorization")) return app.world.userByToken(bearerOf(request) ?? "");
  const session = app.sessions.find(request.cookies.get("_gitlab_session"));
  if (!session || !app.sessions.isCsrfToken(session, request.headers.get("x-csrf-token"))) return undefined;
  return signedInUser(app, session);
}

function stringField(body: unknown, name: string): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const value: unknown = Reflect.get(body, name);
  return typeof value === "string" ? value : undefined;
}

function variablesOf(body: unknown): Record<string, unknown> {
  const variables: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "variables") : undefined;
  // A JSON object: graphql-js checks every variable against the query's types.
  return typeof variables === "object" && variables !== null ? (variables as Record<string, unknown>) : {};
}
