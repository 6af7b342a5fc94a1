import { z } from "zod";

/** Ports of a kas, and the ways to the agents' one. */
export const TARGETS = ["agent", "agent-websocket", "api", "internal", "k8s-proxy", "observability"] as const;

/**
 * Token of an attacker: none, an unknown one (another each time), one of 12 KB, or one that is valid at that port; at the internal port it is a
 * hop token, as another kas would have it.
 */
export const TOKENS = ["none", "unknown", "huge", "good"] as const;

/** Paths by the names that cases use. */
export const PATHS = {
  connect: "/gitlab.agent.reverse_tunnel.rpc.ReverseTunnel/Connect",
  configuration: "/gitlab.agent.agent_configuration.rpc.AgentConfiguration/GetConfiguration",
  register: "/gitlab.agent.agent_registrar.rpc.AgentRegistrar/Register",
  tracker: "/gitlab.agent.agent_tracker.rpc.AgentTracker/GetConnectedAgents",
  gateway: "/gitlab.agent.kubernetes_api.rpc.KubernetesApi/MakeRequest",
  unknown: "/nowhere.Nothing/Do",
  star: "*",
  waits: "/kas.routing.TunnelWaits/Wait",
  pods: "/kas.v1.KasInternal/GetPods",
} as const;

// The names of PATHS are what zod needs, and the compiler only knows strings.
const pathName = z.enum(Object.keys(PATHS) as [keyof typeof PATHS, ...(keyof typeof PATHS)[]]);
const count = z.int().nonnegative();
const stream = count.default(0);

/** A message before it is framed. */
const message = z.discriminatedUnion("kind", [
  /** What an agent can do: `services` × `methods`, with names of so many characters; `nonce`: other names each time. */
  z.strictObject({ kind: z.literal("descriptor"), services: count, methods: count, nameLength: count, nonce: z.boolean().default(false) }),
  /** A descriptor with so many methods without a name: two bytes each, and an object each once decoded. */
  z.strictObject({ kind: z.literal("empty-methods"), methods: count }),
  /** The metadata of an agent, with a field of so many bytes. */
  z.strictObject({ kind: z.literal("agent-meta"), bytes: count }),
  /** The start of a request for a cluster, as one kas gives it to another. */
  z.strictObject({ kind: z.literal("http-request"), method: z.string(), path: z.string() }),
  /** The end of its body. */
  z.strictObject({ kind: z.literal("http-end") }),
  z.strictObject({ kind: z.literal("zeros"), bytes: count }),
  z.strictObject({ kind: z.literal("bytes"), hex: z.string() }),
]);

/** An answer of a hostile agent to a request. */
const answer = z.discriminatedUnion("send", [
  z.strictObject({ send: z.literal("header") }),
  z.strictObject({
    send: z.literal("response"),
    status: z.int(),
    headers: z.record(z.string(), z.string()).default({}),
    times: count.default(1),
  }),
  z.strictObject({ send: z.literal("body"), bytes: count, times: count.default(1) }),
  z.strictObject({ send: z.literal("body-end") }),
  z.strictObject({ send: z.literal("trailer") }),
  z.strictObject({ send: z.literal("error"), code: z.int() }),
  z.strictObject({ send: z.literal("message"), message }),
  z.strictObject({ send: z.literal("end") }),
  z.strictObject({ send: z.literal("reset"), code: count }),
]);

const step = z.discriminatedUnion("do", [
  /** HTTP/2: begins a request. `:authority`, `:method` and the like stand in `headers`, where `{agent}` is the id of the attack's agent. */
  z.strictObject({
    do: z.literal("open"),
    stream,
    path: pathName,
    token: z.enum(TOKENS),
    headers: z.record(z.string(), z.string()).default({}),
  }),
  /** HTTP/2: a framed message. `sent`: only this share of it; `announced`: another length than it has. */
  z.strictObject({
    do: z.literal("message"),
    stream,
    message,
    gzip: z.boolean().default(false),
    sent: z.number().min(0).max(1).default(1),
    announced: count.optional(),
  }),
  /** HTTP/2: half-closes. */
  z.strictObject({ do: z.literal("end"), stream }),
  /** HTTP/2: RST_STREAM with this code. */
  z.strictObject({ do: z.literal("reset"), stream, code: count }),
  /** Raw: text as it is; `{good}` and `{unknown}` become tokens, `{agent}` the id of the attack's agent. */
  z.strictObject({ do: z.literal("text"), text: z.string(), times: count.default(1) }),
  /** Raw: an HTTP/2 frame. `length`: another one than the payload has. */
  z.strictObject({
    do: z.literal("frame"),
    type: count,
    flags: count,
    stream,
    payload: z.string(),
    length: count.optional(),
    times: count.default(1),
  }),
  /** A client sends a request for the hostile agent to the Kubernetes proxy, and accepts any answer. */
  z.strictObject({ do: z.literal("ask"), times: count.default(1) }),
  /** The attack's agent connects, with so many tunnels and good manners. */
  z.strictObject({ do: z.literal("tunnels"), count }),
  /** Raw, to a TLS port without `tls`: this share of the first message of a client. */
  z.strictObject({ do: z.literal("hello"), sent: z.number().min(0).max(1) }),
  /** Raw: wants another handshake on the same connection; only TLS 1.2 knows that. */
  z.strictObject({ do: z.literal("renegotiate"), times: count.default(1) }),
  z.strictObject({ do: z.literal("wait"), ms: count }),
  /** What follows happens on a new connection; `times`: everything before it is done on so many connections at once. */
  z.strictObject({ do: z.literal("leave") }),
]);

/**
 * An attack as data: what one client does to one port. Kept in `cases/*.json` when it has found something.
 *
 * `speaks`: "http2" frames properly and heeds windows (Node's client), "raw" writes bytes and frames by hand and heeds nothing.
 */
export const attackSchema = z.strictObject({
  /** The mistake in kas that it looks for, or what it does. */
  what: z.string().default(""),
  target: z.enum(TARGETS),
  speaks: z.enum(["http2", "raw"]),
  /** Of a kas whose ports for agents and Kubernetes clients speak TLS; only those two are attacked there. */
  port: z.enum(["plain", "tls"]).default("plain"),
  /** What the client offers in its handshake. Absent: it does none. */
  tls: z
    .strictObject({
      alpn: z.array(z.string()).default([]),
      servername: z.string().default(""),
      newest: z.enum(["TLSv1.2", "TLSv1.3"]).default("TLSv1.3"),
    })
    .optional(),
  /** So many clients do the same at once. */
  clients: count.default(1),
  /** Each client does it so many times over, each time on other streams. */
  times: count.default(1),
  steps: z.array(step),
  /** Sent on a tunnel (`open` of `connect` with a good token) that gets a request. */
  answers: z.array(answer).default([]),
});

/** @see attackSchema */
export type Attack = z.output<typeof attackSchema>;
/** An attack as it is written down: what has a default may be left out. */
export type AttackInit = z.input<typeof attackSchema>;
/** One thing a client does. */
export type Step = Attack["steps"][number];
/** One part of the answer of a hostile agent. */
export type Answer = Attack["answers"][number];
/** A message before it is framed. */
export type Message = z.output<typeof message>;
