/** The destination of my-type, with the rules of its documentation: the test reports a request that breaks one. */
import { http, json, require } from "@kanmon/testkit/ChannelWorld"

export default http({
  settle: (address) => ({ config: { url: `${address}/a-secret` } }),
  answer: (request) => {
    require(request.method === "POST", "the method is not POST", { status: 405 })
    json(request)
    return { status: 200, body: "ok" }
  }
})
