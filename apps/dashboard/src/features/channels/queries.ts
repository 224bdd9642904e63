/** The channels of a project, the types that there are, and the newest test of each channel. */
import type { ChannelRecord } from "@kanmon/protocol/ChannelBody"
import { type QueryClient, useQuery } from "@tanstack/react-query"
import { channelsQuery } from "../../api/channels.ts"
import { reasonOf } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import type { CurrentProject } from "../../api/session.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { useRefresh } from "../../live/refresh.ts"

export type Channel = typeof ChannelRecord.Encoded

/** The channels; asked for again when a notification was sent. */
export const useChannels = () => {
  const { project } = useProjectData()
  useRefresh(
    channelsQuery(project).queryKey,
    ({ type }) => type === "kanmon.alert.delivered" || type === "kanmon.alert.failed"
  )
  return useQuery(channelsQuery(project))
}

/** A test notification and what the provider said. */
export interface ChannelTest {
  readonly state: "sending" | "delivered" | "failed"
  /** What the provider said; empty while it was not asked. */
  readonly detail: string
}

const testKey = (id: string) => ["channel-test", id] as const

/** The newest test of a channel since the page was loaded. */
export const useTest = (id: string): ChannelTest | null | undefined =>
  useQuery<ChannelTest | null>({ queryKey: testKey(id), enabled: false, staleTime: Number.POSITIVE_INFINITY }).data

/** The reader has seen how the test ended. */
export const forgetTest = (client: QueryClient, id: string): void => void client.setQueryData(testKey(id), null)

export const sendTest = async (client: QueryClient, project: CurrentProject, id: string): Promise<void> => {
  client.setQueryData<ChannelTest>(testKey(id), { state: "sending", detail: "" })
  try {
    const { detail } = await request("POST /notification-channels/:channelId/test", {
      params: { channelId: id },
      project: project.headers
    })
    client.setQueryData<ChannelTest>(testKey(id), { state: "delivered", detail })
  } catch (error) {
    const detail = reasonOf(error)
    client.setQueryData<ChannelTest>(testKey(id), { state: "failed", detail })
  }
  await client.invalidateQueries({ queryKey: channelsQuery(project).queryKey })
}
