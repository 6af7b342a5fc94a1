import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

import { create } from "@bufbuild/protobuf";
import { ServiceOptionsSchema } from "@binnacle/proto/agent-options";
import { systemClock } from "@binnacle/rpc";
import { expect, test } from "vitest";

import { EndpointReader } from "./endpoint-reader.ts";
import { connectToService } from "./service-connection.ts";
import { ServiceEndpoints } from "./service-endpoints.ts";

/** All of 127/8 is this machine: one address stands for a pod's, the other for one that is refused. */
const [POD, REFUSED] = ["127.0.0.2", "127.0.0.3"] as const;
const ENTRY = create(ServiceOptionsSchema, { name: "a", namespace: "n", service: "s", port: "web", scheme: "http" });
const { signal } = new AbortController();

test("T36: the address that was checked is the one that is connected to, whatever the slices say a moment later", async () => {
  const server = createServer((socket) => void socket.end());
  server.listen(0, POD);
  await once(server, "listening");
  // The address of a listening TCP server is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  let [address, reads] = [POD as string, 0];
  const reader = new EndpointReader({
    async call() {
      reads += 1;
      const value = { items: [{ endpoints: [{ addresses: [address] }], ports: [{ name: "web", port }] }] };
      address = REFUSED;
      return { statusCode: 200, value };
    },
  });
  const forbidden = (text: string) => (text === REFUSED ? "loopback" : undefined);
  const endpoints = new ServiceEndpoints({ reader, apiServer: { keys: async () => new Set() }, named: new Map(), forbidden });
  const service = await endpoints.resolve(ENTRY, signal);
  const { socket, endpoint } = await connectToService(service, { scheme: "http", ca: "", signal, clock: systemClock });
  expect([socket.remoteAddress, endpoint, reads]).toEqual([POD, { address: POD, port }, 1]);
  // The next request reads anew.
  await expect(endpoints.resolve(ENTRY, signal)).rejects.toMatchObject({ reason: "service_address_refused" });
  socket.destroy();
  server.close();
  await once(server, "close");
});
