import { fieldsAt, isFields, listAt, numberAt, textAt, type Fields } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import type { Item } from "./details.ts";
import { saying, scalarText } from "./rows.ts";

const MOST_COMMAND_CHARS = 80;

/** A probe in words; nothing for none. What is absent has the value that the API server would have written. */
export function probe(container: Fields, name: string): Item | undefined {
  const value = container[name];
  if (!isFields(value)) return undefined;
  const target = targetOf(value);
  if (target === undefined) return undefined;
  return saying("detail/probe", {
    target,
    every: numberAt(value, "periodSeconds") ?? 10,
    timeout: numberAt(value, "timeoutSeconds") ?? 1,
    failures: numberAt(value, "failureThreshold") ?? 3,
    delay: numberAt(value, "initialDelaySeconds") || undefined,
  });
}

function targetOf(value: Fields): Words | undefined {
  const [http, tcp, grpc, exec] = ["httpGet", "tcpSocket", "grpc", "exec"].map((name) => fieldsAt(value, name));
  if (isFields(value["httpGet"]))
    return words("probe/target/http", { path: textAt(http, "path") || "/", port: scalarText(http?.["port"]) });
  if (isFields(value["tcpSocket"])) return words("probe/target/tcp", { port: scalarText(tcp?.["port"]) });
  if (isFields(value["grpc"])) return words("probe/target/grpc", { port: scalarText(grpc?.["port"]) });
  if (!isFields(value["exec"])) return undefined;
  const command = listAt(exec, "command").map(scalarText).join(" ");
  return words("probe/target/command", {
    command: command.length > MOST_COMMAND_CHARS ? `${command.slice(0, MOST_COMMAND_CHARS)}…` : command,
  });
}
