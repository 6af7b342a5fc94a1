import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

import { z } from "zod";

import { ConfigError } from "./config-error.ts";
import { readSecretFile } from "./secret-file.ts";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * A key that names a file. The program gets the name and reads the file itself (a certificate is replaced while it runs); what the
 * file holds is checked with the rest of the configuration, so that one run shows every mistake.
 */
function fileName(check: (file: string) => void) {
  return z.string().superRefine((file, context) => {
    try {
      check(file);
    } catch (error) {
      context.addIssue({ code: "custom", message: messageOf(error) });
    }
  });
}

function messageOf(error: unknown): string {
  const own = error instanceof ConfigError ? error.problems[0]?.message : undefined;
  return own ?? (error instanceof Error ? error.message : String(error));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`the file cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** Name of a file with base64 of at least `minBytes` bytes: what `readSecretFile` reads. */
export const secretFileName = (minBytes = 32) => fileName((file) => void readSecretFile(file, "", minBytes));

/** Name of a file with a password in one line. */
export const passwordFileName = fileName((file) => {
  if (!/^[^\r\n]+\r?\n?$/.test(textOf(file))) throw new Error(`${file} must hold exactly one line`);
});

/** Name of a PEM file with certificates: a chain, or authorities. */
export const certificateFileName = fileName((file) => {
  const certificates = textOf(file).match(CERTIFICATE) ?? [];
  if (certificates.length === 0) throw new Error(`${file} holds no certificate in PEM form`);
  for (const pem of certificates) {
    try {
      void new X509Certificate(pem);
    } catch (error) {
      throw new Error(`${file} holds a broken certificate`, { cause: error });
    }
  }
});

/** Name of a PEM file with a private key. */
export const privateKeyFileName = fileName((file) => {
  const text = textOf(file);
  try {
    createPrivateKey(text);
  } catch (error) {
    // The cause may quote the key.
    throw new Error(`${file} holds no private key in PEM form`, { cause: error });
  }
});

/** Whether the key belongs to the (first) certificate; true when one of the files cannot be read, which is another mistake. */
export function keyFitsCertificate(certificateFile: string, keyFile: string): boolean {
  try {
    return new X509Certificate(readFileSync(certificateFile)).checkPrivateKey(createPrivateKey(readFileSync(keyFile)));
  } catch {
    return true;
  }
}
