/** Rocket.Chat as documented: the destination of the channel in the contract's tests. */
import { http, json, lengthWithin, require } from "@kanmon/testkit/ChannelWorld"

const path = "/hooks/64f0c0ffee/aVeryLongTokenOfTheHook"

export const settle = (address: string) => ({ config: { webhookUrl: `${address}${path}` } })

export default http({
  settle,
  answer: (request) => {
    require(request.method === "POST", "the method is not POST", { status: 405 })
    require(request.path === path, "an unknown hook", { status: 404 })
    const { attachments, text } = json(request) as any
    lengthWithin(text, 5000, "the text")
    const [attachment] = attachments
    require(/^#[0-9a-f]{6}$/.test(attachment.color), "the colour is invalid")
    require(URL.canParse(attachment.title_link), "the link is no URL")
    for (const { title, value } of attachment.fields) {
      lengthWithin(title, 100, "a field's title")
      lengthWithin(value, 5000, "a field's value")
    }
    require(!/@(all|here)\b/.test(JSON.stringify([text, attachment])), "somebody is mentioned")
    return { status: 200, headers: { "content-type": "application/json" }, body: `{"success":true}` }
  }
})
