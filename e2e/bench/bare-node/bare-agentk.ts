/** The other end of `bare-kas.ts`: keeps streams open and answers what comes on one. Arguments: port, streams. */
import { connect } from "node:http2";

const [port, streams] = process.argv.slice(2).map(Number);
const session = connect(`http://127.0.0.1:${port}`);

function open(): void {
  const stream = session.request({
    ":method": "POST",
    ":path": "/",
    "content-type": "application/grpc+proto",
    authorization: "Bearer token",
  });
  stream.on("error", () => undefined);
  stream.write(Buffer.alloc(200));
  stream.once("data", () => {
    stream.write(Buffer.alloc(250));
    stream.end(Buffer.alloc(4096));
  });
  stream.on("close", open);
}

for (let count = 0; count < (streams ?? 0); count += 1) open();
process.once("disconnect", () => process.exit(0));
