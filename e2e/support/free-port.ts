import { createServer, type AddressInfo } from "node:net";

/** A loopback port without a listener; for a program that must know it before it listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server has an address object once it listens.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
