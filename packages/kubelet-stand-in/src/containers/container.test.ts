import { createHash } from "node:crypto";

import { systemClock } from "@binnacle/rpc";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { Pipe, readAll, type ByteSource } from "../streams/byte-streams.ts";
import { Container, StartError } from "./container.ts";
import type { ImageKind } from "./image.ts";
import { parseScript, SyntaxFault } from "./shell-parser.ts";

function containerOf(imageKind: ImageKind = "full"): Container {
  return new Container({ hostname: "web-1", imageKind, env: { COLOUR: "red" } }, systemClock);
}

function sourceOf(text: string | Buffer): ByteSource {
  const pipe = new Pipe();
  pipe.push(Buffer.from(text));
  pipe.end();
  return pipe;
}

async function run(container: Container, command: readonly string[], input: string | Buffer = "") {
  const [stdout, stderr] = [new Pipe(Infinity), new Pipe(Infinity)];
  const code = await container.exec(command, {
    stdin: sourceOf(input),
    stdout,
    stderr,
    terminal: undefined,
    signal: new AbortController().signal,
  });
  stdout.end();
  stderr.end();
  const out = await readAll(stdout, 1e9);
  return { code, bytes: out, stdout: out.toString(), stderr: (await readAll(stderr, 1e9)).toString() };
}

const sh = (script: string, input = "", container = containerOf()) => run(container, ["sh", "-c", script], input);

describe("the simulated shell", () => {
  test.each([
    ["echo one; echo two", "one\ntwo\n"],
    ["false || echo no && echo yes", "no\nyes\n"],
    ["true && false; echo $?", "1\n"],
    ['A="x  y"; echo $A; echo "$A"', "x y\nx  y\n"],
    ["echo 'a$HOME' \"b$COLOUR\" c${COLOUR}d ${NONE:-none}", "a$HOME bred credd none\n"],
    ["echo hello | cat | wc -c", "6\n"],
    ["echo a > /tmp/f; echo b >> /tmp/f; cat < /tmp/f; wc -l /tmp/f", "a\nb\n2 /tmp/f\n"],
    ["cd /tmp; pwd; (cd /etc; pwd); pwd", "/tmp\n/etc\n/tmp\n"],
    ["for i in 1 2 3; do echo n$i; done", "n1\nn2\nn3\n"],
    ["i=x; while test $i != xxx; do i=x$i; done; echo $i", "xxx\n"],
    ["if [ -d /etc ]; then echo folder; else echo none; fi", "folder\n"],
    ["echo $(echo inner | cat) `echo old`", "inner old\n"],
    ["cat nothing 2>/dev/null; echo $?", "1\n"],
    ["cat nothing 2>&1 || true", "cat: nothing: No such file or directory\n"],
    ["ls /etc/host*", "/etc/hostname\n/etc/hosts\n"],
    ["printf '%03d|%-4s|%s\\n' 7 ab cd", "007|ab  |cd\n"],
    ["command -v bash >/dev/null && echo bash || echo sh", "bash\n"],
    ["yes | head -n 2", "y\ny\n"],
    ["exec echo gone; echo never", "gone\n"],
    ["echo first # comment\necho second", "first\nsecond\n"],
    ["X=1 env | grep X=; seq 3 | tail -n 1", "X=1\n3\n"],
  ])("%s", async (script, expected) => {
    expect(await sh(script)).toMatchObject({ stdout: expected, code: 0 });
  });

  test.each([
    ["exit 7", 7],
    ["nosuchprogram", 127],
    ["/etc/hosts", 126],
    ["echo 'open", 2],
    ["false", 1],
    ["! false", 0],
  ])("%s exits with %i", async (script, code) => {
    expect((await sh(script)).code).toBe(code);
  });

  test("shares its standard input with its commands", async () => {
    expect(await run(containerOf(), ["sh"], "echo one\ncat\nrest of the input\n")).toMatchObject({
      stdout: "one\nrest of the input\n",
      code: 0,
    });
  });

  test("reads a compound command over several lines", async () => {
    expect((await run(containerOf(), ["sh"], "for i in a b\ndo\necho $i\ndone\n")).stdout).toBe("a\nb\n");
  });

  test("deep nesting is a syntax error, not an overflow", async () => {
    expect((await sh(`${"(".repeat(5000)}true`)).code).toBe(2);
  });

  test("names of object prototypes are no programs", async () => {
    expect((await sh("constructor")).code).toBe(127);
  });
});

