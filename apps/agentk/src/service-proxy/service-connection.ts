import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

import type { Clock } from "@binnacle/rpc";

import { readBeforeWriteErrors } from "../cluster-access/read-before-write-errors.ts";
import type { Endpoint, ResolvedService } from "./service-endpoints.ts";
import { ServiceRefusal } from "./service-refusal.ts";

/** How long one endpoint may take to accept, TLS included. */
const CONNECT_MS = 5_000;
/** Endpoints that are tried: others may have gone since they were read. */
const MAX_ENDPOINTS = 3;

/** How a service is connected to. */
export interface ServiceDial {
  readonly scheme: string;
  /** PEM; empty: the system's authorities. */
  readonly ca: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** A connection, and to whom. */
export interface ServiceConnection {
  readonly socket: Socket;
  readonly endpoint: Endpoint;
}

/**
 * Connects to one of the addresses that were checked. No name is resolved after the check, so that no other address can take their place; the
 * connection carries one request and is closed after it.
 *
 * @throws ServiceRefusal `service_unreachable`
 */
export async function connectToService(service: ResolvedService, dial: ServiceDial): Promise<ServiceConnection> {
  let last: unknown;
  for (const endpoint of service.endpoints.slice(0, MAX_ENDPOINTS)) {
    try {
      return { socket: readBeforeWriteErrors(await open(endpoint, service, dial)), endpoint };
    } catch (error) {
      last = error;
      if (dial.signal.aborted) break;
    }
  }
  const code = last instanceof Error && "code" in last && typeof last.code === "string" ? last.code : "no answer";
  throw new ServiceRefusal("service_unreachable", `service ${service.namespace}/${service.service} cannot be connected to (${code})`, {
    cause: last,
  });
}

function open({ address, port }: Endpoint, { service, namespace }: ResolvedService, dial: ServiceDial): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const { scheme, ca, signal, clock } = dial;
    const isTls = scheme === "https";
    const tls = { servername: `${service}.${namespace}.svc`, ALPNProtocols: ["http/1.1"], ...(ca === "" ? {} : { ca }) };
    const socket = isTls ? connectTls({ host: address, port, ...tls }) : connect({ host: address, port });
    const settle = (end: () => void): void => {
      cancel();
      signal.removeEventListener("abort", giveUp);
      socket.off("error", fail);
      end();
    };
    const fail = (error: Error): void => {
      // Later errors of the socket have no listener.
      socket.on("error", () => {});
      settle(() => reject(error));
      socket.destroy();
    };
    const giveUp = (): void => fail(new Error("given up"));
    const cancel = clock.after(CONNECT_MS, () => fail(Object.assign(new Error("timed out"), { code: "ETIMEDOUT" })));
    socket.once("error", fail);
    signal.addEventListener("abort", giveUp, { once: true });
    socket.once(isTls ? "secureConnect" : "connect", () => settle(() => resolve(socket)));
    if (signal.aborted) giveUp();
  });
}
