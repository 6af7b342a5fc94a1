import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Ignored by Git: a build takes minutes, and lasts until its sources change. */
const KEPT = join(import.meta.dirname, "..", "..", ".foreign-clients");
const KUBECTL = join(import.meta.dirname, "kubectl");
const K9S = "github.com/derailed/k9s@v0.50.16";
const PYTHON_CLIENT = "kubernetes==37.0.2";

/**
 * kubectl 1.28, which speaks SPDY alone: about 4 CPU minutes the first time.
 *
 * @returns its path
 * @throws when there is no Go, or modules cannot be fetched
 */
export function builtKubectl(): string {
  const sources = ["go.mod", "go.sum", "main.go"].map((name) => readFileSync(join(KUBECTL, name), "utf8"));
  const version = /k8s\.io\/kubectl v0(\.\d+\.\d+)$/m.exec(sources[0] ?? "")?.[1] ?? "";
  // Without these it calls itself v0.0.0-master.
  const flags = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"].map((name) => `-X ${name}.gitVersion=v1${version}`);
  return built("kubectl", sources.join(""), (directory) => {
    run(["go", "build", "-mod=readonly", "-ldflags", ["-s", "-w", ...flags].join(" "), "-o", join(directory, "kubectl"), "."], KUBECTL);
  });
}

/** k9s: about 12 CPU minutes the first time. @returns its path @throws as `builtKubectl` */
export function builtK9s(): string {
  return built("k9s", K9S, (directory) => run(["go", "install", "-ldflags", "-s -w", K9S], directory, { GOBIN: directory }));
}

/** A Python that has the package `kubernetes`. @returns its path @throws when there is no Python, or the package cannot be fetched */
export function installedPython(): string {
  return built("bin/python", PYTHON_CLIENT, (directory) => {
    run(["python3", "-m", "venv", "."], directory);
    run([join(directory, "bin", "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PYTHON_CLIENT], directory);
  });
}

/** @param sources what it is made from; kept beside it */
function built(program: string, sources: string, build: (directory: string) => void): string {
  const sum = createHash("sha256").update(sources).digest("hex");
  const directory = join(KEPT, program.split("/").at(-1) ?? "");
  const [path, mark] = [join(directory, program), join(directory, ".built-from")];
  if (existsSync(path) && existsSync(mark) && readFileSync(mark, "utf8") === sum) return path;
  mkdirSync(directory, { recursive: true });
  process.stderr.write(`building ${program}, which takes minutes the first time …\n`);
  build(directory);
  writeFileSync(mark, sum);
  return path;
}

/** @throws with its output */
function run(command: readonly string[], cwd: string, more: Readonly<Record<string, string>> = {}): void {
  const env = {
    ...process.env,
    PATH: `${process.env["PATH"] ?? ""}${delimiter}/usr/local/go/bin`,
    // Never fetches another toolchain.
    GOTOOLCHAIN: "local",
    GOFLAGS: "-buildvcs=false -trimpath",
    CGO_ENABLED: "0",
    ...more,
  };
  const [program = "", ...args] = command;
  const { status, stderr, error } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}: ${stderr}`, { cause: error });
}
