import { duration, secretFileName } from "@binnacle/config";
import { z } from "zod";

/** What notifications can be about. */
const NOTIFICATION_TYPES = [
  "agent_connected",
  "agent_disconnected",
  "configuration_applied",
  "configuration_refused",
  "sync_finished",
  "environment_health_changed",
  "node_count_changed",
] as const;
const STREAM = /^(?:[\w:.-]|\{agent_id\})+$/;

const webhook = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z\d-]{1,40}$/, "may have 40 lower-case letters, digits and dashes")
      .meta({ description: "Name in metrics and logs" }),
    url: z.url({ protocol: /^https?$/ }).meta({ description: "Where notifications are posted" }),
    secret_file: secretFileName().meta({ description: "Base64 secret that signs" }),
    previous_secret_file: secretFileName().optional().meta({ description: "Signs beside it, while receivers change over" }),
    events: z.array(z.enum(NOTIFICATION_TYPES)).min(1).optional().meta({ description: "Events that are sent; absent: all" }),
    allow_private_network: z
      .boolean()
      .default(false)
      .meta({ description: "Whether the receiver may be on a private network or this machine, and be reached over http" }),
  })
  .refine((hook) => hook.allow_private_network || hook.url.startsWith("https:"), "https is needed, unless allow_private_network is true");

/** The key `notifications`. @param redis how a Redis is configured */
export function notificationsSchema<R extends z.ZodType>(redis: R) {
  return z
    .strictObject({
      redis: redis.optional().meta({ description: "The Redis of an ActionCable server; key_prefix is not used" }),
      actioncable: z
        .strictObject({
          channel_prefix: z.string().min(1).optional().meta({ description: "channel_prefix of the application's cable.yml" }),
          stream: z
            .string()
            .regex(STREAM, "may have letters, digits, _ : . - and {agent_id}")
            .default("kas:agents:{agent_id}")
            .meta({ description: "Name of the stream; {agent_id} stands for the agent" }),
        })
        .prefault({}),
      webhooks: z.array(webhook).max(20).default([]).meta({ description: "Receivers over HTTP" }),
      environments: z
        .array(
          z.strictObject({
            name: z.string().min(1).max(255).meta({ description: "Name of the environment, as receivers know it" }),
            agent_id: z.int().positive().meta({ description: "Agent whose view of it is followed" }),
            namespaces: z.array(z.string().min(1)).default([]).meta({ description: "Its namespaces; empty: the whole cluster" }),
          }),
        )
        .max(1_000)
        .default([])
        .meta({ description: "Environments whose changes of health are sent; agents without views report none" }),
      nodes_of: z
        .array(z.int().positive())
        .max(1_000)
        .default([])
        .meta({ description: "Agents whose number of nodes is sent when it changes" }),
      disconnect_grace: duration.prefault("30s").meta({ description: "An agent that comes back within this time was never away" }),
      max_queued: z
        .int()
        .positive()
        .default(1_000)
        .meta({ description: "Notifications that may wait for a receiver; of more the oldest is dropped" }),
    })
    .refine(({ redis: cable, webhooks }) => cable !== undefined || webhooks.length > 0, "redis or webhooks must be set")
    .refine(({ webhooks }) => new Set(webhooks.map(({ name }) => name)).size === webhooks.length, "two webhooks have one name")
    .meta({ description: "Receivers of events of agents; absent: none" });
}
