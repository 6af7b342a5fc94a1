import { splitWords } from "./generic/split-words.ts";

/** Last words of names of fields that hold a credential. */
const SECRETS: ReadonlySet<string> = new Set([
  "password",
  "passwd",
  "passphrase",
  "secret",
  "token",
  "credential",
  "apikey",
  "accesskey",
  "privatekey",
]);

/** Words before "key". */
const KEYS: ReadonlySet<string> = new Set(["api", "access", "private", "secret"]);

/** Whether the last field of a path is called as credentials are: "status.adminPassword", and not "status.passwordState". */
export function isSecretField(path: string): boolean {
  const [before = "", last = ""] = ["", ...splitWords(lastFieldOf(path))].slice(-2);
  const word = last.endsWith("s") && !last.endsWith("ss") ? last.slice(0, -1) : last;
  return SECRETS.has(word) || (word === "key" && KEYS.has(before));
}

function lastFieldOf(path: string): string {
  const field = path.slice(path.lastIndexOf(".") + 1);
  const place = field.lastIndexOf("[");
  return place > 0 && field.endsWith("]") ? field.slice(0, place) : field;
}
