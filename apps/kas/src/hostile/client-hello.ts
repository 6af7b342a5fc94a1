import { duplexPair } from "node:stream";
import { connect } from "node:tls";

/** The complete ClientHello of a TLS client of this Node. */
export function clientHello(): Promise<Buffer> {
  const [ours, theirs] = duplexPair();
  const client = connect({ socket: ours, servername: "kas.example", ALPNProtocols: ["h2"] });
  client.on("error", () => undefined);
  return new Promise((resolve) => {
    theirs.once("data", (chunk: Buffer) => {
      resolve(chunk);
      client.destroy();
    });
  });
}
