import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const SERVER = join(import.meta.dirname, "..", "..", "apps", "web", "dev", "fixture-server.ts");

/** The built pages over the made-up world, until it is closed. */
export interface FixturePages {
  /** "http://127.0.0.1:40123". */
  readonly address: string;
  close(): Promise<void>;
}

/** Starts them on a free port, in one of the languages of `packages/presentation/src/text/languages.ts`. @param env beside our own @throws when the server ends before it has printed its address */
export async function openFixturePages(language = "en", env: NodeJS.ProcessEnv = {}): Promise<FixturePages> {
  const child = spawn(process.execPath, [SERVER, "--language", language], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "", ...env },
  });
  const ended = once(child, "exit");
  const address = await Promise.race([addressIn(child.stdout), ended.then(([code]) => Promise.reject(new Error(`It ended with ${code}`)))]);
  return {
    address,
    async close() {
      child.kill();
      await ended;
    },
  };
}

async function addressIn(output: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of output) {
    text += chunk.toString();
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error(`It has not printed its address: ${text}`);
}
