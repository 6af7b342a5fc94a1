import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const KIND = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=common.example.com"];

/**
 * A certificate in PEM that begins now, and its key, made by the openssl of this machine.
 *
 * @param names as openssl writes alternative names: "IP:127.0.0.1", "DNS:kas.test"; without any there are none
 * @param days how long it is valid
 */
export function selfSigned(names: readonly string[], days = 2): { readonly certificate: string; readonly key: string } {
  const folder = mkdtempSync(join(tmpdir(), "self-signed-"));
  const [keyFile, certificateFile] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const alternative = names.length === 0 ? [] : ["-addext", `subjectAltName=${names.join(",")}`];
  const files = ["-keyout", keyFile, "-out", certificateFile];
  execFileSync("openssl", ["req", "-x509", ...KIND, "-days", String(days), ...alternative, ...files], { stdio: "ignore" });
  const made = { certificate: readFileSync(certificateFile, "utf8"), key: readFileSync(keyFile, "utf8") };
  rmSync(folder, { recursive: true });
  return made;
}
