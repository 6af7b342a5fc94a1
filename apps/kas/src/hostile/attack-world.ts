import { createHmac, randomBytes } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";

import { systemClock } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";

import {
  createKasSecrets,
  eventually,
  startKasProcess,
  startMainApplicationStandIn,
  TunnelAgent,
  type KasProcess,
  type KasSecrets,
  type MainApplicationStandIn,
} from "@binnacle/testing";

import { HopTokens } from "../kas-routing/hop-token.ts";
import type { Attack, TOKENS } from "./attack.ts";
import { makeCertificate, type Certificate } from "./certificate.ts";
import { askProxy } from "./proxy-question.ts";

/** What an attack must not leave behind, as it is before. */
interface Base {
  readonly memoryBytes: number;
  readonly gauges: ReadonlyMap<string, number>;
}

/** The first agent that behaves badly; each attack has one of its own, because kas remembers who did. */
const HOSTILE_AGENT = 1_000;
const POLITE_AGENT = 7;
const POLITE_TUNNELS = 4;
const NEIGHBOUR_MS = 5_000;
const SETTLE_MS = 20_000;
const EXIT_MS = 500;
const TURN_MS = 10;
const MIB = 1024 * 1024;
/** What may be left of an attack. */
const LEFT_BYTES = 16 * MIB;
/** What an attack may hold while it lasts: the accounts of an agent and of a user, and what sockets carry. */
const HELD_BYTES = 128 * MIB;
/** What an attack may need for a moment, garbage and all. */
const PEAK_BYTES = 288 * MIB;
/** Gauges that only tell of kas itself, or that only grow: caches with a bound. */
const NO_COUNTS = /^kas_(?:build_info|known_|.*_(?:cache|cached|remembered).*)/;

/**
 * A running kas, a main application, an agent with good manners and its user: what an attack meets. A kas that an attack has broken is
 * replaced by a new one, so that every attack meets a whole one.
 */
export class AttackWorld {
  readonly #application: MainApplicationStandIn;
  readonly #secrets: KasSecrets;
  readonly #certificate: Certificate | undefined;
  #kas: KasProcess;
  #agent: TunnelAgent;
  #base: Base | undefined;
  #hostileAgent = HOSTILE_AGENT;
  #residentBase = 0;

  private constructor(setting: Setting, started: Started) {
    this.#application = setting.application;
    this.#secrets = setting.secrets;
    this.#certificate = setting.certificate;
    this.#kas = started.kas;
    this.#agent = started.agent;
  }

  /** @param port whether the ports for agents and Kubernetes clients speak TLS */
  static async open(port: Attack["port"]): Promise<AttackWorld> {
    const application = await startMainApplicationStandIn();
    // As long as a real one takes: what happens while a credential is looked up must have the time to happen.
    application.delayMs = 20;
    const secrets = createKasSecrets();
    const certificate = port === "tls" ? makeCertificate(secrets.directory) : undefined;
    const setting = { application, secrets, certificate };
    return new AttackWorld(setting, await start(setting));
  }

