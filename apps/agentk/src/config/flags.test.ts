import { describe, expect, test } from "vitest";

import { parseFlags } from "./flags.ts";

const REQUIRED = ["--kas-address", "wss://kas.example.com/-/agent/", "--token-file", "/token"];

describe("parseFlags", () => {
  test("gives the defaults of the original agent", () => {
    expect(parseFlags(REQUIRED, { POD_NAMESPACE: "ns", POD_NAME: "pod", KUBECONFIG: "" })).toMatchObject({
      kasAddress: "wss://kas.example.com/-/agent/",
      observabilityAddress: { host: "", port: 8080 },
      kubeconfig: undefined,
      logLevel: "info",
      kubeApiQps: 50,
      kubeApiBurst: 300,
      podNamespace: "ns",
      podName: "pod",
    });
  });

  test("reads every flag; the kubeconfig flag wins over the environment", () => {
    const flags = [
      "--ca-cert-file=/ca",
      "--kubeconfig=/k",
      "--context=c",
      "--observability-listen-address=[::1]:0",
      "--ready-file=/r",
      "--shutdown-grace=1.5",
      "--log-level=debug",
      "--kube-api-qps=7.5",
      "--kube-api-burst=9",
    ];
    expect(parseFlags([...REQUIRED, ...flags], { KUBECONFIG: "/other" })).toMatchObject({
      caCertFile: "/ca",
      kubeconfig: "/k",
      context: "c",
      observabilityAddress: { host: "::1", port: 0 },
      readyFile: "/r",
      shutdownGraceMs: 1_500,
      logLevel: "debug",
      kubeApiQps: 7.5,
      kubeApiBurst: 9,
    });
  });

  test("shows all mistakes at once", () => {
    expect(
      parseFlags(["--kas-address=http://x", "--observability-listen-address=8080", "--shutdown-grace=-1", "--log-level=loud"], {}),
    ).toEqual({
      errors: [
        '--kas-address: "http://x" is not a grpc://, grpcs://, ws:// or wss:// URL',
        "--token-file is required",
        "--observability-listen-address: expected host:port",
        "--shutdown-grace: expected seconds, 0 to 3600",
        "--log-level: expected one of error, warn, info, debug, silent",
      ],
    });
  });

  test.each(["0", "0.5", "-1", "1e9", "many"])("a pace of %s is refused", (text) => {
    expect(parseFlags([...REQUIRED, `--kube-api-qps=${text}`, `--kube-api-burst=${text}`], {})).toEqual({
      errors: ["--kube-api-qps: expected requests per second, 1 to 10000", "--kube-api-burst: expected a number of requests, 1 to 10000"],
    });
  });

  test("an unknown flag is named", () => {
    expect(parseFlags([...REQUIRED, "--kas-adress=x"], {})).toEqual({ errors: [expect.stringContaining("--kas-adress")] });
  });
});
