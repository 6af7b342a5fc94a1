import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A certificate for 127.0.0.1 in PEM, made by the openssl of this machine. */
export function selfSigned(): { readonly cert: string; readonly key: string } {
  const directory = mkdtempSync(join(tmpdir(), "kas-tls-"));
  const [cert, key] = [join(directory, "cert.pem"), join(directory, "key.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const subject = ["-subj", "/CN=kas", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", ["req", "-x509", ...curve, ...subject, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const files = { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
  rmSync(directory, { recursive: true });
  return files;
}
