import type { Server } from "node:http";
import type { Duplex } from "node:stream";

import type { Upgrade } from "./upgrade.ts";

/** Connections above this number are not upgraded. */
const MAX_SOCKETS = 1024;

/**
 * Hands a server's upgrade requests to `handle` and keeps their connections, which the server itself forgets.
 *
 * @param handle never rejects
 * @returns ends the connections that are open
 */
export function handleUpgrades(server: Server, handle: (upgrade: Upgrade) => Promise<void>): () => void {
  const sockets = new Set<Duplex>();
  server.on("upgrade", (request, socket: Duplex, head) => {
    if (sockets.size >= MAX_SOCKETS) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    // What follows an error is the close.
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
    void handle({ request, socket, head });
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
