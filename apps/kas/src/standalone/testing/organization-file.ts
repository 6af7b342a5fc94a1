import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { OrganizationFiles } from "@binnacle/organization";
import type { Clock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";

/** A file of an organization that a test rewrites. */
export class OrganizationFile {
  readonly #folder = mkdtempSync(join(tmpdir(), "binnacle-organization-"));
  readonly path = join(this.#folder, "organization.yaml");

  /** @param content of the file; JSON is YAML */
  constructor(content: object) {
    this.write(content);
  }

  write(content: object): void {
    writeFileSync(this.path, JSON.stringify(content));
  }

  open(clock: Clock): Promise<OrganizationFiles> {
    return OrganizationFiles.open({ path: this.path, clock, log: createLogger("test", "silent") });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
