/**
 * The other end of `bare-kas.ts`: keeps streams open, and answers what comes on one with what the API server answers. Arguments: port,
 * streams, URL of the API server's small answer.
 */
import { Agent, get } from "node:http";
import { connect, type ClientHttp2Stream } from "node:http2";

const [port, streams] = process.argv.slice(2, 4).map(Number);
const url = process.argv[4] ?? "";
const session = connect(`http://127.0.0.1:${port}`);
const agent = new Agent({ keepAlive: true });

function open(): void {
  const stream = session.request({
    ":method": "POST",
    ":path": "/",
    "content-type": "application/grpc+proto",
    authorization: "Bearer token",
  });
  stream.on("error", () => undefined);
  stream.write(Buffer.alloc(200));
  stream.once("data", () => answer(stream));
  stream.on("close", open);
}

function answer(stream: ClientHttp2Stream): void {
  get(url, { agent }, (response) => {
    const body: Buffer[] = [];
    response.on("data", (chunk: Buffer) => body.push(chunk));
    response.on("end", () => {
      stream.write(Buffer.alloc(250));
      stream.end(Buffer.concat(body));
    });
  });
}

for (let count = 0; count < (streams ?? 0); count += 1) open();
process.once("disconnect", () => process.exit(0));
