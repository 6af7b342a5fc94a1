import { certificateFileName, secretFileName } from "@binnacle/config";
import { z } from "zod";

const prefix = (fallback: string, what: string) =>
  z
    .string()
    .min(1)
    .refine((text) => !text.startsWith("system:"), 'must not begin with "system:", which belongs to Kubernetes')
    .default(fallback)
    .meta({ description: what });

const prefixes = {
  username_prefix: prefix("oidc:user:", "In front of the user's name in the cluster"),
  groups_prefix: prefix("oidc:group:", "In front of the names of groups in the cluster"),
};

/** An organization in files, and the provider of identities of its users. */
export const standaloneSchema = z
  .strictObject({
    provider: z.literal("standalone").meta({ description: "Files of an organization, in place of gitlab" }),
    organization: z
      .string()
      .min(1)
      .meta({ description: "YAML file, or folder of such files, with projects, agents and access; read every 5s" }),
    state_file: z
      .string()
      .min(1)
      .optional()
      .meta({ description: "main_application.state_file of the dashboard, which writes it: personal access tokens; read every 5s" }),
    external_url: z.url({ protocol: /^https?$/ }).meta({ description: "Public address of the dashboard: allowed as Origin" }),
    oidc: z
      .strictObject({
        issuer_url: z.url({ protocol: /^https?$/ }).meta({ description: "Issuer of ID tokens; its discovery document names its keys" }),
        client_id: z.string().min(1).meta({ description: "Client that ID tokens must be issued for" }),
        ca_certificate_file: certificateFileName.optional().meta({ description: "PEM authorities that sign the issuer" }),
        username_claim: z.string().min(1).default("sub").meta({ description: "Claim with the user's name" }),
        groups_claim: z.string().min(1).default("groups").meta({ description: "Claim with the names of the user's groups" }),
        ...prefixes,
      })
      .optional()
      .meta({ description: "Users of a provider of identities; either this or users" }),
    users: z
      .strictObject({
        signing_secret_file: secretFileName().meta({
          description: "Base64 secret that kas signs its own ID tokens with; the same for every kas, and for no other program",
        }),
        web_secret_file: secretFileName().meta({ description: "Base64 secret shared with the dashboard, which passes on passwords" }),
        ...prefixes,
      })
      .optional()
      .meta({ description: "Users with passwords in the organization's files" }),
  })
  .refine(({ oidc, users }) => (oidc === undefined) !== (users === undefined), "needs either oidc or users")
  .meta({ description: "Another main application than GitLab; either this or gitlab" });
