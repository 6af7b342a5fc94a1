import type { ServerHttp2Session } from "node:http2";

const draining = new WeakMap<ServerHttp2Session, AbortController>();

/** Aborts once GOAWAY was sent on the session: long answers on it end normally, so that their client repeats them on the next one. */
export function drainingOf(session: ServerHttp2Session): AbortSignal {
  return controllerOf(session).signal;
}

/** GOAWAY was sent on the session. */
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