describe("images", () => {
  test("bash is absent in busybox images", async () => {
    await expect(run(containerOf("busybox"), ["bash"])).rejects.toThrow('exec: "bash": executable file not found in $PATH');
    expect((await run(containerOf("busybox"), ["ash", "-c", "echo ok"])).stdout).toBe("ok\n");
  });

  test("distroless images have no shell: the runtime's words and code 127", async () => {
    const failed: unknown = await run(containerOf("distroless"), ["/bin/sh"]).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StartError);
    expect(failed).toMatchObject({
      exitCode: 127,
      message: expect.stringContaining("OCI runtime exec failed: exec failed: unable to start container process"),
    });
  });

  test("a file that is not executable gives code 126", async () => {
    await expect(run(containerOf(), ["/etc/hosts"])).rejects.toMatchObject({ exitCode: 126 });
  });
});

describe("tar", () => {
  test("an archive that one container makes, another extracts byte for byte", async () => {
    const [from, to] = [containerOf(), containerOf()];
    await sh("mkdir -p /tmp/d/e; head -c 3000001 /dev/zero > /tmp/d/e/big; echo small > /tmp/d/small; ln -s small /tmp/d/link", "", from);
    const archive = await run(from, ["tar", "cf", "-", "/tmp/d"]);
    expect(archive.code).toBe(0);
    expect(await run(to, ["tar", "-xmf", "-", "-C", "/app"], archive.bytes)).toMatchObject({ code: 0, stderr: "" });
    const sum = createHash("sha256").update(Buffer.alloc(3_000_001)).digest("hex");
    expect((await sh("sha256sum /app/tmp/d/e/big; cat /app/tmp/d/link", "", to)).stdout).toBe(`${sum}  /app/tmp/d/e/big\nsmall\n`);
  });

  test("a missing file is named and gives code 2", async () => {
    expect(await run(containerOf(), ["tar", "cf", "-", "/nothing"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("/nothing: Cannot stat: No such file or directory"),
    });
  });

  test("bytes that are no archive are refused", async () => {
    expect((await run(containerOf(), ["tar", "xf", "-"], Buffer.alloc(2048, 7))).code).toBe(2);
  });

  test("names that lead out of the folder stay below it", async () => {
    const container = containerOf();
    const archive = await run(container, ["sh", "-c", "cd /tmp; echo x > f; tar cf - ../../tmp/f"]);
    expect((await run(container, ["tar", "xf", "-", "-C", "/app"], archive.bytes)).code).toBe(0);
    expect((await sh("ls /app/tmp", "", container)).stdout).toBe("f\n");
  });
});

describe("hostile scripts", () => {
  test("any text is parsed or rejected as a syntax error", () => {
    const token = fc.constantFrom(
      "if",
      "then",
      "fi",
      "while",
      "do",
      "done",
      "for",
      "in",
      "(",
      ")",
      "{",
      "}",
      "|",
      "||",
      "&&",
      ";",
      "\n",
      "$(",
      "`",
      '"',
      "'",
      "$X",
      "${",
      "\\",
      ">",
      "2>&1",
      "<",
      "a",
      " ",
    );
    const property = fc.property(fc.array(fc.oneof(token, fc.string({ maxLength: 3 })), { maxLength: 30 }), (parts) => {
      let problem: unknown;
      try {
        parseScript(parts.join(" "));
      } catch (error) {
        problem = error;
      }
      return problem === undefined || problem instanceof SyntaxFault;
    });
    expect(fc.check(property, { numRuns: 3000 }).failed).toBe(false);
  });

  test("a file system is bounded", async () => {
    const result = await sh("head -c 300000000 /dev/zero > /tmp/big; echo $?; rm /tmp/big; echo small > /tmp/big; cat /tmp/big");
    expect(result.stdout).toBe("1\nsmall\n");
    expect(result.stderr).toContain("No space left on device");
  });

  test("file systems share a budget, and give it back", async () => {
    const budget = { usedBytes: 0, maxBytes: 2_000_000 };
    const [one, two] = [1, 2].map(() => new Container({ hostname: "h", imageKind: "full", env: {} }, systemClock, budget));
    if (one === undefined || two === undefined) throw new Error("two containers were made");
    expect((await sh("head -c 1500000 /dev/zero > /tmp/f", "", one)).code).toBe(0);
    expect((await sh("head -c 1500000 /dev/zero > /tmp/f", "", two)).stderr).toContain("No space left on device");
    one.dispose();
    expect((await sh("head -c 1500000 /dev/zero > /tmp/f", "", two)).code).toBe(0);
    expect((await sh("echo late > /tmp/g", "", one)).stderr).toContain("No space left on device");
    two.dispose();
    expect(budget.usedBytes).toBe(0);
  });

  test("links that lead to each other are an error", async () => {
    expect((await sh("ln -s /tmp/b /tmp/a; ln -s /tmp/a /tmp/b; cat /tmp/a")).stderr).toContain("Too many levels of symbolic links");
  });
});
