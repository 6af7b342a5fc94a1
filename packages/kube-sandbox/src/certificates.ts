// x509 needs this polyfill, loaded before it.
import "reflect-metadata";

import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";

/** PEM texts of a server certificate and of the authority that signed it. */
export interface ServerCertificate {
  readonly caPem: string;
  readonly certificatePem: string;
  readonly keyPem: string;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 24 * 60 * 60 * 1_000;

/** A new authority and a certificate for 127.0.0.1 and localhost, good for a year. kubectl sends tokens over TLS only. */
export async function createServerCertificate(nowMs: number): Promise<ServerCertificate> {
  const { subtle } = crypto;
  const times = { notBefore: new Date(nowMs - DAY_MS), notAfter: new Date(nowMs + 365 * DAY_MS) };
  const caKeys = await subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const keys = await subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const ca = await X509CertificateGenerator.createSelfSigned({
    ...times,
    name: "CN=kube-sandbox-ca",
    serialNumber: "01",
    keys: caKeys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  const certificate = await X509CertificateGenerator.create({
    ...times,
    subject: "CN=kube-sandbox",
    issuer: ca.subject,
    serialNumber: "02",
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([
        { type: "ip", value: "127.0.0.1" },
        { type: "dns", value: "localhost" },
        { type: "dns", value: "kubernetes.default.svc" },
      ]),
    ],
  });
  const key = await subtle.exportKey("pkcs8", keys.privateKey);
  return {
    caPem: `${ca.toString("pem")}\n`,
    certificatePem: `${certificate.toString("pem")}\n`,
    keyPem: `${PemConverter.encode(key, "PRIVATE KEY")}\n`,
  };
}
