import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

import { systemClock } from "@binnacle/rpc";
import { selfSigned } from "@binnacle/testing";
import { expect, test } from "vitest";

import { connectToService } from "./service-connection.ts";

const own = selfSigned(["DNS:api.shop.svc"]);
const other = selfSigned(["DNS:other.shop.svc"]);

test.each([
  { what: "its own name and an authority that the entry has", shown: own, ca: own.certificate, why: "connected" },
  { what: "the name of another service", shown: other, ca: other.certificate, why: "ERR_TLS_CERT_ALTNAME_INVALID" },
  { what: "an authority that the entry does not have", shown: own, ca: other.certificate, why: "DEPTH_ZERO_SELF_SIGNED_CERT" },
  { what: "an authority that the system does not have", shown: own, ca: "", why: "DEPTH_ZERO_SELF_SIGNED_CERT" },
])("T26, T36: a service that shows $what is connected to by its own name and authority alone", async ({ shown, ca, why }) => {
  const server = createServer({ cert: shown.certificate, key: shown.key });
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a listening TCP server is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const service = { namespace: "shop", service: "api", port: "443", endpoints: [{ address: "127.0.0.1", port }] };
  const dial = { scheme: "https", ca, signal: new AbortController().signal, clock: systemClock };
  const outcome = await connectToService(service, dial).then(
    ({ socket }) => {
      socket.destroy();
      return "connected";
    },
    (error: unknown) => String(error),
  );
  expect(outcome).toContain(why);
  server.closeAllConnections();
  server.close();
});
