import { readFileSync } from "node:fs";

import { ConfigError } from "./config-error.ts";

/**
 * Bytes of a secret file that holds base64 text (standard alphabet), as the main application writes them.
 *
 * @param key configuration key that names the file, for the error
 * @param minBytes least length of the decoded secret
 * @throws ConfigError that names key and file, never the content
 */
export function readSecretFile(file: string, key: string, minBytes = 32): Buffer {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new ConfigError(file, [
      { path: key, message: `the secret file cannot be read: ${error instanceof Error ? error.message : String(error)}` },
    ]);
  }
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64").replace(/(?<!=)=+$/, "") !== text.replace(/(?<!=)=+$/, ""))
    throw new ConfigError(file, [{ path: key, message: "the secret file must hold base64 text" }]);
  if (bytes.length < minBytes)
    throw new ConfigError(file, [{ path: key, message: `the secret must have at least ${minBytes} bytes, it has ${bytes.length}` }]);
  return bytes;
}
