import { request as httpRequest, type Agent, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { json } from "node:stream/consumers";

import { createLogger } from "@binnacle/telemetry";
import { ManualClock, settle, until } from "@binnacle/testing";

import { LocalConfigurationErrors } from "../../../agent-configuration/configuration-errors.ts";
import { KubernetesApiListener, type KubernetesApiListenerOptions } from "../kubernetes-api-listener.ts";
import { CallerAccess, type CallerAccessOptions } from "../../access/caller-access.ts";
import { KubernetesProxy, type KubernetesProxyOptions } from "../../proxy/kubernetes-proxy.ts";
import type { RawRefusals } from "../../http/raw-refusal.ts";
import { ServiceEndpoint } from "../../services/service-endpoint.ts";
import { ProxyAuthorizer } from "../../../main-application/proxy-authorizer.ts";
import { startMainApplication, type FakeMainApplication } from "../../../main-application/testing/fake-main-application.ts";
import { ScriptedRouter, type ScriptedCall } from "../../../agent-call/testing/scripted-router.ts";

/** Where the proxy under test begins. */
export const PREFIX = "/-/k8s/";
/** The one origin that may use it from a browser. */
export const ORIGIN = "https://app.example";
/** A person as the main application answers; `access_as` decides as whom. */
export const USER = {
  agent: { id: 7, config_project: { id: 3 } },
  user: { id: 1, username: "ann" },
  access_as: { user: { projects: [{ id: 3, roles: ["reporter", "developer"] }], groups: [] } },
} as const;
/** A job as the main application answers. */
export const JOB = {
  allowed_agents: [{ id: 7, config_project: { id: 3 }, configuration: { access_as: { ci_job: {} } } }],
  job: { id: 5 },
  pipeline: { id: 6 },
  project: { id: 3, groups: [{ id: 9 }] },
  user: { id: 1, username: "ann", roles_in_project: [] },
} as const;

/** Credentials of the two kinds that tools use. */
export const PAT = { authorization: "Bearer pat:7:good" } as const;
export const CI = { authorization: "Bearer ci:7:good" } as const;
export const COOKIE = { cookie: "_gitlab_kas=good", "gitlab-agent-id": "7", "x-csrf-token": "t" } as const;

/** An answer whose body was not read yet. */
export interface Answer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: IncomingMessage;
}

/** What a test may set of the proxy and of who may call it. */
export type ProxySettings = Partial<CallerAccessOptions & Omit<KubernetesProxyOptions, "callers">>;

/** How a request is sent. */
export interface SendOptions {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly method?: string;
  readonly body?: string | Uint8Array;
  readonly agent?: Agent;
}

/** Knows how many questions are not answered yet. */
class CountingAuthorizer extends ProxyAuthorizer {
  asking = 0;

  override user(...question: Parameters<ProxyAuthorizer["user"]>): ReturnType<ProxyAuthorizer["user"]> {
    this.asking += 1;
    return super.user(...question).finally(() => (this.asking -= 1));
  }

  override job(...question: Parameters<ProxyAuthorizer["job"]>): ReturnType<ProxyAuthorizer["job"]> {
    this.asking += 1;
    return super.job(...question).finally(() => (this.asking -= 1));
  }
}

/** A proxy on a socket, with a scripted agent behind it and a main application beside it; its clock stands still. */
export class ProxyUnderTest {
  readonly clock = new ManualClock();
  readonly router = new ScriptedRouter();
  /** Statuses of answers, as they are counted. */
  readonly answered: number[] = [];
  /** Agents that broke the rules, with the reason. */
  readonly violations: [bigint, string][] = [];
  /** What never became a request, by reason. */
  readonly refused: string[] = [];
  readonly application: FakeMainApplication;
  readonly callers: CallerAccess;
  readonly proxy: KubernetesProxy;
  /** Services of the cluster, on the same port. */
  readonly #services: ServiceEndpoint;
  readonly #authorizer: CountingAuthorizer;
  readonly #answers = new Set<IncomingMessage>();
  #listener: KubernetesApiListener | undefined;

