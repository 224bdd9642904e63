/** Which fields of a channel a change would change. Reads do not show secrets, so only the server can tell. */
import type { ChannelDraft } from "@kanmon/protocol/ChannelBody"
import { isDeepStrictEqual } from "node:util"

/** Paths such as `name` and `config.botToken`, in the order of the alphabet. */
export const differing = (current: ChannelDraft, wanted: ChannelDraft): ReadonlyArray<string> => {
  const common = (["key", "name", "type"] as const).filter((field) => current[field] !== wanted[field])
  const settings = Object.keys({ ...current.config, ...wanted.config })
    .filter((field) => !isDeepStrictEqual(current.config[field], wanted.config[field]))
    .map((field) => `config.${field}`)
  return [...common, ...settings].sort()
}
