import { z } from "zod";

/** Which actions an environment has: none, those that can be reversed or whose pods a controller replaces, or all. */
const ACTION_LEVELS = ["off", "safe", "all"] as const;
export type ActionLevel = (typeof ACTION_LEVELS)[number];

/** Tiers of environments, as the main application has them. */
const TIERS = ["production", "staging", "testing", "development", "other"] as const;

const levelOfTier = z.strictObject({
  actions: z.enum(ACTION_LEVELS).optional().meta({ description: "Narrows features.actions for environments of this tier" }),
});

/** Keys under `features` of web.yaml. */
export const featuresSchema = z
  .strictObject({
    actions: z.enum(ACTION_LEVELS).default("safe").meta({
      description: "Actions that viewers can perform with their own rights: none, those that can be reversed and restarts, or all, which deletes too",
    }),
    tiers: z.strictObject(Object.fromEntries(TIERS.map((tier) => [tier, levelOfTier.prefault({})]))).prefault({}),
  })
  .prefault({});

/** What the operator allows. */
export type Features = z.output<typeof featuresSchema>;

/** The level of an environment. A tier only narrows; one that is not known counts as production. */
export function levelOf({ actions, tiers }: Features, tier: string): ActionLevel {
  const narrowed = tiers[tierOf(tier)]?.actions ?? actions;
  return ACTION_LEVELS.indexOf(narrowed) < ACTION_LEVELS.indexOf(actions) ? narrowed : actions;
}

/** Whether a tier is production, or not known. */
export function isProduction(tier: string): boolean {
  return tierOf(tier) === "production";
}

function tierOf(tier: string): (typeof TIERS)[number] {
  return TIERS.find((each) => each === tier.toLowerCase()) ?? "production";
}
