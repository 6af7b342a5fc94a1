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

  test("takes any number of endpoints of services, each an address and a port", () => {
    const flags = ["--service-endpoint=monitoring/prometheus=127.0.0.1:9090", "--service-endpoint", "shop/api=[::1]:80"];
    expect(parseFlags([...REQUIRED, ...flags], {})).toMatchObject({
      serviceEndpoints: new Map([
        ["monitoring/prometheus", { address: "127.0.0.1", port: 9090 }],
        ["shop/api", { address: "::1", port: 80 }],
      ]),
    });
    expect(parseFlags([...REQUIRED, "--service-endpoint=a/b=localhost:1", "--service-endpoint=a=127.0.0.1:1"], {})).toEqual({
      errors: [
        '--service-endpoint: "a/b=localhost:1" is not namespace/service=IP:port',
        '--service-endpoint: "a=127.0.0.1:1" is not namespace/service=IP:port',
      ],
    });
    expect(parseFlags([...REQUIRED, "--service-endpoint=a/b=127.0.0.1:1", "--service-endpoint=a/b=127.0.0.1:2"], {})).toEqual({
      errors: ["--service-endpoint: a Service stands there twice"],
    });
  });

  test("takes the proxy of the environment by the scheme of kas, and its own flag before that", () => {
    const env = { HTTPS_PROXY: "http://me:p4ss@env:3128", NO_PROXY: ".internal" };
    const proxyFor = (flags: readonly string[]): unknown => {
      const options = parseFlags([...REQUIRED, ...flags], env);
      return "errors" in options ? options.errors : options.proxy?.name;
    };
    expect(proxyFor([])).toBe("http://env:3128");
    expect(proxyFor(["--kas-address=grpc://kas.internal"])).toBeUndefined();
    expect(proxyFor(["--kas-address=grpc://kas.internal", "--proxy=https://own"])).toBe("https://own:443");
    expect(proxyFor(["--proxy=socks5://me:p4ss@x"])).toEqual(["--proxy: expected http://[user:password@]host[:port] or https://…"]);
    expect(parseFlags(REQUIRED, { HTTPS_PROXY: "socks5://me:p4ss@x" })).toEqual({
      errors: ["HTTPS_PROXY: expected http://[user:password@]host[:port] or https://…"],
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