  private constructor(application: FakeMainApplication, changes: ProxySettings) {
    this.application = application;
    const ttl = { okMs: 60_000, refusedMs: 10_000 };
    this.#authorizer = new CountingAuthorizer(application.client({ clock: this.clock }), this.clock, { users: ttl, jobs: ttl });
    const settings = {
      router: this.router,
      clock: this.clock,
      authorizer: this.#authorizer,
      errors: new LocalConfigurationErrors(this.clock, 60_000),
      log: createLogger("test", "silent"),
      pathPrefix: PREFIX,
      allowedOrigin: ORIGIN,
      waitMs: 20_000,
      serverName: "gitlab-kas/test",
      onAnswer: (code) => void this.answered.push(code),
      onViolation: (agentId, fault) => void this.violations.push([agentId, fault.reason]),
      ...changes,
    } satisfies CallerAccessOptions & Omit<KubernetesProxyOptions, "callers">;
    this.callers = new CallerAccess(settings);
    const { callers } = this;
    this.proxy = new KubernetesProxy({ ...settings, callers });
    this.#services = new ServiceEndpoint({ callers, proxy: this.proxy, pathPrefix: PREFIX });
  }

  /** Starts it; good credentials are accepted as `USER` and `JOB`. @param beside answers requests that are not for the cluster */
  static async start(
    changes: ProxySettings = {},
    refusals?: RawRefusals,
    beside: (test: ProxyUnderTest) => KubernetesApiListenerOptions["intercept"] = () => () => false,
  ): Promise<ProxyUnderTest> {
    const application = await startMainApplication();
    application.answer = ({ url }) => ({ status: 200, body: url.endsWith("/authorize_proxy_user") ? USER : JOB });
    const test = new ProxyUnderTest(application, changes);
    const answersBeside = beside(test);
    test.#listener = await KubernetesApiListener.open({
      listen: { host: "127.0.0.1", port: 0 },
      proxy: test.proxy,
      clock: test.clock,
      graceMs: 0,
      upgrade: () => false,
      intercept: (request, response) => test.#services.intercept(request, response) || answersBeside(request, response),
      refusals: refusals ?? { note: ({ reason }) => void test.refused.push(reason) },
    });
    return test;
  }

  /** "host:port". */
  get address(): string {
    return this.#listener?.address ?? "";
  }

  /** Also ends what is still read of answers. */
  async stop(): Promise<void> {
    for (const answer of this.#answers) answer.destroy();
    await this.#listener?.close();
    await this.application.close();
  }

  /** The main application has answered every question, and what follows from it has been done. */
  async answers(): Promise<void> {
    await until(() => this.#authorizer.asking === 0);
    await settle();
  }

  /** Node's own client: it sends path and headers as they are given. */
  send(path: string, { headers = PAT, method = "GET", body, agent }: SendOptions = {}): Promise<Answer> {
    const [host, port] = this.#address();
    return new Promise((resolve, reject) => {
      const lines = Object.entries(headers).flatMap(([name, value]) =>
        (typeof value === "string" ? [value] : value).flatMap((line) => [name, line]),
      );
      const own = Object.keys(headers).some((name) => name.toLowerCase() === "host") ? [] : ["Host", `${host}:${port}`];
      const length = body === undefined ? [] : ["Content-Length", String(Buffer.byteLength(body))];
      const sent = httpRequest({ host, port, path, method, headers: [...own, ...lines, ...length], ...(agent && { agent }) }, (answer) => {
        this.#answers.add(answer);
        answer.on("error", () => undefined);
        resolve({ statusCode: answer.statusCode ?? 0, headers: answer.headers, body: answer });
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }

  /** A refusal of ours: always a Status. */
  async refusal(path: string, options: SendOptions = {}) {
    const { statusCode, headers, body } = await this.send(path, options);
    // Every refusal of ours has this shape; the callers look at the parts.
    const status = (await json(body)) as { kind: string; message: string; details?: { causes?: { reason: string }[]; stage?: string } };
    return {
      status: statusCode,
      kind: status.kind,
      message: status.message,
      reason: status.details?.causes?.[0]?.reason,
      stage: status.details?.stage,
      headers,
    };
  }

  /** A bare connection. */
  dial(options: { readonly allowHalfOpen?: boolean } = {}): Socket {
    const [host, port] = this.#address();
    return connect({ host, port: Number(port), ...options });
  }

  call(index = -1): ScriptedCall {
    const call = this.router.calls.at(index);
    if (call === undefined) throw new Error("no call reached the agent");
    return call;
  }

  /** Start line and headers of a request as the agent received it. */
  requestHead(index = -1) {
    const message = this.call(index).messages[0]?.message;
    if (message?.case !== "header" || message.value.request === undefined) throw new Error("the first message is no header");
    return message.value.request;
  }

  #address(): [string, string] {
    const [host = "", port = ""] = this.#listener?.address.split(":") ?? [];
    return [host, port];
  }
}
