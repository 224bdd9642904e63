/** The channels of a project, the types that there are, and the newest test of each channel. */
import type { ChannelRecord } from "@kanmon/protocol/ChannelBody"
import { useQuery } from "@tanstack/react-query"
import { channelsQuery } from "../../api/channels.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { useRefresh } from "../../live/refresh.ts"

export type Channel = typeof ChannelRecord.Encoded

/** The channels; asked for again when a notification was sent. */
export const useChannels = () => {
  const { project } = useProjectData()
  useRefresh(channelsQuery(project).queryKey, ({ type }) =>
    /^kanmon\.(?:external-)?alert\.(?:delivered|failed)$/.test(type)
  )
  return useQuery(channelsQuery(project))
}

/** A test notification and what the provider said. */
export interface ChannelTest {
  readonly state: "sending" | "delivered" | "failed"
  /** The provider's response; empty before the test. */
  readonly detail: string
}

export const testKey = (id: string) => ["channel-test", id] as const

/** The newest test of a channel since the page was loaded. */
export const useTest = (id: string): ChannelTest | null | undefined =>
  useQuery<ChannelTest | null>({ queryKey: testKey(id), enabled: false, staleTime: Number.POSITIVE_INFINITY }).data
