/** The fields of a channel that an update would change. Reads mask secrets, so only the server can compare them. */
import { hidden as hiddenFields } from "@kanmon/core/Masking"
import type { ChannelDraft } from "@kanmon/protocol/ChannelBody"
import { isDeepStrictEqual } from "node:util"

/** The same of what a caller sees who may not see where channels lead. `hidden`: settings that look alike. */
export const compareViews = (current: ChannelDraft, wanted: ChannelDraft) => {
  const view = (config: ChannelDraft["config"]) => hiddenFields(config, Object.keys(config))
  const shown = view(wanted.config)
  const fields = differing({ ...current, config: view(current.config) }, { ...wanted, config: shown })
  const hidden = Object.keys(shown)
    .filter((field) => !isDeepStrictEqual(shown[field], wanted.config[field]))
    .map((field) => `config.${field}`)
    .filter((field) => !fields.includes(field))
    .sort()
  return { differing: fields, ...(hidden.length === 0 ? {} : { hidden }) }
}

/** Paths such as `name` and `config.botToken`, sorted. */
export const differing = (current: ChannelDraft, wanted: ChannelDraft): ReadonlyArray<string> => {
  const common = (["key", "name", "type"] as const).filter((field) => current[field] !== wanted[field])
  const settings = Object.keys({ ...current.config, ...wanted.config })
    .filter((field) => !isDeepStrictEqual(current.config[field], wanted.config[field]))
    .map((field) => `config.${field}`)
  const hours = isDeepStrictEqual(current.quietHours, wanted.quietHours) ? [] : ["quietHours"]
  return [...common, ...hours, ...settings].sort()
}
