/** The description of an import's records before they are created. Pure. */
import type { ImportPlan } from "@kanmon/protocol/ImportBody"
import { listedTargetOf } from "../../live/target.ts"
type Plan = typeof ImportPlan.Encoded
type Step = Plan["steps"][number]

const texts = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : []

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

/** The target of a monitor, as lists show it: an address, a host with its port, or the schedule of a job. */
export const targetIn = ({ body }: Pick<Step, "body">): string | undefined =>
  text(listedTargetOf(body)) ?? text(body["schedule"])

/** The type of a monitor or channel. */
export const typeIn = ({ body }: Pick<Step, "body">): string | undefined => text(body["type"])

/** Seconds between two checks or signals. */
export const intervalIn = ({ body }: Pick<Step, "body">): number | undefined =>
  typeof body["interval"] === "number" ? body["interval"] : undefined

/** How many monitors a window, rule or page names. */
export const monitorsIn = ({ body }: Pick<Step, "body">): number =>
  Math.max(texts(body["monitorIds"]).length, Array.isArray(body["monitors"]) ? body["monitors"].length : 0)

/** The names of the channels that are told of an outage, by the ref of the monitor. A rule without monitors is for all. */
export const toldOf = ({ steps }: Pick<Plan, "steps">): ((ref: string) => ReadonlyArray<string>) => {
  const channels = steps.filter(({ kind }) => kind === "channel")
  const rules = steps.flatMap(({ body, kind }) =>
    kind === "rule" && (body["triggers"] === undefined || texts(body["triggers"]).includes("monitor_down"))
      ? [{ monitors: new Set(texts(body["monitorIds"])), channels: new Set(texts(body["channelIds"])) }]
      : []
  )
  return (ref) => {
    const watching = rules.filter(({ monitors }) => monitors.size === 0 || monitors.has(ref))
    return channels
      .filter((channel) => watching.some((rule) => rule.channels.size === 0 || rule.channels.has(channel.ref)))
      .map(({ name }) => name)
  }
}
