import { connect } from "node:net";

/** Everything a Redis is told: each command with keys, values and published messages. */
export interface RedisMonitor {
  /** Ends it, and gives all that was heard, with what is stored at the end. */
  stop(): Promise<string>;
}

/** Listens to a server with MONITOR. @param url `redis://host:port`, without a password */
export async function listenToRedis(url: string): Promise<RedisMonitor> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const heard: string[] = [];
  socket.on("data", (chunk: Buffer) => heard.push(chunk.toString("latin1")));
  // What is stored already: kas write their records again and again, so all of it is heard soon, and keys are asked for.
  socket.write("KEYS *\r\nMONITOR\r\n");
  await new Promise<void>((resolve, reject) => socket.once("data", () => resolve()).once("error", reject));
  return {
    stop: () =>
      new Promise((resolve) => {
        socket.once("close", () => resolve(heard.join("")));
        socket.destroy();
      }),
  };
}
