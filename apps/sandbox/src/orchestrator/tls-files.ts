import "reflect-metadata";
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";

import { HOST_NAMES } from "./addresses.ts";
import type { SandboxDirectory } from "./sandbox-directory.ts";

/** Files of the sandbox's own authority and of the certificate all its https servers share. */
export interface TlsFiles {
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const VALID_MS = 30 * 24 * 3600 * 1000;

/** Makes an authority and a certificate for 127.0.0.1, localhost and the two host names. The authority's key is not kept. */
export async function createTlsFiles(directory: SandboxDirectory): Promise<TlsFiles> {
  const [authorityKeys, serverKeys] = await Promise.all([createKeys(), createKeys()]);
  const validity = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + VALID_MS) };
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: "01",
    name: "CN=Sandbox authority",
    keys: authorityKeys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  const names = ["localhost", HOST_NAMES.mainApplication, HOST_NAMES.kas].map((value) => ({ type: "dns" as const, value }));
  const certificate = await X509CertificateGenerator.create({
    ...validity,
    serialNumber: "02",
    subject: "CN=Sandbox",
    issuer: authority.subject,
    publicKey: serverKeys.publicKey,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [new BasicConstraintsExtension(false), new SubjectAlternativeNameExtension([...names, { type: "ip", value: "127.0.0.1" }])],
  });
  const key = PemConverter.encode(await crypto.subtle.exportKey("pkcs8", serverKeys.privateKey), "PRIVATE KEY");
  return {
    caFile: directory.write("tls/ca.crt", `${authority.toString("pem")}\n`),
    certificateFile: directory.write("tls/server.crt", `${certificate.toString("pem")}\n`),
    keyFile: directory.write("tls/server.key", `${key}\n`),
  };
}

async function createKeys() {
  return crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}
