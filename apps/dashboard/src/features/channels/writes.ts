/** The codes and the tests of channels. */
import { useQueryClient } from "@tanstack/react-query"
import { channelsQuery, useTestChannel } from "../../api/channels.ts"
import { reasonOf } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import { useWrite } from "../../api/write.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { type ChannelTest, testKey } from "./queries.ts"

/** The recipient of the code; the only one needs no name. */
interface Recipient {
  readonly recipient?: string
}

export const useConfirmChannel = (channelId: string) => {
  const { project } = useProjectData()
  return useWrite({
    send: (body: Recipient & { readonly code: string }) =>
      request("POST /notification-channels/:channelId/confirm", {
        params: { channelId },
        project: project.headers,
        body
      }),
    stale: [channelsQuery(project).queryKey]
  })
}

export const useSendChannelCode = (channelId: string) => {
  const { project } = useProjectData()
  return useWrite({
    send: (body: Recipient) =>
      request("POST /notification-channels/:channelId/confirmation", {
        params: { channelId },
        project: project.headers,
        body
      }),
    stale: [channelsQuery(project).queryKey]
  })
}

/** Sends a test. Every list of channels shows the result. */
export const useShownTest = () => {
  const { project } = useProjectData()
  const client = useQueryClient()
  const { mutateAsync: test } = useTestChannel(project)
  return async (channelId: string): Promise<void> => {
    const show = (result: ChannelTest) => client.setQueryData<ChannelTest>(testKey(channelId), result)
    show({ state: "sending", detail: "" })
    try {
      const { detail } = await test(channelId)
      show({ state: "delivered", detail })
    } catch (error) {
      show({ state: "failed", detail: reasonOf(error) })
    }
  }
}

/** The reader has seen how the test ended. */
export const useForgetTest = () => {
  const client = useQueryClient()
  return (id: string): void => void client.setQueryData(testKey(id), null)
}
