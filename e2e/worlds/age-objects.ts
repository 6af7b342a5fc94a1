import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { KubeObject } from "@binnacle/kube";
import { request } from "undici";

/** What stands before the seconds of `creationTimestamp` and of `deletionTimestamp` in the metadata of a stored object (protobuf fields 8 and 9). */
const FIELDS = { creationTimestamp: 0x42, deletionTimestamp: 0x4a } as const;

type TimeField = keyof typeof FIELDS;

/**
 * Makes objects as old as they say: an API server writes down itself when something was created and when it is to be gone, and no request
 * changes that. So it is changed where the server keeps it, in the etcd of a real control plane, and the server tells everybody.
 *
 * @param kubeconfig of the control plane's administrator; what it was started with stands beside it
 */
export async function ageObjects(
  objects: readonly KubeObject[],
  where: { readonly kubeconfig: string; readonly namespace: string },
): Promise<void> {
  const etcd = /^etcd=(\S+)$/m.exec(readFileSync(join(dirname(where.kubeconfig), "bench.env"), "utf8"))?.[1] ?? "";
  const everything = { key: base64("/registry/"), range_end: base64("/registry0"), keys_only: true };
  const keys = (await ask(etcd, "range", everything)).map(({ key }) => Buffer.from(key, "base64").toString());
  for (const { kind, metadata } of objects) {
    const end = `/${where.namespace}/${metadata.name}`;
    const key = keys.find((each) => each.endsWith(end) && each.includes(`/${kind.toLowerCase()}`));
    const [stored] = key === undefined ? [] : await ask(etcd, "range", { key: base64(key) });
    if (key === undefined || stored?.value === undefined) throw new Error(`etcd does not have ${kind} ${metadata.name}`);
    const aged = (["creationTimestamp", "deletionTimestamp"] as const).reduce(
      (value, field) => (metadata[field] === undefined ? value : withTime(value, field, metadata[field])),
      Buffer.from(stored.value, "base64").toString("latin1"),
    );
    await ask(etcd, "put", { key: base64(key), value: Buffer.from(aged, "latin1").toString("base64") });
  }
}

/**
 * What is stored, a character for each byte, with another time, to the second; custom resources are kept as JSON.
 *
 * @throws when it has no such time
 */
function withTime(stored: string, field: TimeField, time: string): string {
  const isJson = stored.startsWith("{");
  const found = isJson
    ? new RegExp(`(?<="${field}":")[^"]*`)
    : // A time is a message of ten bytes: seconds, of which those of our century are five, and nanoseconds, which are none.
      new RegExp(`(?<=\\x${FIELDS[field].toString(16)}\\x08\\x08)[\\x80-\\xff]{4}[\\x00-\\x7f](?=\\x10\\x00)`);
  if (!found.test(stored)) throw new Error(`what is stored has no ${field}`);
  return stored.replace(found, () => (isJson ? time : varint(Date.parse(time) / 1_000)));
}

function varint(value: number): string {
  const bytes: number[] = [];
  for (let left = value; left > 0; left = Math.floor(left / 128)) bytes.push((left % 128) + (left >= 128 ? 128 : 0));
  return String.fromCharCode(...bytes);
}

interface Entry {
  readonly key: string;
  readonly value?: string;
}

async function ask(etcd: string, what: "range" | "put", body: object): Promise<readonly Entry[]> {
  const answer = await request(`${etcd}/v3/kv/${what}`, { method: "POST", body: JSON.stringify(body) });
  if (answer.statusCode !== 200) throw new Error(`etcd: ${answer.statusCode} ${await answer.body.text()}`);
  // Its own answer, in the JSON that etcd gives.
  return ((await answer.body.json()) as { readonly kvs?: readonly Entry[] }).kvs ?? [];
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
