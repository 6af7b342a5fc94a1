import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";

/** Source of one version of a Go module on this machine. */
export interface GoModule {
  readonly path: string;
  readonly version: string;
  readonly directory: string;
}

/** Fetches a module as `go` is set up to (GOPROXY and its like); throws what `go` says when it cannot. */
export function downloadModule(path: string, version: string): GoModule {
  const environment = { ...process.env, GOWORK: "off", GOFLAGS: "" };
  // Outside of any module, so that no go.mod has a say.
  const answer = execFileSync("go", ["mod", "download", "-json", `${path}@${version}`], {
    cwd: tmpdir(),
    env: environment,
    encoding: "utf8",
  });
  const read: unknown = JSON.parse(answer);
  if (typeof read !== "object" || read === null || !("Dir" in read) || typeof read.Dir !== "string") {
    throw new Error(`go did not say where ${path}@${version} is`);
  }
  return { path, version, directory: read.Dir };
}
