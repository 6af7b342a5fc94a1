import type { ServerHttp2Session } from "node:http2";

const draining = new WeakMap<ServerHttp2Session, AbortController>();

/** Aborts once the session was told to go away: long answers on it end normally, so that their client asks again on the next one. */
export function drainingOf(session: ServerHttp2Session): AbortSignal {
  return controllerOf(session).signal;
}

/** The session was told to go away. */
export function beginDraining(session: ServerHttp2Session): void {
  controllerOf(session).abort();
}

function controllerOf(session: ServerHttp2Session): AbortController {
  const known = draining.get(session);
  if (known) return known;
  const controller = new AbortController();
  draining.set(session, controller);
  return controller;
}
