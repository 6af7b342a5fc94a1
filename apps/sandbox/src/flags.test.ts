import { expect, test } from "vitest";

import { parseFlags, USAGE } from "./flags.ts";

function problemsOf(...argv: readonly string[]): readonly string[] {
  const result = parseFlags(argv);
  return result.kind === "problems" ? result.problems : [];
}

test("without flags: embedded cluster, port 3000, one kas, two agents, restart after five seconds, a browser is opened", () => {
  expect(parseFlags([])).toMatchObject({
    flags: {
      cluster: "embedded",
      port: 3000,
      kas: 1,
      colleagues: 0,
      agents: 2,
      actions: "all",
      terminal: true,
      restartMs: 5000,
      prometheus: false,
      open: true,
      dir: ".sandbox",
      tls: false,
      hostNames: false,
      kubeconfig: undefined,
    },
  });
});

test("every flag is understood with a blank and with an equals sign", () => {
  const expected = {
    cluster: "real",
    port: 0,
    kas: 2,
    redis: "redis://127.0.0.1:6379",
    restartMs: undefined,
    open: false,
    dir: "d",
    tls: true,
    hostNames: true,
  };
  const argv = [
    "--cluster",
    "real",
    "--port",
    "0",
    "--kas",
    "2",
    "--redis",
    "redis://127.0.0.1:6379",
    "--restart",
    "never",
    "--no-open",
    "--dir",
    "d",
    "--tls",
  ];
  expect(parseFlags(argv)).toMatchObject({ flags: expected });
  expect(
    parseFlags([
      "--cluster=real",
      "--port=0",
      "--kas=2",
      "--redis=redis://127.0.0.1:6379",
      "--restart=never",
      "--no-open",
      "--dir=d",
      "--tls",
    ]),
  ).toMatchObject({ flags: expected });
});

test("namespaces of a foreign cluster are a list", () => {
  expect(parseFlags(["--kubeconfig", "k", "--context", "c", "--namespace", "a,b"])).toMatchObject({
    flags: { kubeconfig: "k", context: "c", namespaces: ["a", "b"] },
  });
});

test("a foreign cluster has one agent, and no second one is made in it", () => {
  expect(parseFlags(["--kubeconfig", "k"])).toMatchObject({ flags: { agents: 1 } });
  expect(problemsOf("--kubeconfig", "k", "--agents", "2")).toEqual(["--agents 2 needs a cluster of the sandbox, not --kubeconfig"]);
  expect(parseFlags(["--agents", "1"])).toMatchObject({ flags: { agents: 1 } });
  expect(problemsOf("--agents", "3")).toEqual(["--agents 3: expected a whole number from 1 to 2"]);
});

test("every problem is named at once", () => {
  expect(
    problemsOf(
      "--kas",
      "0",
      "--port",
      "99999",
      "--cluster",
      "big",
      "--nope",
      "stray",
      "--redis",
      "http://x",
      "--namespace",
      "a",
      "--tls=1",
      "--restart",
      "soon",
    ),
  ).toEqual([
    "--nope: no such flag (--help lists them)",
    "stray: no such flag (--help lists them)",
    "--tls takes no value",
    '--cluster big: expected "embedded" or "real"',
    "--namespace needs --kubeconfig",
    "--redis http://x: expected redis://host:port",
    "--kas 0: expected a whole number from 1 to 9",
    "--port 99999: expected a whole number from 0 to 65535",
    "--restart soon: expected a whole number from 0 to 3600",
  ]);
});

test("a value that is missing does not swallow the next flag", () => {
  expect(problemsOf("--dir", "--no-open", "--port")).toEqual(["--dir needs a value", "--port needs a value"]);
});

test("contradictions and repetitions are problems", () => {
  expect(problemsOf("--kubeconfig", "k", "--cluster", "real", "--port", "1", "--port", "2")).toEqual([
    "--port is given twice",
    "--kubeconfig and --cluster real exclude each other",
  ]);
});

test("environments with projects of their own have names of namespaces, once each, in a cluster of the sandbox", () => {
  expect(parseFlags([])).toMatchObject({ flags: { manifestProjects: [] } });
  expect(parseFlags(["--manifest-projects", "good,held-2"])).toMatchObject({ flags: { manifestProjects: ["good", "held-2"] } });
  expect(problemsOf("--manifest-projects", "a,Bad,a", "--kubeconfig", "k")).toEqual([
    "--manifest-projects Bad: expected names of namespaces, of at most 40 characters",
    "--manifest-projects names one of them twice",
    "--manifest-projects needs a cluster of the sandbox, not --kubeconfig",
  ]);
});

test("with a foreign cluster no user acts with the rights of its kubeconfig by default", () => {
  expect(parseFlags(["--kubeconfig", "k"])).toMatchObject({ flags: { actions: "off", terminal: false } });
  expect(parseFlags(["--kubeconfig", "k", "--actions", "safe"])).toMatchObject({ flags: { actions: "safe" } });
  expect(parseFlags(["--kubeconfig", "k", "--terminal"])).toMatchObject({ flags: { terminal: true } });
  expect(parseFlags(["--actions", "off"])).toMatchObject({ flags: { actions: "off" } });
  expect(problemsOf("--actions", "some")).toEqual(['--actions some: expected "off", "safe" or "all"']);
});

test("the help names every flag and wins over problems", () => {
  expect(parseFlags(["--help", "--nope"])).toMatchObject({ kind: "flags", flags: { help: true } });
  for (const flag of [
    "actions",
    "kubeconfig",
    "context",
    "namespace",
    "cluster",
    "redis",
    "kas",
    "port",
    "dir",
    "no-open",
    "tls",
    "host-names",
    "restart",
    "audit",
    "colleagues",
    "agents",
    "manifest-projects",
    "help",
  ])
    expect(USAGE).toContain(`--${flag}`);
});

test("without GitLab there is one agent, and nothing that needs a main application, Git or another cluster", () => {
  expect(parseFlags(["--standalone"])).toMatchObject({ flags: { standalone: true, agents: 1 } });
  expect(parseFlags([])).toMatchObject({ flags: { standalone: false } });
  expect(problemsOf("--standalone", "--agents", "2", "--manifest-projects", "a")).toEqual([
    "--standalone and --manifest-projects exclude each other",
    "--standalone has one agent",
  ]);
});
