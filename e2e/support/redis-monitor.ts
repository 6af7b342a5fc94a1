import { connect, type Socket } from "node:net";

/** All commands to a Redis, with keys, values and published messages, and all that it stores. */
export interface RedisMonitor {
  /** Ends it, and gives all that was heard, with what was stored at the beginning and at the end. */
  stop(): Promise<string>;
}

/** Keys with their values, as one flat list: one command, so that nothing changes meanwhile. */
const DUMP = `
local out = {}
local read = { hash = {'HGETALL'}, string = {'GET'}, set = {'SMEMBERS'}, list = {'LRANGE', 0, -1}, zset = {'ZRANGE', 0, -1} }
for _, key in ipairs(redis.call('KEYS', '*')) do
  out[#out + 1] = key
  local how = read[redis.call('TYPE', key)['ok']] or {'DUMP'}
  local values = redis.call(how[1], key, unpack(how, 2))
  if type(values) ~= 'table' then values = {values} end
  for _, value in ipairs(values) do out[#out + 1] = value end
end
return out`.replaceAll("\n", " ");

/** Listens to a server with MONITOR. @param url `redis://host:port`, without a password */
export async function listenToRedis(url: string): Promise<RedisMonitor> {
  const { hostname, port } = new URL(url);
  const heard: string[] = [await dump(hostname, Number(port))];
  const socket = connect(Number(port), hostname);
  socket.on("data", (chunk: Buffer) => heard.push(chunk.toString("latin1")));
  socket.write("MONITOR\r\n");
  await firstData(socket);
  return {
    async stop() {
      heard.push(await dump(hostname, Number(port)));
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.destroy();
      await closed;
      return heard.join("\n");
    },
  };
}

/** What is stored, as Redis writes it, values untouched. */
async function dump(host: string, port: number): Promise<string> {
  const socket = connect(port, host);
  const answer: string[] = [];
  socket.on("data", (chunk: Buffer) => answer.push(chunk.toString("latin1")));
  const closed = new Promise<void>((resolve, reject) => socket.once("close", () => resolve()).once("error", reject));
  socket.write(`EVAL "${DUMP}" 0\r\nQUIT\r\n`);
  await closed;
  const text = answer.join("");
  if (text.startsWith("-")) throw new Error(`Redis does not say what it stores: ${text.slice(0, 200)}`);
  return text;
}

function firstData(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => socket.once("data", () => resolve()).once("error", reject));
}
