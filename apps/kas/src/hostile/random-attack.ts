import fc from "fast-check";

import { PATHS, TARGETS, TOKENS, type AttackInit } from "./attack.ts";

type Step = AttackInit["steps"][number];
type Message = Extract<Step, { do: "message" }>["message"];
type Answer = NonNullable<AttackInit["answers"]>[number];

/** Codes of RFC 9113 §7, and two that are not there. */
const RST_CODES = [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 4_294_967_295];
/** Frame types of RFC 9113 §6, ORIGIN, and one that is not there. */
const FRAME_TYPES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 250];
const AUTHORITIES = ["kas", "x:99999", "[", "ws:%2F%2F127.0.0.1:18250%2Fsome%2Fpath", "a b", "", "user@kas:1", "%00"];
const PAYLOADS = ["", "00", "00000000", "0000000000000000", "ffffffff", "000300000064", "0000000010", "ff".repeat(64)];
const HTTP1 = [
  "GET /api HTTP/1.1\r\nhost: kas\r\nauthorization: Bearer {good}\r\n\r\n",
  "GET /api HTTP/1.1\r\nhost: kas\r\nauthorization: Bearer {unknown}\r\n\r\n",
  "POST /api/v1/pods HTTP/1.1\r\nhost: kas\r\nauthorization: Bearer {good}\r\ncontent-length: 1000000\r\n\r\nhalf",
  "POST /api/v1/pods HTTP/1.1\r\nhost: kas\r\nauthorization: Bearer {good}\r\ntransfer-encoding: chunked\r\n\r\nffffffff\r\nx",
  "GET /watch HTTP/1.1\r\nhost: kas\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
  "GET /x HTTP/1.1\r\nhost: kas\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-protocol: ws-tunnel\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n\x81\x85\x00\x00\x00\x00hello",
  "GET /metrics HTTP/1.1\r\nhost: kas\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nhost: kas\r\n\r\n",
  "CONNECT kas:443 HTTP/1.1\r\nhost: kas\r\n\r\n",
  "GET /api HTTP/1.1\r\nhost: kas\r\nx: ",
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "\x00\xff\x00\xff",
];

const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    kind: fc.constant("descriptor" as const),
    services: fc.integer({ min: 0, max: 300 }),
    methods: fc.integer({ min: 0, max: 70 }),
    nameLength: fc.constantFrom(0, 1, 200, 300),
    nonce: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("empty-methods" as const), methods: fc.constantFrom(1, 60_000, 1_000_000) }),
  fc.record({ kind: fc.constant("agent-meta" as const), bytes: fc.constantFrom(1, 1_000, 70_000, 20_000_000) }),
  fc.record({ kind: fc.constant("zeros" as const), bytes: fc.constantFrom(0, 1, 65_537, 5_000_000, 10_000_000) }),
  fc.record({
    kind: fc.constant("bytes" as const),
    hex: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("hex")),
  }),
);

const stream = fc.integer({ min: 0, max: 3 });
/** What a port serves comes more often than what it does not. */
const anyPath: fc.Arbitrary<keyof typeof PATHS> = fc.constantFrom(
  ...(["connect", "connect", "connect", "configuration", "configuration", "tracker", "tracker"] as const),
  ...(["register", "gateway", "unknown", "star"] as const),
);
/** NO_ERROR is the odd one: Node takes it for an end, not for an error. */
const anyCode = fc.oneof(fc.constant(0), fc.constantFrom(...RST_CODES));
const good: Message = { kind: "descriptor", services: 1, methods: 1, nameLength: 10 };

const framed = fc.record({
  do: fc.constant("message" as const),
  stream,
  message,
  gzip: fc.boolean(),
  sent: fc.constantFrom(0.01, 0.5, 0.99, 1, 1, 1),
});
const pause = fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(0, 1, 3, 20) });

const http2Step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("open" as const),
    stream,
    path: anyPath,
    token: fc.constantFrom(...TOKENS),
    headers: fc.oneof(
      fc.constant({}),
      fc.constantFrom(...AUTHORITIES).map((authority) => ({ ":authority": authority })),
      fc.constantFrom("GET", "HEAD", "OPTIONS", "PRI", "x").map((method) => ({ ":method": method })),
      fc.constantFrom("application/json", "application/connect+proto", "text/plain").map((type) => ({ "content-type": type })),
    ),
  }),
  framed,
  fc.tuple(framed, fc.constantFrom(0, 1, 4_294_967_295)).map(([step, announced]) => ({ ...step, announced })),
  fc.record({ do: fc.constant("end" as const), stream }),
  fc.record({ do: fc.constant("reset" as const), stream, code: anyCode }),
  pause,
);

const connectHeaders = (token: string, authority: string, path: string): string =>
  `headers::method: POST|:scheme: http|:path: ${path}|:authority: ${authority}|content-type: application/grpc|te: trailers|authorization: Bearer ${token}`;

