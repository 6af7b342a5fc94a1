import { FileSystem, type FileBudget } from "./file-system.ts";

/** What an image brings along, in the coarse kinds that matter to people who open a terminal. */
export type ImageKind = "full" | "busybox" | "distroless";

/** Programs in every image with a userland; the values of `PROGRAMS` implement them. */
const USERLAND =
  "cat echo env printenv ls pwd sleep true false stty head tail wc sha256sum md5sum printf test [ mkdir rm mv cp touch ln date hostname whoami id uname seq yes tee grep tar clear ps which sort base64".split(
    " ",
  );

const SHELLS: Readonly<Record<ImageKind, readonly string[]>> = {
  full: ["sh", "bash"],
  busybox: ["sh", "ash"],
  distroless: [],
};

/** Annotation that overrides what the image's name says: `full`, `busybox` or `distroless`. */
export const IMAGE_KIND_ANNOTATION = "bench.kas/image-kind";

/**
 * The kind of an image: `distroless` for names with distroless, static, scratch or pause; `busybox` for names with busybox or
 * alpine; `full` otherwise.
 */
export function imageKindOf(image: string, annotation: string | undefined): ImageKind {
  if (annotation === "full" || annotation === "busybox" || annotation === "distroless") return annotation;
  if (/distroless|static|scratch|\bpause\b/.test(image)) return "distroless";
  return /busybox|alpine/.test(image) ? "busybox" : "full";
}

/** A fresh file system as the image has it. */
export function fileSystemOf(
  kind: ImageKind,
  hostname: string,
  { now, budget }: { readonly now: () => number; readonly budget: FileBudget },
): FileSystem {
  const files = new FileSystem(now, budget);
  for (const path of ["/bin", "/etc", "/tmp", "/app", "/proc", "/var/log", "/dev"]) files.makeFolder(path, true);
  files.folder("/tmp").mode = 0o1777;
  files.write("/etc/hostname", `${hostname}\n`);
  files.write("/etc/hosts", `127.0.0.1\tlocalhost\n127.0.0.1\t${hostname}\n`);
  files.write("/etc/os-release", `NAME="Simulated container"\nID=${kind}\n`);
  files.write("/app/server", "\u007fELF simulated program\n", 0o755);
  files.write("/app/config.yaml", "listen: 8080\nlog: info\n");
  if (kind === "distroless") return files;
  files.makeFolder("/root");
  for (const name of [...USERLAND, ...SHELLS[kind]]) files.write(`/bin/${name}`, "\u007fELF simulated program\n", 0o755);
  files.makeLink("/usr", "/");
  return files;
}