  async close(): Promise<void> {
    this.#agent.close();
    await this.#kas.stop();
    await this.#application.close();
    rmSync(this.#secrets.directory, { recursive: true });
  }

  /** Id of the agent of the attack; its only user is an attacker too. */
  get hostileAgent(): number {
    return this.#hostileAgent;
  }

  /** "host:port" of the port that an attack goes to. */
  addressOf(target: Attack["target"]): string {
    const { agent, api, privateApi, k8sProxy, observability } = this.#kas.addresses;
    const addresses = { agent, "agent-websocket": agent, api, internal: privateApi, "k8s-proxy": k8sProxy, observability };
    return addresses[target];
  }

  /** Value of an `authorization` header; undefined: none. */
  authorization(target: Attack["target"], token: (typeof TOKENS)[number]): string | undefined {
    if (token === "none") return undefined;
    if (token === "unknown") return `Bearer ${randomBytes(12).toString("hex")}`;
    if (token === "huge") return `Bearer ${"t".repeat(12_000)}`;
    switch (target) {
      case "agent":
      case "agent-websocket":
        return `Bearer glagent-${this.#hostileAgent}`;
      case "api":
        return `Bearer ${jwtOf(this.#secrets.secret)}`;
      case "k8s-proxy":
        return `Bearer pat:${this.#hostileAgent}:user-${this.#hostileAgent}`;
      case "internal":
        return new HopTokens({
          secrets: [new Secret(readFileSync(this.#secrets.file, "utf8").trim())],
          kasId: "attacker",
          clock: systemClock,
        }).sign(this.#kas.addresses.kasId, BigInt(this.#hostileAgent));
      case "observability":
        return `Bearer ${jwtOf(this.#secrets.secret)}`;
      default:
        return target satisfies never;
    }
  }

  /** Another agent, the highest memory so far forgotten, and known from now on is what was there before an attack. */
  async prepare(): Promise<void> {
    this.#hostileAgent += 1;
    if (this.#base === undefined) {
      // What the first requests load and keep is no leak.
      for (let count = 0; count < 20; count += 1) await this.neighbourProblem();
      // The tunnel of the last one comes back a moment later.
      await eventually(async () => {
        this.#base = await this.#measure();
        return this.#base.gauges.get("kas_tunnels_idle") === POLITE_TUNNELS ? undefined : "the polite agent's tunnels are not idle";
      }, SETTLE_MS);
    }
    this.#residentBase = this.#kas.program.resident().now;
    // "5" resets the peak (proc(5), clear_refs).
    writeFileSync(`/proc/${this.#kas.program.pid}/clear_refs`, "5");
  }

  /** Settles when kas has answered a probe, or will not: its event loop has gone round. @returns its gauges, as a text to compare */
  async turn(): Promise<string> {
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
    try {
      return JSON.stringify([...gaugesOf(await this.#kas.metrics())]);
    } catch {
      // Others find out what is wrong.
      return "";
    }
  }

  /** The attack's agent connects as an agent should; the caller must end it. */
  openTunnels(tunnels: number): Promise<TunnelAgent> {
    return TunnelAgent.connect(agentUrlOf(this.#kas, this.#certificate), {
      token: `glagent-${this.#hostileAgent}`,
      tunnels,
      ...(this.#certificate && { ca: this.#certificate.pem }),
    });
  }

  /** Sends a request to the Kubernetes proxy. @throws without an answer within `limitMs` */
  ask(authorization: string, limitMs: number): Promise<{ readonly status: number; readonly text: string }> {
    const { k8sProxy } = this.#kas.addresses;
    return askProxy({ address: k8sProxy, ca: this.#certificate?.pem, path: "/api/v1/pods", authorization, limitMs });
  }

  /** A user of the polite agent asks; what is wrong with the answer. */
  async neighbourProblem(): Promise<string | undefined> {
    try {
      const { status, text } = await this.ask(`Bearer pat:${POLITE_AGENT}:user-${POLITE_AGENT}`, NEIGHBOUR_MS);
      return status === 200 && text === "{}" ? undefined : `a neighbour was answered ${status} ${text.slice(0, 300)}`;
    } catch (error) {
      return `a neighbour was not answered within ${NEIGHBOUR_MS} ms: ${String(error)}`;
    }
  }

  /** What is wrong while the attackers are still there. */
  async problemsWhileHeld(): Promise<string[]> {
    if (!this.#kas.program.alive) return [];
    try {
      const { heapUsed, external } = await this.#kas.program.heldMemory();
      const held = heapUsed + external - (this.#base?.memoryBytes ?? 0);
      const peak = this.#kas.program.resident().peak;
      return [
        ...(held > HELD_BYTES ? [`the attack holds ${mib(held)} of memory`] : []),
        ...(peak - this.#residentBase > PEAK_BYTES ? [`the attack needed ${mib(peak - this.#residentBase)} of memory at once`] : []),
      ];
    } catch (error) {
      return this.#kas.program.alive ? [String(error)] : [];
    }
  }

  /** What is wrong once the attackers have gone. */
  async problemsAfterwards(): Promise<string[]> {
    const problem = await this.neighbourProblem();
    // The news of its exit come a moment after its sockets are closed.
    if (problem !== undefined) await Promise.race([this.#kas.program.exited, new Promise((resolve) => setTimeout(resolve, EXIT_MS))]);
    if (!this.#kas.program.alive) return [`kas ended with ${await this.#kas.program.exited}: ${this.#kas.program.output.slice(-1_500)}`];
    if (problem !== undefined) return [problem];
    const base = this.#base;
    if (base === undefined) throw new Error("prepare comes first");
    try {
      await eventually(async () => differences(base, await this.#measure()), SETTLE_MS);
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  }

  /** Whether kas still runs. */
  get alive(): boolean {
    return this.#kas.program.alive;
  }

  /** Puts a new kas in the place of one that was broken. */
  async replace(): Promise<void> {
    this.#agent.close();
    await this.#kas.stop();
    const setting = { application: this.#application, secrets: this.#secrets, certificate: this.#certificate };
    const { kas, agent } = await start(setting);
    this.#kas = kas;
    this.#agent = agent;
    this.#base = undefined;
  }

  async #measure(): Promise<Base> {
    const metrics = await this.#kas.metrics();
    const { heapUsed, external } = await this.#kas.program.heldMemory();
    return { memoryBytes: heapUsed + external, gauges: gaugesOf(metrics) };
  }
}

/** What is counted up and down: no counters, no histograms. */
function gaugesOf(metrics: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const own = [...metrics].filter(([name]) => name.startsWith("kas_") && !NO_COUNTS.test(name));
  return new Map(own.filter(([name]) => !/_(?:total|sum|count|bucket)$/.test(name)));
}

function differences(base: Base, now: Base): string | undefined {
  const wrong = [...now.gauges].flatMap(([name, value]) => (value === (base.gauges.get(name) ?? 0) ? [] : [`${name} stays at ${value}`]));
  const left = now.memoryBytes - base.memoryBytes;
  if (left > LEFT_BYTES) wrong.push(`${mib(left)} of memory are left`);
  return wrong.length === 0 ? undefined : wrong.join("; ");
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(0)} MiB`;
}

function agentUrlOf(kas: KasProcess, certificate: Certificate | undefined): string {
  return `${certificate === undefined ? "grpc" : "grpcs"}://${kas.addresses.agent}`;
}

interface Setting {
  readonly application: MainApplicationStandIn;
  readonly secrets: KasSecrets;
  readonly certificate: Certificate | undefined;
}

interface Started {
  readonly kas: KasProcess;
  readonly agent: TunnelAgent;
}

async function start({ application, secrets, certificate }: Setting): Promise<Started> {
  const kas = await startKasProcess({
    mainApplication: application.address,
    secrets,
    ...(certificate && { tls: certificate }),
    configuration: {
      // Attackers come one after the other with the same token, and no other client waits.
      agent: { listen: { connections_per_token_per_minute: 100_000 } },
      gitlab: { api_rate_limit: { refill_rate_per_second: 1_000, bucket_size: 1_000 } },
      limits: { agent_wait: "2s" },
    },
  });
  const agent = await TunnelAgent.connect(agentUrlOf(kas, certificate), {
    token: `glagent-${POLITE_AGENT}`,
    tunnels: POLITE_TUNNELS,
    ...(certificate && { ca: certificate.pem }),
  });
  await eventually(() => (agent.accepted === POLITE_TUNNELS ? undefined : "the polite agent is not connected"), SETTLE_MS);
  return { kas, agent };
}

/** As the main application signs them: HS256, for kas, a minute long. */
function jwtOf(secret: Buffer): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const nowS = Math.floor(Date.now() / 1_000);
  const head = `${part({ alg: "HS256", typ: "JWT" })}.${part({ iss: "gitlab", aud: "gitlab-kas", iat: nowS, exp: nowS + 60 })}`;
  return `${head}.${createHmac("sha256", secret).update(head).digest("base64url")}`;
}
