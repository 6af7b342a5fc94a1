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
  ["its own name and an authority that the entry has", own, own.certificate, undefined],
  ["the name of another service", other, other.certificate, "ERR_TLS_CERT_ALTNAME_INVALID"],
  ["an authority that the entry does not have", own, other.certificate, "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ["an authority that the system does not have", own, "", "DEPTH_ZERO_SELF_SIGNED_CERT"],
])(
  "T26, T36: a service that shows %s is connected to by its own name and authority alone",
  async (_what, { certificate, key }, ca, why) => {
    const server = createServer({ cert: certificate, key });
    server.on("tlsClientError", () => undefined);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    // The address of a listening TCP server is an AddressInfo.
    const { port } = server.address() as AddressInfo;
    const service = { namespace: "shop", service: "api", port: "443", endpoints: [{ address: "127.0.0.1", port }] };
    const dial = { scheme: "https", ca, signal: new AbortController().signal, clock: systemClock };
    const said = await connectToService(service, dial).then(
      ({ socket }) => void socket.destroy(),
      (error: unknown) => String(error),
    );
    expect(said).toEqual(why === undefined ? undefined : expect.stringContaining(why));
    server.closeAllConnections();
    server.close();
  },
);
