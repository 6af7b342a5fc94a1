import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { createHttpsTransport } from "./https-transport.ts";
import { describeKubeTransport } from "./kube-transport.conformance.ts";

describeKubeTransport("straight to a server", async (serve, clock) => {
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const transport = createHttpsTransport({ baseUrl: `http://127.0.0.1:${port}`, clock });
  const leave = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  return { transport, leave, close: () => (transport.close(), leave()) };
});
