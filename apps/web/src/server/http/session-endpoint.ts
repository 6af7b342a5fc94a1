import type { IncomingMessage, ServerResponse } from "node:http";

import { fetchHeadersOf } from "../base/fetch-headers.ts";

/** The longest token and a return address are below this. */
export const MOST_SESSION_BODY_BYTES = 12 * 1_024;

/** What a request became: a fetch request for the backend-for-frontend. */
export interface SessionCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  /** Origin that browsers call us by. */
  readonly origin: string;
}

/** Answers a request below `/api/session` whose body has been read. */
export async function answerSession(call: SessionCall, session: (request: Request) => Promise<Response>): Promise<void> {
  const { response } = call;
  const left = new AbortController();
  response.once("close", () => left.abort());
  const answer = await session(toFetchRequest(call, left.signal));
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) if (name !== "set-cookie") response.setHeader(name, value);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("set-cookie", cookies);
  response.end(Buffer.from(await answer.arrayBuffer()));
}

function toFetchRequest({ request, body, origin }: SessionCall, signal: AbortSignal): Request {
  const method = request.method ?? "GET";
  // A GET has no body, whatever was sent with it; a copy, because the body of a Request wants an ArrayBuffer of its own.
  const content = method === "GET" || method === "HEAD" ? {} : { body: new Uint8Array(body) };
  return new Request(new URL(request.url ?? "/", origin), { method, headers: fetchHeadersOf(request), signal, ...content });
}
