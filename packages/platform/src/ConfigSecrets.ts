/**
 * Which fields of a plugin's configuration are secret, for what is written about a change. Set for each request from the
 * plugins that are loaded; without it, every field counts as secret.
 */
import { Context } from "effect"

export type SecretsOf = (kind: "check" | "channel", type: string) => ReadonlyArray<string> | undefined

export const ConfigSecrets = Context.Reference<SecretsOf>("@kanmon/platform/ConfigSecrets", {
  defaultValue: () => () => undefined
})