const frame = (type: number, flags: number, of: { stream: number; payload: string }): Step => ({ do: "frame", type, flags, ...of });

/** What a call may go through before it ends: headers, perhaps some data, a pause, a reset with any code. */
const rawCall: fc.Arbitrary<Step[]> = fc
  .record({
    stream: fc.constantFrom(1, 3, 5),
    flags: fc.constantFrom(4, 4, 4, 4, 5, 0, 255),
    token: fc.constantFrom("{good}", "{unknown}"),
    authority: fc.constantFrom(...AUTHORITIES),
    path: anyPath,
    data: fc.option(fc.constantFrom(...PAYLOADS)),
    pauseMs: fc.option(fc.constantFrom(0, 1, 3, 20), { freq: 1 }),
    code: fc.option(anyCode),
  })
  .map(({ stream, flags, token, authority, path, data, pauseMs, code }) => [
    frame(1, flags, { stream, payload: connectHeaders(token, authority, PATHS[path]) }),
    ...(data === null ? [] : [frame(0, 0, { stream, payload: data })]),
    ...(pauseMs === null ? [] : [{ do: "wait" as const, ms: pauseMs }]),
    ...(code === null ? [] : [frame(3, 0, { stream, payload: code.toString(16).padStart(8, "0") })]),
  ]);

const rawNonsense: fc.Arbitrary<Step[]> = fc
  .record({
    do: fc.constant("frame" as const),
    type: fc.constantFrom(...FRAME_TYPES),
    flags: fc.integer({ min: 0, max: 255 }),
    stream: fc.constantFrom(0, 1, 2, 3, 2_147_483_647),
    payload: fc.constantFrom(...PAYLOADS),
    times: fc.constantFrom(1, 1, 1, 500),
  })
  .map((step) => [step]);

/** Groups of steps; what one group needs to make sense stays together. */
const rawSteps = fc
  .array(fc.oneof({ weight: 4, arbitrary: rawCall }, { weight: 1, arbitrary: rawNonsense }), { minLength: 1, maxLength: 4 })
  .map((groups) => groups.flat());

const answer: fc.Arbitrary<Answer> = fc.oneof(
  fc.constant({ send: "header" as const }),
  fc.record({
    send: fc.constant("response" as const),
    status: fc.constantFrom(100, 101, 102, 103, 199, 200, 204, 304, 500, 600, 0, -1),
    headers: fc.constantFrom(
      {},
      { "Content-Length": "2" },
      { "Content-Length": "1000000" },
      { "Transfer-Encoding": "chunked" },
      { "x\r\ny": "z" },
      { X: "a\r\nb: c" },
    ),
    times: fc.constantFrom(1, 1, 300),
  }),
  fc.record({ send: fc.constant("body" as const), bytes: fc.constantFrom(0, 1, 2, 100_000), times: fc.constantFrom(1, 1, 200) }),
  fc.constant({ send: "body-end" as const }),
  fc.constant({ send: "trailer" as const }),
  fc.record({ send: fc.constant("error" as const), code: fc.constantFrom(0, 1, 7, 14, 99, -1) }),
  fc.record({ send: fc.constant("message" as const), message }),
  fc.constant({ send: "end" as const }),
  fc.record({ send: fc.constant("reset" as const), code: anyCode }),
);

const crowd = { clients: fc.constantFrom(1, 1, 3), times: fc.constantFrom(1, 1, 5, 30) };

const overHttp2 = fc.record({
  target: fc.constantFrom("agent", "agent-websocket", "api", "internal"),
  speaks: fc.constant("http2" as const),
  ...crowd,
  steps: fc.array(http2Step, { minLength: 1, maxLength: 8 }),
});

const inFrames = fc.record({
  target: fc.constantFrom("agent", "agent-websocket", "api", "internal"),
  speaks: fc.constant("raw" as const),
  ...crowd,
  steps: rawSteps,
});

const inText = fc.record({
  target: fc.constantFrom(...TARGETS),
  speaks: fc.constant("raw" as const),
  ...crowd,
  steps: fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ do: fc.constant("text" as const), text: fc.constantFrom(...HTTP1), times: fc.constantFrom(1, 1, 20) }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("text" as const), text: fc.string({ maxLength: 30, unit: "binary-ascii" }) }) },
      { weight: 1, arbitrary: pause },
    ),
    { minLength: 1, maxLength: 5 },
  ),
});

