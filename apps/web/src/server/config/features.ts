import { duration } from "@binnacle/config";
import { z } from "zod";

/** Which actions an environment has: none, those that can be reversed or whose pods a controller replaces, or all. */
const ACTION_LEVELS = ["off", "safe", "all"] as const;
export type ActionLevel = (typeof ACTION_LEVELS)[number];

/** Tiers of environments, as the main application has them. */
const TIERS = ["production", "staging", "testing", "development", "other"] as const;

const featuresOfTier = z.strictObject({
  actions: z.enum(ACTION_LEVELS).optional().meta({ description: "Narrows features.actions for environments of this tier" }),
  terminal: z.boolean().optional().meta({ description: "false: no terminals in environments of this tier" }),
});

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
/** Longer than a working day; a session of the token way is over after it anyway. */
const MAX_TERMINAL_MS = 24 * HOUR_MS;

/** Keys under `features` of web.yaml. */
export const featuresSchema = z
  .strictObject({
    actions: z.enum(ACTION_LEVELS).default("safe").meta({
      description:
        "Actions that viewers can perform with their own rights: none, those that can be reversed and restarts, or all, which deletes too",
    }),
    terminal: z.boolean().default(false).meta({
      description: "Shells in containers, with the viewer's own right to pods/exec",
    }),
    terminal_debug_image: z.string().max(500).regex(/^\S*$/, "an image has no spaces").default("").meta({
      description:
        "Image of debug containers, which viewers with the right to patch pods/ephemeralcontainers can add where features.actions is all; empty: none",
    }),
    terminal_session: z
      .strictObject({
        idle_timeout: duration
          .prefault("1h")
          .refine((ms) => ms >= MINUTE_MS && ms <= MAX_TERMINAL_MS, "from 1m to 24h")
          .meta({ description: "A terminal ends when nothing was typed and nothing came for so long; kas has a limit of its own" }),
        max_duration: duration
          .prefault("12h")
          .refine((ms) => ms >= MINUTE_MS && ms <= MAX_TERMINAL_MS, "from 1m to 24h")
          .meta({ description: "A terminal ends after so long, used or not" }),
      })
      .prefault({}),
    terminal_recording: z
      .strictObject({
        directory: z.string().min(1).optional().meta({
          description:
            "Where the output of each terminal is written as an asciicast v2 file; viewers see a notice; no terminal opens when it cannot be written",
        }),
      })
      .prefault({}),
    tiers: z.strictObject(Object.fromEntries(TIERS.map((tier) => [tier, featuresOfTier.prefault({})]))).prefault({}),
  })
  .prefault({});

/** What the operator allows. */
export type Features = z.output<typeof featuresSchema>;

/** The level of an environment. A tier only narrows; one that is not known counts as production. */
export function levelOf({ actions, tiers }: Features, tier: string): ActionLevel {
  const narrowed = tiers[knownTier(tier)]?.actions ?? actions;
  return ACTION_LEVELS.indexOf(narrowed) < ACTION_LEVELS.indexOf(actions) ? narrowed : actions;
}

/** Whether an environment has terminals. A tier only narrows; one that is not known counts as production. */
export function hasTerminal({ terminal, tiers }: Features, tier: string): boolean {
  return terminal && tiers[knownTier(tier)]?.terminal !== false;
}

/** The image of debug containers in an environment, which has terminals and all actions; `undefined`: none are offered. */
export function debugImageOf(features: Features, tier: string): string | undefined {
  const isOffered = features.terminal_debug_image !== "" && hasTerminal(features, tier) && levelOf(features, tier) === "all";
  return isOffered ? features.terminal_debug_image : undefined;
}

/** Whether what is done in an environment is done in production; a tier that is not known counts as it. */
export function isProduction(tier: string): boolean {
  return knownTier(tier) === "production";
}

function knownTier(tier: string): (typeof TIERS)[number] {
  return TIERS.find((each) => each === tier.toLowerCase()) ?? "production";
}
