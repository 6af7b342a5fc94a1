import { request } from "node:http";
import type { Duplex } from "node:stream";

import { authorityOf, proxyRefusal, type OutgoingProxy, type ProxyTarget } from "@binnacle/rpc/outgoing-proxy";

/**
 * Requests a tunnel from the proxy over a connection to it.
 *
 * @param target its name is resolved by the proxy
 * @returns the same connection, which leads to the target from now on
 * @throws Error with a sentence that names the proxy, without its credentials
 */
export function openProxyTunnel(socket: Duplex, proxy: OutgoingProxy, target: ProxyTarget): Promise<Duplex> {
  const authority = authorityOf(target);
  return new Promise((resolve, reject) => {
    const connect = request({
      method: "CONNECT",
      path: authority,
      headers: { host: authority, ...(proxy.authorization === undefined ? {} : { "proxy-authorization": proxy.authorization }) },
      createConnection: () => socket,
    });
    connect.once("error", () =>
      reject(new Error(`the proxy ${proxy.name} closed the connection without an answer to CONNECT ${authority}`)),
    );
    connect.once("connect", (response, tunnel, head) => {
      // Any status ends here; there is no "response" to CONNECT.
      const status = response.statusCode ?? 0;
      if (status < 200 || status > 299) {
        tunnel.destroy();
        return reject(new Error(proxyRefusal(proxy, authority, status)));
      }
      if (head.length > 0) tunnel.unshift(head);
      resolve(tunnel);
    });
    connect.end();
  });
}
