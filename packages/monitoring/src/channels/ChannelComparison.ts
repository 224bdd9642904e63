/** The fields of a channel that an update would change. Reads mask secrets, so only the server can compare them. */
import type { ChannelDraft } from "@kanmon/protocol/ChannelBody"
import { isDeepStrictEqual } from "node:util"

/** Paths such as `name` and `config.botToken`, sorted. */
export const differing = (current: ChannelDraft, wanted: ChannelDraft): ReadonlyArray<string> => {
  const common = (["key", "name", "type"] as const).filter((field) => current[field] !== wanted[field])
  const settings = Object.keys({ ...current.config, ...wanted.config })
    .filter((field) => !isDeepStrictEqual(current.config[field], wanted.config[field]))
    .map((field) => `config.${field}`)
  const hours = isDeepStrictEqual(current.quietHours, wanted.quietHours) ? [] : ["quietHours"]
  return [...common, ...hours, ...settings].sort()
}
