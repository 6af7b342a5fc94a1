import { randomBytes } from "node:crypto";

import { Secret } from "@binnacle/telemetry";
import { expect, test } from "vitest";

import { RecordSigner } from "./record-signer.ts";

const [SECRET, OTHER] = [newSecret(), newSecret()];
const PLACE = ["kas:syncs:7", "field"];
const RECORD = Buffer.from("synced");

function newSecret(): Secret {
  return new Secret(randomBytes(32).toString("base64"));
}

function signerOf(
  secrets: readonly [Secret, ...Secret[]],
  purpose = "syncs",
): { readonly signer: RecordSigner; readonly rogues: () => number } {
  let count = 0;
  return { signer: new RecordSigner({ secrets, purpose, onRogue: () => (count += 1) }), rogues: () => count };
}

test("T20: a signed record is read, also by a kas with a newer secret beside the old one", () => {
  const signed = signerOf([SECRET]).signer.sign(PLACE, RECORD);
  const { signer, rogues } = signerOf([OTHER, SECRET]);
  expect(signer.open(PLACE, signed)).toEqual(RECORD);
  expect(signer.open(PLACE, signer.sign(PLACE, Buffer.alloc(0)))).toEqual(Buffer.alloc(0));
  expect(rogues()).toBe(0);
});

test("T20: a record of another place, purpose or secret is none, and counted", () => {
  const { signer, rogues } = signerOf([SECRET]);
  const signed = signer.sign(PLACE, RECORD);
  const bad = [
    signer.open(["kas:syncs:8", "field"], signed),
    signer.open(["kas:syncs:7field"], signed),
    signer.open(PLACE, signerOf([OTHER]).signer.sign(PLACE, RECORD)),
    signer.open(PLACE, signerOf([SECRET], "routes").signer.sign(PLACE, RECORD)),
    signer.open(PLACE, Buffer.alloc(0)),
    signer.open(PLACE, RECORD),
  ];
  expect(bad).toEqual(bad.map(() => undefined));
  expect(rogues()).toBe(bad.length);
});

test("T20: a change of any single byte makes a record void", () => {
  const { signer } = signerOf([SECRET]);
  const signed = signer.sign(PLACE, RECORD);
  for (let at = 0; at < signed.length; at += 1) {
    const changed = Buffer.from(signed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(signer.open(PLACE, changed)).toBeUndefined();
  }
});
