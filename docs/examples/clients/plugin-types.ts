/** Declares the types of two plugins that do not come with Kanmon, and uses them. */
import type { ChannelRequest } from "@kanmon/protocol/ChannelBody"
import type { MonitorRequest } from "@kanmon/protocol/MonitorBody"

declare module "@kanmon/protocol/MonitorBody" {
  interface MonitorTypes {
    readonly "redis-ping": { readonly request: { readonly host: string; readonly port?: number } }
  }
}

declare module "@kanmon/protocol/ChannelBody" {
  interface ChannelTypes {
    readonly rocketchat: { readonly config: { readonly webhookUrl: string } }
  }
}

export const cache: MonitorRequest = { name: "Cache", type: "redis-ping", host: "cache.example" }
export const team: ChannelRequest = {
  name: "Team",
  type: "rocketchat",
  config: { webhookUrl: "https://chat.example/hooks/1" }
}