/** A tunnel, a client with a request, and an agent with arbitrary answers. */
const asAgent = fc
  .record({
    target: fc.constantFrom("agent", "agent-websocket"),
    answers: fc.array(answer, { maxLength: 6 }),
    last: fc.option(http2Step, { nil: undefined }),
  })
  .map(({ target, answers, last }) => ({
    target,
    speaks: "http2" as const,
    answers,
    steps: [
      { do: "open" as const, path: "connect" as const, token: "good" as const },
      { do: "message" as const, message: good },
      { do: "ask" as const },
      { do: "wait" as const, ms: 30 },
      ...(last === undefined ? [] : [last]),
    ],
  }));

/** Headers that kas give each other, right and wrong. */
const HOP_HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { "kas-hop-impersonation": "1" },
  { "kas-hop-context": "garbage" },
  { "kas-hop-context": "c".repeat(8_000) },
  { "kas-hop-ticket": "unknown" },
  { "kas-hop-connection-id": "99999999999999999999" },
  { "kas-hop-connection-id": "1" },
  { "kas-hop-method": PATHS.gateway },
  { "kas-hop-routing-agent-id": "7" },
  { "kas-hop-routing-agent-id": "-1" },
];

/** What another kas may do that has the secret and means harm; the agent it asks for may be there, may go, may never have come. */
const hopStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .record({ stream, path: fc.constantFrom("gateway", "gateway", "waits", "pods"), headers: fc.constantFrom(...HOP_HEADERS) })
      .map(({ stream, path, headers }) => ({
        do: "open" as const,
        stream,
        path,
        token: "good" as const,
        headers: { "kas-hop-routing-agent-id": "{agent}", ...headers },
      })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("message" as const),
      stream,
      message: fc.oneof(
        fc.record({
          kind: fc.constant("http-request" as const),
          method: fc.constantFrom("GET", "POST", "", "CONNECT"),
          path: fc.constantFrom("/api", "/api/v1/pods", "", "x".repeat(60_000)),
        }),
        fc.constant({ kind: "http-end" as const }),
        message,
      ),
      gzip: fc.boolean(),
      sent: fc.constantFrom(0.5, 1, 1, 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("end" as const), stream }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reset" as const), stream, code: anyCode }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("tunnels" as const), count: fc.constantFrom(0, 1, 4) }) },
  { weight: 1, arbitrary: pause },
);

const asPeer = fc.record({
  target: fc.constant("internal" as const),
  speaks: fc.constant("http2" as const),
  ...crowd,
  steps: fc.array(hopStep, { minLength: 1, maxLength: 10 }),
});

const tls = fc.record({
  alpn: fc.constantFrom([], ["h2"], ["http/1.1"], ["h2", "http/1.1"], ["x".repeat(255)], Array<string>(100).fill("spdy/3")),
  servername: fc.constantFrom("", "kas", "a".repeat(63), "xn--a"),
  newest: fc.constantFrom("TLSv1.2", "TLSv1.3"),
});

const TLS_TARGETS = ["agent", "agent-websocket", "k8s-proxy"] as const;

/** The same steps of any client, through TLS, whatever was offered in the handshake. */
const throughTls = fc
  .record({
    attack: fc.oneof(overHttp2, inFrames, inText, asAgent),
    target: fc.constantFrom(...TLS_TARGETS),
    tls,
    renegotiates: fc.constantFrom(0, 0, 1, 10),
  })
  .map(({ attack, target, tls, renegotiates }) => ({
    ...attack,
    // An attack of an agent still targets an agent port.
    target: "answers" in attack ? attack.target : target,
    port: "tls" as const,
    tls,
    steps: [...attack.steps, ...(renegotiates === 0 ? [] : [{ do: "renegotiate" as const, times: renegotiates }])],
  }));

/** Bytes at a TLS port that are no handshake, or part of one. */
const withoutHandshake = fc.record({
  target: fc.constantFrom("agent", "k8s-proxy"),
  speaks: fc.constant("raw" as const),
  port: fc.constant("tls" as const),
  ...crowd,
  steps: fc.array(
    fc.oneof(
      fc.record({ do: fc.constant("hello" as const), sent: fc.constantFrom(0.01, 0.5, 0.99, 1) }),
      fc.record({ do: fc.constant("text" as const), text: fc.constantFrom(...HTTP1), times: fc.constantFrom(1, 1, 20) }),
      fc.record({ do: fc.constant("text" as const), text: fc.string({ maxLength: 30, unit: "binary-ascii" }) }),
      pause,
    ),
    { minLength: 1, maxLength: 4 },
  ),
});

/** Any attack there is. Smaller ones come out of shrinking, ready to be kept as a case. */
export const anyAttack: fc.Arbitrary<AttackInit> = fc.oneof(
  { weight: 3, arbitrary: overHttp2 },
  { weight: 3, arbitrary: inFrames },
  { weight: 2, arbitrary: inText },
  { weight: 3, arbitrary: asAgent },
  { weight: 3, arbitrary: asPeer },
  { weight: 3, arbitrary: throughTls },
  { weight: 1, arbitrary: withoutHandshake },
);
