import { randomUUID } from "node:crypto";
import { createWriteStream, type WriteStream } from "node:fs";

import type { User } from "./identity.ts";
import type { RequestTarget } from "./request-target.ts";

/** Content of one audit line. */
export interface AuditRecord {
  readonly stage: "ResponseStarted" | "ResponseComplete";
  readonly auditId: string;
  readonly requestUri: string;
  readonly verb: string;
  readonly user: User;
  readonly impersonated: User | undefined;
  readonly userAgent: string;
  readonly target: RequestTarget;
  readonly code: number;
  readonly receivedMs: number;
  readonly nowMs: number;
}

/** Writes requests as JSON lines in the form of `audit.k8s.io/v1` at level Metadata. */
export class AuditLog {
  readonly #stream: WriteStream;

  constructor(file: string) {
    this.#stream = createWriteStream(file, { flags: "a", mode: 0o600 });
  }

  /** A new id for one request. */
  nextId(): string {
    return randomUUID();
  }

  write(record: AuditRecord): void {
    const { target, impersonated } = record;
    const reference = {
      resource: target.resource,
      ...(target.namespace === undefined ? {} : { namespace: target.namespace }),
      ...(target.name === undefined ? {} : { name: target.name }),
      ...(target.group === "" ? {} : { apiGroup: target.group }),
      apiVersion: target.version,
      ...(target.subresource === undefined ? {} : { subresource: target.subresource }),
    };
    const line = {
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level: "Metadata",
      auditID: record.auditId,
      stage: record.stage,
      requestURI: record.requestUri,
      verb: record.verb,
      user: userInfo(record.user),
      ...(impersonated ? { impersonatedUser: userInfo(impersonated) } : {}),
      sourceIPs: ["127.0.0.1"],
      userAgent: record.userAgent,
      ...(target.isResource ? { objectRef: reference } : {}),
      responseStatus: { metadata: {}, code: record.code },
      requestReceivedTimestamp: microTime(record.receivedMs),
      stageTimestamp: microTime(record.nowMs),
    };
    this.#stream.write(`${JSON.stringify(line)}\n`);
  }

  /** Settles once everything is in the file. */
  close(): Promise<void> {
    return new Promise((resolve) => this.#stream.end(() => resolve()));
  }
}

function userInfo(user: User): Record<string, unknown> {
  return {
    username: user.name,
    ...(user.uid === "" ? {} : { uid: user.uid }),
    groups: user.groups,
    ...(Object.keys(user.extra).length === 0 ? {} : { extra: user.extra }),
  };
}

function microTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace("Z", "000Z");
}
