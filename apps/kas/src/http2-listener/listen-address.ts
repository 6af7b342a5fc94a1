import type { AddressInfo, Server } from "node:net";

/** Where to listen: an IP address or host name with a port (0: any free one), or a Unix socket. */
export type ListenAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/**
 * Binds a server.
 *
 * @returns what is really bound: "host:port" (IPv6 in brackets) or the path
 * @throws Error that names the listener and its address
 */
export function bindServer(server: Server, name: string, address: ListenAddress): Promise<string> {
  return new Promise((resolve, reject) => {
    const onError = (cause: Error): void => {
      const where = "path" in address ? address.path : `${address.host}:${address.port}`;
      reject(new Error(`${name} listener cannot listen on ${where}: ${cause.message}`, { cause }));
    };
    server.once("error", onError);
    server.listen({ ...address }, () => {
      server.off("error", onError);
      resolve(textOf(server.address()));
    });
  });
}

function textOf(bound: AddressInfo | string | null): string {
  if (typeof bound === "string") return bound;
  if (!bound) return "";
  return bound.family === "IPv6" ? `[${bound.address}]:${bound.port}` : `${bound.address}:${bound.port}`;
}
