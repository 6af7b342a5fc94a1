/** Makes what an organization's files hold: hashes of passwords, and tokens with their hashes. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

import { hashPassword } from "./password-hash.ts";
import { newToken } from "./token-hash.ts";

const USAGE = `npm run -s organization -- COMMAND

  hash     reads a password from standard input and prints its hash, for \`users[].password\`
  token    prints a new random token, and its hash for \`agents[].tokens\` or \`users[].tokens[].hash\`
`;
const LEAST_CHARACTERS = 12;

/** A password is not shown while it is typed. */
async function readPassword(): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY });
  if (process.stdin.isTTY) process.stderr.write("Password: ");
  try {
    return await lines.question("");
  } finally {
    lines.close();
    if (process.stdin.isTTY) process.stderr.write("\n");
  }
}

async function main(command: string | undefined): Promise<number> {
  if (command === "token") {
    const { token, hash } = newToken();
    process.stdout.write(`${token}\n${hash}\n`);
    return 0;
  }
  if (command !== "hash") {
    process.stderr.write(USAGE);
    return command === "--help" ? 0 : 2;
  }
  const password = await readPassword();
  if (password.length < LEAST_CHARACTERS) {
    process.stderr.write(`a password has at least ${LEAST_CHARACTERS} characters\n`);
    return 1;
  }
  process.stdout.write(`${await hashPassword(password)}\n`);
  return 0;
}

process.exit(await main(process.argv[2]));
