/** Loaded into a program with --import: every name is 127.0.0.1, and none can be resolved while the file NAMES_FAIL_FILE exists. */
import dns, { type LookupOptions } from "node:dns";
import { existsSync } from "node:fs";
import { isIP } from "node:net";

type Callback = (error: NodeJS.ErrnoException | null, address?: string | readonly object[], family?: number) => void;

const file = process.env["NAMES_FAIL_FILE"] ?? "";

function lookup(name: string, options: LookupOptions, callback: Callback): void {
  process.nextTick(() => {
    if (isIP(name) === 0 && existsSync(file)) {
      const failure = { code: "EAI_AGAIN", syscall: "getaddrinfo", hostname: name };
      return callback(Object.assign(new Error(`getaddrinfo EAI_AGAIN ${name}`), failure));
    }
    if (options.all === true) callback(null, [{ address: "127.0.0.1", family: 4 }]);
    else callback(null, "127.0.0.1", 4);
  });
}

// node:net and node:tls take it from there for each connection.
Object.assign(dns, { lookup });
