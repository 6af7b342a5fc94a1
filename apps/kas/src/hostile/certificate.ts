import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A certificate for 127.0.0.1 that is its own authority. */
export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** PEM text of the certificate. */
  readonly pem: string;
}

/** Makes one with the openssl of this machine. @param directory where the files go */
export function makeCertificate(directory: string): Certificate {
  const [certificateFile, keyFile] = [join(directory, "server.pem"), join(directory, "server.key")];
  const kind = ["req", "-x509", "-nodes", "-days", "2", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  const name = ["-subj", "/CN=kas", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", [...kind, ...name, "-keyout", keyFile, "-out", certificateFile], { stdio: "ignore" });
  return { certificateFile, keyFile, pem: readFileSync(certificateFile, "utf8") };
}
