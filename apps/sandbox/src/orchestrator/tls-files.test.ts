import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { X509Certificate } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { SandboxDirectory } from "./sandbox-directory.ts";
import { createTlsFiles } from "./tls-files.ts";

test("one certificate, signed by the sandbox's own authority, serves every name it is reached by", async () => {
  const dir = mkdtempSync(join(tmpdir(), "tls-"));
  try {
    const files = await createTlsFiles(new SandboxDirectory(dir));
    const [authority, certificate] = [
      new X509Certificate(readFileSync(files.caFile)),
      new X509Certificate(readFileSync(files.certificateFile)),
    ];
    expect(certificate.verify(authority.publicKey)).toBe(true);
    expect(certificate.checkIssued(authority)).toBe(true);
    expect([authority.ca, certificate.ca]).toEqual([true, false]);
    for (const name of ["localhost", "app.localhost", "kas.app.localhost"]) expect(certificate.checkHost(name)).toBe(name);
    expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
  } finally {
    rmSync(dir, { recursive: true });
  }
});
